package import Arguments
package import Campaigns
package import Ledger
package import Postbacks
package import Tables
package import Values

/// What Private Click Measurement reported, which is not attested.
package struct WebReport: Report {
  package var period = Period<Day>()
  package var dimensions: [WebClickDimension] = [.sourceSite, .destinationSite, .sourceID, .triggerData]
  package var sourceSites: [WebSite] = []
  package var destinationSites: [WebSite] = []

  package init() {}

  package static let name = "web"
  package static let summary = "Print web clicks by site, ad and trigger."
  package static let discussion = [
    "A web click is a conversion on a website after a click on an ad, as a browser reports it by Private Click "
      + "Measurement, which Apple also calls Web AdAttributionKit. skan receives it at the well-known path of the "
      + "devices' address, and never adds it to postbacks.",
    "Web clicks are unattested: skan does not verify the signature of a secret token, because only the site that "
      + "issued the token has the key. Anyone who knows the address can send one.",
    "Two equal reports with a secret token count once, if the first one is kept. Reports without a token count every "
      + "time, because two clicks can have equal reports. skan keeps at most 1,000 reports of a sender and 100,000 of a "
      + "day, and only counts the others. It distinguishes at most 100,000 rows a day; the others are one row without "
      + "sites.",
    "The table `not-counted` has the bodies that were rejected.",
  ]
  package static let examples: [Command.Example] = [
    .init("Print all of them", "skan report web -d skan.db"),
    .init("Print them by day and site", "skan report web -d skan.db --by day,source-site"),
  ]
  package static let pageSize: Int? = 10_000
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("by", \.dimensions, "Dimensions that rows are grouped by."),
      .init(
        "source-site", \.sourceSites, "Sites of the ads to include.", as: .init(defaultNote: "all")),
      .init(
        "destination-site", \.destinationSites, "Sites of the conversions to include.",
        as: .init(defaultNote: "all")),
    ]

  package static let columns: [Column<WebClickRow>] = [
    Column("day", "day", "UTC day of arrival.", shown: .onRequest, \.day),
    Column(
      "source-site", "source site", "Site that showed the ad; none where the day had too many rows.",
      shown: .onRequest, none: "(not distinguished)"
    ) { $0.sourceSite.map { Identifier($0) } },
    Column("destination-site", "destination site", "Site of the conversion.", shown: .onRequest) {
      $0.destinationSite.map { Identifier($0) }
    },
    Column("source-id", "source id", "Number of the ad on its site, 0 to 255.", shown: .onRequest) {
      $0.sourceID.map { Identifier("\($0)") }
    },
    Column("trigger-data", "trigger data", "Number of the conversion's kind, 0 to 15.", shown: .onRequest) {
      $0.triggerData.map { Identifier("\($0)") }
    },
    Column("version", "version", "Version of Private Click Measurement.", shown: .onRequest) {
      $0.version.map { Identifier("\($0)") }
    },
    Column("clicks", "clicks", "Web clicks, unattested.", \.clicks),
    Column("repeats", "repeats", "Further equal reports with a secret token, not in clicks.", \.repeats),
  ]
  package var shownColumns: [Column<WebClickRow>] {
    let hidden = Set(WebClickDimension.allCases.map(\.rawValue)).subtracting(dimensions.map(\.rawValue))
    return Self.columns.filter { !hidden.contains($0.header.name) }
  }

  private static let rejected = Detail<RejectedWebClicks>(
    "not-counted",
    [
      Column("reason", "reason", "Code of the reason.", \.reason),
      Column("seen", "seen", "Bodies that arrived.", \.seen),
      Column("kept", "kept", "Those of them that were kept.", \.kept),
    ])
  package static let details = [rejected.header]

  package func rows(from source: ReportSource) throws -> Rows<WebClickRow> {
    var query = WebClickQuery(
      from: period.from, to: period.to, sourceSites: sourceSites, destinationSites: destinationSites,
      dimensions: dimensions)
    let found = try source.reader.webClicks(query)
    query.dimensions = []
    let total = try source.reader.webClicks(query).first
    let hasAny = (total?.clicks ?? 0) + (total?.repeats ?? 0) > 0
    var rows = Rows.held(hasAny ? found : [], total: hasAny ? total : nil, key: \.key)
    rows.notes =
      hasAny ? ["unattested: skan verifies no signature of web clicks, and anyone can send them"] : []
    rows.noteIfEmpty = "no web clicks"
    rows.details = [
      Self.rejected.table(try source.reader.rejectedWebClicks(from: period.from, to: period.to))
    ]
    return rows
  }
}

extension WebClickDimension: ParameterValue {}

extension WebSite: ParameterValue {
  package static var kind: ValueKind { .form("the name of a site, such as example.com") }
  package static var placeholder: String { "SITE" }
  package init?(parameter text: String) { self.init(text) }
  package var parameterText: String { text }
}

extension WebClickRow {
  fileprivate var key: String {
    let parts = [
      day?.description, sourceSite, destinationSite, sourceID?.description, triggerData?.description,
      version?.description,
    ]
    return parts.map { $0 ?? "-" }.joined(separator: " ")
  }
}
