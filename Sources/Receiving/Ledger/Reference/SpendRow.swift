public import Values
public import Postbacks

/// What an advertiser paid a network for a campaign on a day.
public struct SpendRow: Equatable, Sendable {
  /// The UTC day.
  public let day: Day
  /// The network, in lower case.
  public let network: String
  /// The campaign, by its digits in postbacks or by its name.
  public let campaign: String
  /// The App Store number of the app; `nil` where the file does not have it.
  public let app: Int64?
  /// The ISO 4217 code.
  public let currency: String
  /// Millionths of the currency's unit.
  public let micros: Int64
  /// How often the ads were shown, as the network counts it; `nil` where the file does not have it.
  public let impressions: Int64?
  /// How often the ads were clicked, as the network counts it; `nil` where the file does not have it.
  public let clicks: Int64?
  /// Whose postbacks it is compared with.
  public var environment: Environment

  public init(
    day: Day, network: String, campaign: String, app: Int64?, currency: String, micros: Int64,
    impressions: Int64? = nil, clicks: Int64? = nil, environment: Environment = .production
  ) {
    self.day = day
    self.network = network
    self.campaign = campaign
    self.app = app
    self.currency = currency
    self.micros = micros
    self.impressions = impressions
    self.clicks = clicks
    self.environment = environment
  }
}

extension SpendRow: ReferenceRow {
  /// An import replaces what is stored of the same environment, day, network, campaign and currency, whatever app
  /// that names.
  package static let table = ReferenceTable<Self>(
    "spend", groupedBy: ["environment", "day", "network", "campaign", "currency"], key: ["app"],
    values: ["micros", "impressions", "clicks"]
  ) {
    [
      .integer($0.environment.code), .integer(Int64($0.day.number)), .text($0.network), .text($0.campaign),
      .text($0.currency), .integer($0.app ?? 0), .integer($0.micros), .integer($0.impressions),
      .integer($0.clicks),
    ]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    guard let environment = Environment(code: row.count(0)) else { return nil }
    return Self(
      day: row.day(1), network: row.text(2) ?? "", campaign: row.text(3) ?? "",
      app: row.count(5) == 0 ? nil : row.count(5), currency: row.text(4) ?? "", micros: row.count(6),
      impressions: row.integer(7), clicks: row.integer(8), environment: environment)
  }
}
