public import Postbacks
import SQLite
public import Values

/// Up to when the revenue of own users counts.
public enum WorthHorizon: Hashable, Sendable, Comparable {
  /// As long as the first window of the mapping's version counts.
  case firstWindow
  /// So many days since install, from 1.
  case days(Int)

  var code: Int64 {
    switch self {
    case .firstWindow: 0
    case .days(let days): Int64(days)
    }
  }

  init(code: Int64) { self = code > 0 ? .days(Int(code)) : .firstWindow }
}

/// The measured revenue of the advertiser's own users that end with one value.
public struct ValueWorthRow: Equatable, Sendable {
  public let app: AppID
  /// When the version of the mapping began that gave them the value.
  public let effectiveFrom: Instant
  /// Up to when their revenue counts.
  public let horizon: WorthHorizon
  /// The ISO 4217 code of the amounts.
  public let currency: String
  /// The value, 0 through 63; ``firstCoarseValue`` and the two behind it for users by their coarse value.
  public let value: Int
  /// How many users there were.
  public let users: Int64
  /// Their revenue, in millionths of the currency's unit.
  public let micros: Int64
  /// The sum of the squares of each one's revenue, in whole units of the currency.
  public let squares: Double
  /// The sum of the cubes, in whole units.
  public let cubes: Double
  public let largest: Int64
  /// The revenue of each, in millionths, rising; the ``highestAmounts`` highest of more than ``mostAmounts`` users.
  public let amounts: [Int64]

  /// Whether the sum of their revenue does not fit and is the largest amount instead, so that their mean is too low.
  public var didSaturate: Bool { micros == .max }

  /// What stands for the coarse value low; medium and high follow.
  public static let firstCoarseValue = 64
  /// The most users whose amounts are all kept.
  public static let mostAmounts = 300
  /// How many users a value can have; sums of all values fit.
  static let possibleUsers: ClosedRange<Int64> = 0...1 << 40
  /// How many of the highest amounts are kept of more users.
  public static let highestAmounts = 13

  public init(
    app: AppID, effectiveFrom: Instant, horizon: WorthHorizon = .firstWindow, currency: String, value: Int,
    users: Int64, micros: Int64,
    squares: Double, cubes: Double, largest: Int64, amounts: [Int64]
  ) {
    self.app = app
    self.effectiveFrom = effectiveFrom
    self.horizon = horizon
    self.currency = currency
    self.value = value
    self.users = users
    self.micros = micros
    self.squares = squares
    self.cubes = cubes
    self.largest = largest
    self.amounts = amounts
  }

  /// Sums the revenue of each user, in millionths.
  public init(
    app: AppID, effectiveFrom: Instant, horizon: WorthHorizon = .firstWindow, currency: String, value: Int,
    each: [Int64]
  ) {
    let rising = each.sorted()
    let units = rising.map { Double($0) / 1e6 }
    self.init(
      app: app, effectiveFrom: effectiveFrom, horizon: horizon, currency: currency, value: value,
      users: Int64(each.count),
      micros: each.reduce(Amount.zero) { $0.adding(Amount(micros: $1)).sum }.micros,
      squares: units.reduce(0) { $0 + $1 * $1 }, cubes: units.reduce(0) { $0 + $1 * $1 * $1 },
      largest: max(0, rising.last ?? 0),
      amounts: rising.count > Self.mostAmounts ? Array(rising.suffix(Self.highestAmounts)) : rising)
  }
}

extension LedgerReader {
  /// What is known of users by value, by app, version, horizon and value.
  public func valueWorth() throws(LedgerError) -> [ValueWorthRow] {
    var amounts: [WorthKey: [Int64]] = [:]
    var wrong: String?
    try connection.prepare(
      """
      SELECT app, effective_from, horizon, value, micros, users FROM worth_amount
      ORDER BY app, effective_from, horizon, value, micros
      """
    ).forEachRow { row in
      let key = WorthKey(
        app: row.count(0), effectiveFrom: row.count(1), horizon: row.count(2), value: row.count(3))
      let users = row.count(5)
      let known = amounts[key]?.count ?? 0
      guard users > 0, users <= ValueWorthRow.mostAmounts - known else {
        wrong = wrong ?? "\(users) own users of value \(row.count(3)) with one amount"
        return
      }
      amounts[key, default: []] += Array(repeating: row.count(4), count: Int(users))
    }
    var rows: [ValueWorthRow] = []
    try connection.prepare("SELECT * FROM value_worth ORDER BY app, effective_from, horizon, value")
      .forEachRow { row in
        guard let app = AppID(row.count(0)) else { return }
        guard ValueWorthRow.possibleUsers.contains(row.count(5)) else {
          wrong = wrong ?? "\(row.count(5)) own users of value \(row.count(4))"
          return
        }
        let key = WorthKey(
          app: row.count(0), effectiveFrom: row.count(1), horizon: row.count(2), value: row.count(4))
        rows.append(
          ValueWorthRow(
            app: app, effectiveFrom: Instant(milliseconds: row.count(1)),
            horizon: WorthHorizon(code: row.count(2)), currency: row.text(3) ?? "",
            value: Int(row.count(4)), users: row.count(5), micros: row.count(6), squares: row.real(7),
            cubes: row.real(8), largest: row.count(9), amounts: amounts[key] ?? []))
      }
    if let wrong { throw .wrongNumber("found \(wrong), which skan never stores") }
    return readable(rows) { $0.app }
  }
}

private struct WorthKey: Hashable {
  let app: Int64
  let effectiveFrom: Int64
  let horizon: Int64
  let value: Int64
}
