package import Mappings
package import Postbacks
import Values

/// Figures of the advertiser's own users whose last value is this one, in units of the currency.
package struct KnownUsers: Equatable, Sendable {
  package let users: Int
  package let sum: Double
  package let squares: Double
  package let cubes: Double
  /// The revenue of each, up to ``BucketWorth/mostAmounts`` users; the highest amounts of more.
  package let amounts: [Double]

  /// Creates it from stored figures.
  package init(users: Int, sum: Double, squares: Double, cubes: Double, amounts: [Double]) {
    self.users = users
    self.sum = sum
    self.squares = squares
    self.cubes = cubes
    self.amounts = amounts
  }

  /// Creates it from every user.
  package init(amounts: [Double]) {
    self.init(
      users: amounts.count, sum: amounts.reduce(0, +), squares: amounts.reduce(0) { $0 + $1 * $1 },
      cubes: amounts.reduce(0) { $0 + $1 * $1 * $1 }, amounts: amounts)
  }

  /// The same with as many amounts as are stored of them: of more than ``BucketWorth/mostAmounts`` users the highest.
  init(storedOf amounts: [Double]) {
    let all = Self(amounts: amounts)
    let isWhole = amounts.count <= BucketWorth.mostAmounts
    self.init(
      users: all.users, sum: all.sum, squares: all.squares, cubes: all.cubes,
      amounts: isWhole ? amounts : Array(amounts.sorted().suffix(ParetoTail.fewestAmounts)))
  }

  package var mean: Double { sum / Double(users) }
  /// Every user's amount; `nil` if some are not stored.
  fileprivate var everyAmount: [Double]? { amounts.count == users ? amounts : nil }
}

extension CodeWorth {
  /// Uses the revenue of own users if it is known, and otherwise the mapping's amounts.
  ///
  /// - Parameters:
  ///   - type: The type of the conversions; with `nil`, they can be of any.
  ///   - own: The advertiser's own users, by value.
  ///   - event: The event that is counted; `nil` for revenue.
  ///   - isOfFirstWindow: Whether the users' amounts are of the time that values count. If they are not, the mapping states
  ///     nothing of them: its ends do not hold, and a value that no own user has is worth what users of the values
  ///     beside it are.
  ///   - within: How far campaigns differ within a value after the time that values count.
  package init(
    _ mapping: Mapping, type: ConversionType? = nil, own: [Int: KnownUsers], event: String?,
    isOfFirstWindow: Bool = true, within: WithinValueLaw = .unknown
  ) {
    let own = event == nil ? own.filter { $0.value.users > 0 } : [:]
    let tail = ParetoTail(own.values.flatMap(\.amounts))
    let ranks = own.ordered { ($0.value.mean, $0.key) < ($1.value.mean, $1.key) }.map(\.key)
    self.init(
      buckets: (0..<64).map { code in
        let stated = StatedWorth(mapping, code: code, type: type, event: event)
        guard let known = own[code] else {
          if !isOfFirstWindow, let others = Self.beside(stated, own, mapping, type: type) {
            return BucketWorth(likeUsersBeside: others)
          }
          return stated.bucket(tail: own.isEmpty ? nil : tail)
        }
        guard let amounts = known.everyAmount else { return stated.bucket(known) }
        let rank = ranks.firstIndex(of: code) ?? 0
        let beside = ranks[max(0, rank - 1)...min(ranks.count - 1, rank + 1)]
        let ends = stated.range ?? (stated.low, max(stated.high, amounts.max() ?? 0))
        return BucketWorth(
          amounts: amounts, low: ends.low, high: ends.high,
          endsHold: stated.range != nil && isOfFirstWindow, tail: tail,
          neighbours: beside.flatMap { own[$0]?.everyAmount ?? [] })
      }, tail: tail, tilt: isOfFirstWindow ? nil : QualityTilt(own, codes: 64, within: within),
      carriers: RevenueCarriers(
        sum: own.values.reduce(0) { $0 + $1.sum }, squares: own.values.reduce(0) { $0 + $1.squares },
        amounts: own.values.flatMap(\.amounts)))
    origin = Origin(effectiveFrom: mapping.effectiveFrom, currency: mapping.currency)
  }

