import Postbacks
import Values
import Verification

/// Adds up cells or postbacks into the rows of a campaign report.
///
/// What distinguishes rows is compared as numbers, one for each dimension, and becomes words at the end.
struct CampaignFold {
  /// What decides where something is counted, in the codes of the tables.
  struct Facts {
    /// The UTC day of arrival.
    var utcDay: Int32
    /// The day of arrival by the clock of the report.
    var day: Int32
    var app: Int64
    var network: Int64
    var version: Int64
    var campaign: ShortText
    var window: Int64
    var outcome: Int64
    var interaction: Int64?
    var publisher: Int64?
    var country: ShortText?
    var marketplace: Int64?
    var tier: PostbackTier?
  }

  /// A condition with what it said of each number.
  private struct Condition {
    let condition: CampaignCondition
    private var verdicts: [Int64: Bool] = [:]
    private var last: (number: Int64, isAdmitted: Bool)?

    init(_ condition: CampaignCondition) { self.condition = condition }

    mutating func admits(_ number: Int64, _ codes: CampaignCodes) -> Bool {
      if let last, last.number == number { return last.isAdmitted }
      let isAdmitted =
        verdicts[number] ?? condition.admits(codes.word(of: condition.dimension, number))
      verdicts[number] = isAdmitted
      last = (number, isAdmitted)
      return isAdmitted
    }
  }

  private let query: CampaignQuery
  private let codes: CampaignCodes
  private var conditions: [Condition]
  private var keys: NumberedKeys
  private var key: [Int64]
  private var firstDays: [Int32] = []
  private var lastDays: [Int32] = []
  /// What is counted in each row, by the row's number.
  var counters = CampaignCounters()

  init(_ query: CampaignQuery, _ codes: CampaignCodes) {
    self.query = query
    self.codes = codes
    conditions = query.conditions.map { Condition($0) }
    keys = NumberedKeys(width: query.dimensions.count)
    key = query.dimensions.map { _ in 0 }
  }

  /// The number of the row that something counts in; `nil` where a condition leaves it out.
  mutating func row(of facts: borrowing Facts) -> Int? {
    for index in conditions.indices {
      let number = codes.number(of: conditions[index].condition.dimension, facts, digits: query.digits)
      guard conditions[index].admits(number, codes) else { return nil }
    }
    for index in query.dimensions.indices {
      key[index] = codes.number(of: query.dimensions[index], facts, digits: query.digits)
    }
    let row = keys.number(of: key)
    if row == firstDays.count {
      firstDays.append(facts.utcDay)
      lastDays.append(facts.utcDay)
      counters.appendRow()
    } else if facts.utcDay < firstDays[row] {
      firstDays[row] = facts.utcDay
    } else if facts.utcDay > lastDays[row] {
      lastDays[row] = facts.utcDay
    }
    return row
  }

  /// The rows in the order of their dimensions.
  ///
  /// - Parameter countsCopies: Whether copies were counted.
  /// - Returns: The rows, and the place there of each number.
  func rows(countsCopies: Bool) -> (rows: [CampaignRow], places: [Int]) {
    let dimensions = query.dimensions
    // What is not in the order of its numbers gets others, so that no word is looked up for a comparison.
    let ranks = dimensions.enumerated().map { place, dimension -> [Int64: Int64] in
      guard !codes.areInOrder(dimension) else { return [:] }
      let numbers = Set((0..<keys.count).lazy.map { keys[$0, place] })
        .sorted { codes.isBefore(dimension, $0, $1) }
      return Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, Int64($0)) })
    }
    let sorted = (0..<keys.count).sorted { a, b in
      for place in dimensions.indices {
        let (x, y) = (keys[a, place], keys[b, place])
        guard x != y else { continue }
        return ranks[place].isEmpty ? x < y : ranks[place][x] ?? 0 < ranks[place][y] ?? 0
      }
      return false
    }
    var places = [Int](repeating: 0, count: sorted.count)
    for (place, row) in sorted.enumerated() { places[row] = place }
    let rows = sorted.map { number in
      var row = CampaignRow(
        days: Day(number: firstDays[number])...Day(number: lastDays[number]),
        counts: counters.counts(ofRow: number, countsCopies: countsCopies))
      for (place, dimension) in dimensions.enumerated() {
        codes.set(dimension, keys[number, place], in: &row)
      }
      return row
    }
    return (rows, places)
  }
}
