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
    var campaign: String
    var window: Int64
    var outcome: Int64
    var interaction: Int64?
    var publisher: Int64?
    var country: String?
    var marketplace: Int64?
    var tier: PostbackTier?
  }

  /// A number for each dimension, in the order of its cases; the same for all rows where nothing names it.
  private typealias Key = SIMD16<Int64>

  private struct Sum {
    let key: Key
    var days: ClosedRange<Int32>
    var counts: CampaignCounts
  }

  /// A condition with what it said of each number.
  private struct Condition {
    let condition: CampaignCondition
    let place: Int
    var verdicts: [Int64: Bool] = [:]
  }

  private let query: CampaignQuery
  private let codes: CampaignCodes
  /// The dimensions that rows or conditions name.
  private let named: [(dimension: CampaignDimension, place: Int)]
  /// The dimensions that rows do not name.
  private var isUnasked = SIMDMask<Key.MaskStorage>(repeating: true)
  private var conditions: [Condition]
  private var sums: [Sum] = []
  private var places: [Key: Int] = [:]

  init(_ query: CampaignQuery, _ codes: CampaignCodes) {
    self.query = query
    self.codes = codes
    let asked = query.namedDimensions
    named = CampaignDimension.allCases.enumerated().filter { asked.contains($1) }.map { ($1, $0) }
    conditions = query.conditions.map { condition in
      Condition(
        condition: condition, place: CampaignDimension.allCases.firstIndex(of: condition.dimension) ?? 0)
    }
    for (place, dimension) in CampaignDimension.allCases.enumerated() {
      isUnasked[place] = !query.dimensions.contains(dimension)
    }
  }

  /// The sum that something counts in; `nil` where a condition leaves it out.
  mutating func place(of facts: Facts, startingWith counts: CampaignCounts) -> Int? {
    var key = Key()
    for (dimension, place) in named { key[place] = codes.number(of: dimension, facts, digits: query.digits) }
    for index in conditions.indices {
      let number = key[conditions[index].place]
      let isAdmitted: Bool
      if let known = conditions[index].verdicts[number] {
        isAdmitted = known
      } else {
        let condition = conditions[index].condition
        isAdmitted = condition.admits(codes.word(of: condition.dimension, number))
        conditions[index].verdicts[number] = isAdmitted
      }
      guard isAdmitted else { return nil }
    }
    key.replace(with: 0, where: isUnasked)
    if let known = places[key] {
      let days = sums[known].days
      if facts.utcDay < days.lowerBound || facts.utcDay > days.upperBound {
        sums[known].days = min(days.lowerBound, facts.utcDay)...max(days.upperBound, facts.utcDay)
      }
      return known
    }
    places[key] = sums.count
    sums.append(Sum(key: key, days: facts.utcDay...facts.utcDay, counts: counts))
    return sums.count - 1
  }

  /// Changes the counts of a sum.
  mutating func count(in place: Int, _ change: (inout CampaignCounts) -> Void) { change(&sums[place].counts) }

  /// The rows in the order of their dimensions, and the row of each sum.
  func rows() -> (rows: [CampaignRow], places: [Int]) {
    let order = query.dimensions.map { dimension in
      (place: CampaignDimension.allCases.firstIndex(of: dimension) ?? 0, dimension: dimension)
    }
    let sorted = sums.indices.sorted { a, b in
      for (place, dimension) in order where sums[a].key[place] != sums[b].key[place] {
        return codes.isBefore(dimension, sums[a].key[place], sums[b].key[place])
      }
      return false
    }
    var places = [Int](repeating: 0, count: sums.count)
    for (row, sum) in sorted.enumerated() { places[sum] = row }
    let rows = sorted.map { index in
      let sum = sums[index]
      var row = CampaignRow(
        days: Day(number: sum.days.lowerBound)...Day(number: sum.days.upperBound), counts: sum.counts)
      for (place, dimension) in order { codes.set(dimension, sum.key[place], in: &row) }
      return row
    }
    return (rows, places)
  }
}
