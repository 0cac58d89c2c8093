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
  private struct Key: Hashable {
    // Random odd numbers. One number is hashed instead of sixteen, because it is done for every postback.
    private static let factors: SIMD16<Int64> = {
      var random = SplitMix64(seed: 1)
      return SIMD16((0..<16).map { _ in Int64(bitPattern: random.next() | 1) })
    }()
    var numbers = SIMD16<Int64>()

    func hash(into hasher: inout Hasher) { hasher.combine((numbers &* Self.factors).wrappedSum()) }
  }

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
  private var isUnasked = SIMDMask<SIMD16<Int64>.MaskStorage>(repeating: true)
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
    for (dimension, place) in named {
      key.numbers[place] = codes.number(of: dimension, facts, digits: query.digits)
    }
    for index in conditions.indices {
      let number = key.numbers[conditions[index].place]
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
    key.numbers.replace(with: 0, where: isUnasked)
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
    var keys = sums.map(\.key.numbers)
    // What is not in the order of its numbers gets others, so that no word is looked up for a comparison.
    for (place, dimension) in order where !codes.areInOrder(dimension) {
      let numbers = Set(keys.lazy.map { $0[place] }).sorted { codes.isBefore(dimension, $0, $1) }
      let ranks = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, Int64($0)) })
      for index in keys.indices { keys[index][place] = ranks[keys[index][place]] ?? 0 }
    }
    let sorted = keys.indices.sorted { a, b in
      for (place, _) in order where keys[a][place] != keys[b][place] {
        return keys[a][place] < keys[b][place]
      }
      return false
    }
    var places = [Int](repeating: 0, count: sums.count)
    for (row, sum) in sorted.enumerated() { places[sum] = row }
    let rows = sorted.map { index in
      let sum = sums[index]
      var row = CampaignRow(
        days: Day(number: sum.days.lowerBound)...Day(number: sum.days.upperBound), counts: sum.counts)
      for (place, dimension) in order { codes.set(dimension, sum.key.numbers[place], in: &row) }
      return row
    }
    return (rows, places)
  }
}
