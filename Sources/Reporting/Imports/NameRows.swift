package import Arguments
package import Campaigns
package import Ledger
package import Tables
package import Values

package struct NameRows: ImportedRows {
  package var period = Period<Day>()
  package var scope = ImportScope()

  package init() {}

  package static let word = "names"
  package static func noun(_ count: Int) -> Sentence {
    Sentence("\(count, one: "# name", other: "# names")")
  }
  package static let nouns = Sentence("names")
  package static let listing = "List names of campaigns, networks and apps."
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope)

  package static let columns: [Column<CampaignNameRow>] = NameListing.columns.map { column in
    column.of { NameListing.Row(row: $0, source: nil) }
  }

  package func rows(in reader: LedgerReader) throws(LedgerError) -> [CampaignNameRow] {
    try reader.campaignNames().filter(allows)
  }

  func allows(_ row: CampaignNameRow) -> Bool {
    period.overlaps(row.from, row.to) && scope.allows(row.network, row.campaign)
  }
}

package struct NameListing: Report {
  package var filter = NameRows()
  package var isBuiltIn = false

  package init() {}

  package struct Row: Sendable {
    let row: CampaignNameRow
    let source: String?
  }

  package static let name = "names"
  package static let command = "names list"
  package static let path = "/v1/names"
  package static let summary = "List names of campaigns, networks and apps."
  package static let discussion = [
    "skan has the public names of larger ad networks and of the placements of Apple Ads, each with the page that has "
      + "it. Reports show such a name where you import no name of the same network and campaign; a row of "
      + "`skan names import` without a campaign names the network, and one with an app alone names the app."
  ]
  package static let examples: [Command.Example] = [
    .init("List imported names", "skan names list -d skan.db"),
    .init("List built-in names", "skan names list -d skan.db --built-in"),
  ]
  package static let pageSize: Int? = 10_000
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.filter) + [
      .init("built-in", \.isBuiltIn, "List built-in names instead of imported ones.")
    ]

  package static let columns: [Column<Row>] = [
    Column("network", "network", "Ad network; none where it is the name of an app.") {
      $0.row.network.isEmpty ? nil : Identifier($0.row.network)
    },
    Column(
      "campaign", "campaign",
      "Digits of the campaign; none where it is the name of the network or of the app."
    ) { $0.row.campaign.isEmpty ? nil : Identifier($0.row.campaign) },
    Column(
      "app", "app",
      "App Store number of the app, or of the only app whose campaign it is for; none for any app.",
      shown: .whereUseful
    ) {
      $0.row.app.map { Identifier("\($0)") }
    },
    Column(
      "from", "from", "First UTC day on which the name is used; none for a built-in name.",
      shown: .whereUseful
    ) { $0.source == nil ? $0.row.from : nil },
    Column("to", "to", "First UTC day on which it is no longer used.", shown: .whereUseful) { $0.row.to },
    Column("name", "name", "Name.", \.row.name),
    Column("ad-set", "ad set", "Ad set.", shown: .whereUseful, \.row.adSet),
    Column("creative", "creative", "Creative.", shown: .whereUseful, \.row.creative),
    Column("country", "country", "Country.", shown: .whereUseful, \.row.country),
    Column("number", "number", "Network's own number of the campaign.", shown: .whereUseful) {
      $0.row.number.map(Identifier.init)
    },
    Column("source", "source", "Page that has a built-in name.", shown: .whereUseful, \.source),
  ]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let found =
      isBuiltIn
      ? BuiltInName.all.map { Row(row: $0.row, source: $0.source) }.filter { filter.allows($0.row) }
      : try filter.rows(in: source.reader).map { Row(row: $0, source: nil) }
    var rows = Rows.held(found, key: { NameRows.key($0.row) })
    rows.noteIfEmpty = Sentence("no names; import them with `skan names import`")
    return rows
  }
}
