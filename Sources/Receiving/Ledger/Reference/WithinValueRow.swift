public import Postbacks
public import Values

/// How likely it is that users of a value differ from campaign to campaign by so much, as groups of own users show it.
public struct WithinValueRow: Equatable, Sendable {
  public let app: AppID
  /// When the version of the mapping began that the users followed.
  public let effectiveFrom: Instant
  /// Up to when their revenue counts.
  public let horizon: WorthHorizon
  /// By how much of what values differ, in per cent.
  public let slope: Int
  /// The standard deviation of what is left, in per cent.
  public let spread: Int
  /// How many groups show it.
  public let groups: Int
  /// How likely it is, in millionths.
  public let weight: Int64

  public init(
    app: AppID, effectiveFrom: Instant, horizon: WorthHorizon, slope: Int, spread: Int, groups: Int,
    weight: Int64
  ) {
    self.app = app
    self.effectiveFrom = effectiveFrom
    self.horizon = horizon
    self.slope = slope
    self.spread = spread
    self.groups = groups
    self.weight = weight
  }
}

extension WithinValueRow: ReferenceRow {
  package static let table = ReferenceTable<Self>(
    "within_value", groupedBy: ["app", "effective_from"], key: ["horizon", "slope", "spread"],
    values: ["groups", "weight"]
  ) {
    [
      .integer($0.app.number), .integer($0.effectiveFrom.milliseconds), .integer($0.horizon.code),
      .integer(Int64($0.slope)), .integer(Int64($0.spread)), .integer(Int64($0.groups)), .integer($0.weight),
    ]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    guard let app = AppID(row.count(0)) else { return nil }
    return Self(
      app: app, effectiveFrom: Instant(milliseconds: row.count(1)), horizon: WorthHorizon(code: row.count(2)),
      slope: Int(row.count(3)), spread: Int(row.count(4)), groups: Int(row.count(5)), weight: row.count(6))
  }
}

extension WithinValueRow: ChangeRecord {
  package static let form = Form(Self.init) {
    ($0.app, $0.effectiveFrom, $0.horizon, $0.slope, $0.spread, $0.groups, $0.weight)
  }
}

extension LedgerReader {
  /// What groups of own users show of users of a value, by app, version and horizon.
  public func withinValues() throws(LedgerError) -> [WithinValueRow] {
    readable(try imported()) { $0.app }
  }
}
