public import Values

/// What people call a campaign, a network or an app in some days.
public struct CampaignNameRow: Hashable, Sendable {
  /// The network, in lower case; empty where the row names an app.
  public let network: String
  /// The campaign id, or two to four last digits of a source identifier; empty where the row names a network or an app.
  public let campaign: String
  /// The App Store number of the app that the row names, or of the only app whose campaign it names; `nil` for any app.
  public let app: Int64?
  /// The first UTC day.
  public let from: Day
  /// The first UTC day that no longer counts; `nil` for no end.
  public private(set) var to: Day?
  public let name: String
  public let adSet: String?
  public let creative: String?
  public let country: String?
  /// The network's own number of the campaign, by which its files name it too.
  public let number: String?

  public init(
    network: String, campaign: String, app: Int64? = nil, from: Day, to: Day?, name: String, adSet: String?,
    creative: String?, country: String?,
    number: String? = nil
  ) {
    self.network = network
    self.campaign = campaign
    self.app = app
    self.from = from
    self.to = to
    self.name = name
    self.adSet = adSet
    self.creative = creative
    self.country = country
    self.number = number
  }

  /// The names of one thing by day, each ended where a later one begins.
  static func endedByLater(_ rows: [Self]) -> [Self] {
    var rows = rows.ordered { $0.from < $1.from }
    for index in rows.indices.dropLast() {
      let next = rows[index + 1].from
      rows[index].to = min(rows[index].to ?? next, next)
    }
    return rows
  }
}

extension CampaignNameRow: ReferenceRow {
  /// An imported name takes the place of one from the same day; of two names of the same thing, the later one ends the
  /// earlier one.
  package static let table = ReferenceTable<Self>(
    "campaign_name", groupedBy: ["network", "campaign", "app"], key: ["from_day"],
    values: ["to_day", "name", "ad_set", "creative", "country", "number"],
    merge: { stored, imported in
      let days = Set(imported.map(\.from))
      return endedByLater(stored.filter { !days.contains($0.from) } + imported)
    }
  ) {
    [
      .text($0.network), .text($0.campaign), .integer($0.app ?? 0), .integer(Int64($0.from.number)),
      .integer($0.to.map { Int64($0.number) }), .text($0.name), .text($0.adSet), .text($0.creative),
      .text($0.country), .text($0.number),
    ]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    Self(
      network: row.text(0) ?? "", campaign: row.text(1) ?? "", app: row.count(2) == 0 ? nil : row.count(2),
      from: row.day(3), to: row.integer(4).map { Day(number: Int32(truncatingIfNeeded: $0)) },
      name: row.text(5) ?? "", adSet: row.text(6),
      creative: row.text(7), country: row.text(8), number: row.text(9))
  }
}