  /// What own users of the next lower and the next higher value are worth, and no less than the value itself; `nil`
  /// without own users.
  private static func beside(
    _ stated: StatedWorth, _ own: [Int: KnownUsers], _ mapping: Mapping, type: ConversionType?
  ) -> [Double]? {
    // In the order of codes: several values can have the same mean.
    let known = own.ordered { $0.key < $1.key }.map {
      (mean: StatedWorth(mapping, code: $0.key, type: type, event: nil).mean, users: $0.value)
    }
    let below = known.filter { $0.mean <= stated.mean }.max { $0.mean < $1.mean }
    let above = known.filter { $0.mean > stated.mean }.min { $0.mean < $1.mean }
    let amounts = [below, above].compactMap { $0?.users }.flatMap { $0.everyAmount ?? [$0.mean] }
    return amounts.isEmpty ? nil : amounts.map { max(stated.low, $0) }.sorted()
  }

  /// What a meaning is worth on average, in units of the currency or in users of an event.
  package static func mean(of meaning: Meaning, event: String?) -> Double {
    StatedWorth(meaning, event: event).mean
  }
}

private struct StatedWorth {
  var mean = 0.0
  var low = 0.0
  /// Infinite where the value is open above.
  var high = 0.0
  var spread = 0.0
  /// The range of revenue that has the value, infinite if it is open above; `nil` if no single range decides.
  var range: (low: Double, high: Double)?

  init(_ mapping: Mapping, code: Int, type: ConversionType?, event: String?) {
    self.init(FineValue(Int64(code)).map { mapping.decode($0, type: type) } ?? .unmapped, event: event)
  }

  init(_ meaning: Meaning, event: String?) {
    guard case .rules(let rules) = meaning, !rules.isEmpty else { return }
    if let event {
      mean = Self.share(of: event, in: rules)
      spread = (mean * (1 - mean)).squareRoot()
      low = mean == 1 ? 1 : 0
      high = mean == 0 ? 0 : 1
      return
    }
    let money = rules.compactMap(\.revenue.first)
    guard !money.isEmpty else { return }
    mean = money.reduce(0) { $0 + Self.units($1.representative) } / Double(rules.count)
    low = min(mean, money.map { $0.low.map(Self.units) ?? 0 }.min() ?? 0)
    high = max(mean, money.map { $0.high.map(Self.units) ?? .infinity }.max() ?? 0)
    spread = StatedLaw(mean: mean, low: low, high: high).variance.squareRoot()
    if rules.count == 1, let total = rules[0].total {
      range = (
        total.range.lower.amount.map(Self.units) ?? 0, total.range.upper.amount.map(Self.units) ?? .infinity
      )
    }
  }

  /// The worth of a value that no own user has.
  func bucket(tail: ParetoTail?) -> BucketWorth {
    guard let tail, let range, !range.high.isFinite, range.low > 0 else {
      return BucketWorth(mean: mean, spread: spread, low: low, high: high, users: 0)
    }
    return BucketWorth(
      mean: tail.mean(from: range.low, exponent: tail.exponent), spread: spread, low: range.low,
      high: .infinity, users: 0)
  }

  /// The worth of a value if only its users' moments are stored.
  func bucket(_ known: KnownUsers) -> BucketWorth {
    let count = Double(known.users)
    let mean = known.mean
    let variance = max(0, known.squares / count - mean * mean)
    let third = known.cubes / count - 3 * mean * known.squares / count + 2 * mean * mean * mean
    // One user is no evidence of the spread; the range is.
    let spread = known.users < 5 ? max(self.spread, variance.squareRoot()) : variance.squareRoot()
    let ends = range ?? (low, high)
    return BucketWorth(
      mean: mean, spread: spread, low: min(ends.low, mean, known.amounts.min() ?? mean),
      high: max(ends.high, mean, known.amounts.max() ?? mean), users: known.users, third: third)
  }

  private static func share(of event: String, in rules: [Interpretation]) -> Double {
    let holding = rules.count { rule in rule.events.contains { $0.name == event && $0.count.min > 0 } }
    return Double(holding) / Double(rules.count)
  }

  private static func units(_ amount: Amount) -> Double { Double(amount.micros) / 1e6 }
}
