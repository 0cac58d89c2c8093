import Postbacks
import Values
import Verification

/// Adds up cells or postbacks into the rows of a campaign report.
///
/// What distinguishes rows is compared as numbers, one for each dimension, and becomes words at the end.
struct CampaignAggregation {
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

  /// Postbacks that are added up together, because looks at memory for one then do not wait for those for another.
  private struct Waiting {
    var keys: [Int64] = []
    var postbacks: [(utcDay: Int32, steps: CampaignCounters.Steps)] = []
    var rows: [Int] = []
  }

  private let query: CampaignQuery
  private let codes: CampaignCodes
  private var conditions: [Condition]
  private var keys: NumberedKeys
  private var key: [Int64]
  private var firstDays: [Int32] = []
  private var lastDays: [Int32] = []
  private var waiting = Waiting()
  var counters = CampaignCounters()

  init(_ query: CampaignQuery, _ codes: CampaignCodes) {
    self.query = query
    self.codes = codes
    conditions = query.conditions.map { Condition($0) }
    keys = NumberedKeys(width: query.dimensions.count)
    key = query.dimensions.map { _ in 0 }
  }

  /// The number of the row that something counts in; `nil` where a condition leaves it out.
  mutating func row(of facts: Facts) -> Int? {
    guard admits(facts) else { return nil }
    for index in query.dimensions.indices {
      key[index] = codes.number(of: query.dimensions[index], facts, digits: query.digits)
    }
    let row = keys.number(of: key)
    extend(row, to: facts.utcDay)
    return row
  }

  /// Puts a postback among those that wait for ``addWaiting()``.
  ///
  /// - Returns: Whether it counts; `false` where a condition leaves it out.
  mutating func wait(_ facts: Facts, _ steps: CampaignCounters.Steps) -> Bool {
    guard admits(facts) else { return false }
    for dimension in query.dimensions {
      waiting.keys.append(codes.number(of: dimension, facts, digits: query.digits))
    }
    waiting.postbacks.append((facts.utcDay, steps))
    return true
  }

  var waitingCount: Int { waiting.postbacks.count }

  /// Adds up the postbacks that wait.
  ///
  /// - Returns: The number of the row of each of them, in their order.
  mutating func addWaiting() -> [Int] {
    if query.dimensions.isEmpty {
      let row = waiting.postbacks.isEmpty ? 0 : keys.number(of: key)
      waiting.rows = waiting.postbacks.map { _ in row }
    } else {
      keys.find(waiting.keys, &waiting.rows)
    }
    for (index, row) in waiting.rows.enumerated() { extend(row, to: waiting.postbacks[index].utcDay) }
    for (index, row) in waiting.rows.enumerated() { counters.add(waiting.postbacks[index].steps, row: row) }
    waiting.keys.removeAll(keepingCapacity: true)
    waiting.postbacks.removeAll(keepingCapacity: true)
    return waiting.rows
  }

  private mutating func admits(_ facts: Facts) -> Bool {
    for index in conditions.indices {
      let number = codes.number(of: conditions[index].condition.dimension, facts, digits: query.digits)
      guard conditions[index].admits(number, codes) else { return false }
    }
    return true
  }

  private mutating func extend(_ row: Int, to utcDay: Int32) {
    if row == firstDays.count {
      firstDays.append(utcDay)
      lastDays.append(utcDay)
      counters.appendRow()
    } else if utcDay < firstDays[row] {
      firstDays[row] = utcDay
    } else if utcDay > lastDays[row] {
      lastDays[row] = utcDay
    }
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
