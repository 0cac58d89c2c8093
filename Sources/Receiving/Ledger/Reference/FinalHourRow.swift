public import Postbacks
public import Values

/// How many of the advertiser's own users had one value final in one span of hours.
public struct FinalHourRow: Equatable, Sendable {
  public let app: AppID
  /// When the version of the mapping began that gave them the value.
  public let effectiveFrom: Instant
  /// The fine value, 0 through 63.
  public let value: Int
  /// The first hour after first launch of the span in which the value rose last.
  public let hour: Int
  /// How many users there were.
  public let users: Int64

  public init(app: AppID, effectiveFrom: Instant, value: Int, hour: Int, users: Int64) {
    self.app = app
    self.effectiveFrom = effectiveFrom
    self.value = value
    self.hour = hour
    self.users = users
  }
}

extension FinalHourRow: ReferenceRow {
  package static let table = ReferenceTable<Self>(
    "final_hour", groupedBy: ["app", "effective_from"], key: ["value", "hour"], values: ["users"]
  ) {
    [
      .integer($0.app.number), .integer($0.effectiveFrom.milliseconds), .integer(Int64($0.value)),
      .integer(Int64($0.hour)), .integer($0.users),
    ]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    guard let app = AppID(row.count(0)) else { return nil }
    return Self(
      app: app, effectiveFrom: Instant(milliseconds: row.count(1)), value: Int(row.count(2)),
      hour: Int(row.count(3)), users: row.count(4))
  }
}

extension LedgerReader {
  /// When values of own users were final, by app, version, value and hour.
  public func finalHours() throws(LedgerError) -> [FinalHourRow] { try imported() }
}
