import Estimates
import Ledger
import Mappings
import Postbacks
import Values

/// What the 64 values of one version of a mapping are worth, in money or in users of an event.
struct MappingWorth {
  /// The worth by value.
  let worth: CodeWorth
  /// How many of the advertiser's own users have each value; `nil` where none are known.
  let users: [Double]?

  /// Takes what own users brought where they are known, and otherwise what the mapping says.
  init(_ mapping: Mapping, own: [ValueWorthRow], event: String?) {
    let rows = Dictionary(own.map { ($0.value, $0) }, uniquingKeysWith: { first, _ in first })
    var buckets: [BucketWorth] = []
    for code in 0..<64 {
      let meaning = FineValue(Int64(code)).map { mapping.decode($0) } ?? .unmapped
      let stated = Self.stated(meaning, event: event)
      guard event == nil, let row = rows[code], row.users > 0, row.currency == mapping.currency.text else {
        buckets.append(stated)
        continue
      }
      let users = Double(row.users)
      let mean = Double(row.micros) / 1e6 / users
      let variance = max(0, row.squares / users - mean * mean)
      // One user tells nothing of the spread; the range does.
      let spread = row.users < 5 ? max(stated.spread, variance.squareRoot()) : variance.squareRoot()
      buckets.append(
        BucketWorth(
          mean: mean, spread: spread, low: min(stated.low, mean),
          high: max(stated.high, mean, Double(row.largest) / 1e6), users: Int(row.users)))
    }
    worth = CodeWorth(buckets: buckets)
    let counts = (0..<64).map { Double(rows[$0]?.users ?? 0) }
    users = counts.reduce(0, +) > 0 ? counts : nil
  }

  /// What the mapping's own words say of a value.
  private static func stated(_ meaning: Meaning, event: String?) -> BucketWorth {
    guard case .rules(let rules) = meaning, !rules.isEmpty else {
      return BucketWorth(mean: 0, spread: 0, low: 0, high: 0, users: 0)
    }
    if let event {
      let share = self.share(of: event, in: rules)
      return BucketWorth(
        mean: share, spread: (share * (1 - share)).squareRoot(), low: share == 1 ? 1 : 0,
        high: share == 0 ? 0 : 1, users: 0)
    }
    let money = rules.compactMap(\.revenue.first)
    guard !money.isEmpty else { return BucketWorth(mean: 0, spread: 0, low: 0, high: 0, users: 0) }
    let mean = money.reduce(0) { $0 + units($1.representative) } / Double(rules.count)
    let low = min(mean, money.map { $0.low.map(units) ?? 0 }.min() ?? 0)
    let high = max(mean, money.map { units($0.high ?? $0.representative) }.max() ?? 0)
    // As if users lay evenly between the ends.
    return BucketWorth(mean: mean, spread: (high - low) / 12.0.squareRoot(), low: low, high: high, users: 0)
  }

  /// What a meaning is worth on average, in units of the currency or in users of an event.
  static func mean(of meaning: Meaning, event: String?) -> Double { stated(meaning, event: event).mean }

  private static func share(of event: String, in rules: [Interpretation]) -> Double {
    let holding = rules.count { rule in rule.events.contains { $0.name == event && $0.count.min > 0 } }
    return Double(holding) / Double(rules.count)
  }

  private static func units(_ amount: Amount) -> Double { Double(amount.micros) / 1e6 }
}
