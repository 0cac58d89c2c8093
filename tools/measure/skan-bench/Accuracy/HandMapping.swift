import Mappings
import Postbacks
import System
import Values

/// A mapping as people write it: 0 for nothing, and ranges of revenue above it.
struct HandMapping {
  /// Where the ranges of each day of activity begin, in units; the same values for all hours if there is one day.
  let edges: [[Double]]

  /// Ranges in equal ratios, from the lowest to the highest revenue of own users.
  static func geometric(_ amounts: [Double], ranges: Int, days: Int) -> Self {
    let least = max(amounts.min() ?? 0.01, 1e-3)
    let ratio = max(amounts.max() ?? 1, 2 * least) / least
    let edges = (1..<ranges).map {
      least * exponential(naturalLogarithm(ratio) * Double($0) / Double(ranges))
    }
    return Self(edges: [[Double]](repeating: [1e-6] + edges, count: days))
  }

  /// The mapping; `nil` if it has too many values, or ranges without an amount.
  func mapping(
    _ currency: CurrencyCode, device: Mapping.Device = .skan4, windowHours: Int = 48,
    from moment: Instant = Instant(seconds: 0)
  ) -> Mapping? {
    guard let app = AppID(1) else { return nil }
    var rules: [FineRule] = []
    for (day, edges) in edges.enumerated() {
      let micros = edges.map { Int64(($0 * 1e6).rounded()) }
      for place in 0...micros.count {
        let range = AmountRange(
          lower: place == 0 ? .unbounded : .closed(Amount(micros: micros[place - 1])),
          upper: place == micros.count ? .unbounded : .open(Amount(micros: micros[place])))
        guard let range, let revenue = RevenueCondition(range, currency),
          let value = FineValue(Int64(rules.count))
        else { return nil }
        rules.append(
          FineRule(
            value: value,
            conditions: Conditions(
              revenue: revenue,
              activeHours: self.edges.count == 1 ? nil : HourRange(from: 24 * day, to: 24 * day + 24))))
      }
    }
    return Mapping(
      name: "hand", app: app, currency: currency, effectiveFrom: moment, device: device,
      measurementWindowHours: windowHours, fine: rules, coarse: [:])
  }
}
