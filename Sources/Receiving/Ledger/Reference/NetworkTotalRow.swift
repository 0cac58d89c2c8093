public import Values

/// What a network reports for a campaign on a day.
///
/// What the network does not report is `nil`, which is not 0.
public struct NetworkTotalRow: Equatable, Sendable {
  public let day: Day
  /// The network, in lower case.
  public let network: String
  /// The campaign, by its digits in postbacks or by its name; empty where the network reports only its total.
  public let campaign: String
  public var installs: Int64
  public var redownloads: Int64?
  public var postbacks: Int64?
  public var withValue: Int64?
  /// Revenue in millionths of the currency's unit.
  public var micros: Int64?
  /// The ISO 4217 code of the revenue.
  public var currency: String?

  public init(
    day: Day, network: String, campaign: String, installs: Int64, redownloads: Int64? = nil,
    postbacks: Int64? = nil, withValue: Int64? = nil, micros: Int64? = nil, currency: String? = nil
  ) {
    self.day = day
    self.network = network
    self.campaign = campaign
    self.installs = installs
    self.redownloads = redownloads
    self.postbacks = postbacks
    self.withValue = withValue
    self.micros = micros
    self.currency = currency
  }
}

extension NetworkTotalRow: ReferenceRow {
  package static let table = ReferenceTable<Self>(
    "network_total", groupedBy: ["day", "network", "campaign"],
    values: ["installs", "redownloads", "postbacks", "with_value", "micros", "currency"]
  ) {
    [
      .integer(Int64($0.day.number)), .text($0.network), .text($0.campaign), .integer($0.installs),
      .integer($0.redownloads), .integer($0.postbacks), .integer($0.withValue), .integer($0.micros),
      .text($0.currency),
    ]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    Self(
      day: row.day(0), network: row.text(1) ?? "", campaign: row.text(2) ?? "", installs: row.count(3),
      redownloads: row.integer(4), postbacks: row.integer(5), withValue: row.integer(6),
      micros: row.integer(7), currency: row.text(8))
  }
}
