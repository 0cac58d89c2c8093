package import Arguments
package import Campaigns
package import Ledger
package import Mappings
import Postbacks
package import Tables
package import Values

/// Every stored conversion with what its value means.
package struct PostbackReport: Report {
  package var period = Period<Instant>()
  package var scope = Scope()

  package init() {}

  package static let name = "postbacks"
  package static let summary = "Print every stored conversion with what its value means."
  package static let discussion = [
    "One row for each conversion, made of its first valid copy, in order of arrival. A value is decoded by the version "
      + "of its app's mapping that was in force at first launch. Versions that cannot send the value are left out. "
      + "Where several are left, certainty is mixed and amounts are expected ones. Development postbacks then count by "
      + "the newest, and certainty is newest.",
    "adds-up is false where the mapping counts a later window since install, so that the first window's money and "
      + "events are in it.",
    "Rows come out while the database is read. Ctrl-C ends it after a whole row.",
  ]
  package static let examples: [Command.Example] = [
    .init("Print for a spreadsheet", "skan report postbacks -d skan.db --format csv > postbacks.csv"),
    .init("Print one day", "skan report postbacks -d skan.db --from 2026-11-20 --to 2026-11-21"),
  ]
  package static let pageSize: Int? = 1000
  package static let isStreamed = true
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope)

  /// A conversion with what several columns need, found out once.
  package struct Row: Sendable {
    package let decoded: DecodedPostback
    let worth: Expectation.Worth?
    let launch: (earliest: Instant, latest: Instant)
    let versions: [DecodedPostback.Version]

    init(_ decoded: DecodedPostback) {
      self.decoded = decoded
      worth = decoded.worth
      launch = decoded.launch
      versions = decoded.versions
    }

    package var postback: PostbackRow { decoded.postback }
    /// The revenue; `nil` where there is none, or some in several currencies.
    package var money: RevenueEstimate? {
      guard let money = worth?.revenue, money.count == 1 else { return nil }
      return money[0]
    }
    /// The rules that can have set the value, in all versions.
    package var rule: Sentence? {
      let labels = versions.compactMap(\.label)
      return labels.isEmpty ? nil : .joined(labels, by: " | ")
    }
  }

  package static let window = Column<Row>("window", "window", "Conversion window, 1 to 3.") {
    $0.postback.window.rawValue + 1
  }
  package static let outcome = Column<Row>("outcome", "outcome", "What happened.") {
    $0.postback.outcome.rawValue
  }
  package static let value = Column<Row>("value", "value", "Fine conversion value.", \.postback.fine)
  package static let meaning = Column<Row>(
    "meaning", "meaning",
    "What became of the value: `decoded`, `zero`, `null`, `unmapped`, `impossible`, `none-expected` or `no-mapping`.",
    \.decoded.status.rawValue)
  package static let revenue = Column<Row>(
    "revenue-mid", "revenue", "Revenue that stands for the value."
  ) { $0.money?.representative }
  package static let route = Column<Row>(
    "route", "route", "Way by which the first copy came.", shown: .forPrograms
  ) { $0.postback.origin.route.rawValue }

  package static let columns: [Column<Row>] = [
    Column("received-at", "received", "When the first valid copy arrived.", \.postback.receivedAt),
    Column("environment", "environment", "Environment whose key signed it.", shown: .forPrograms) {
      $0.postback.environment.rawValue
    },
    Column("version", "version", "Version of the protocol.", shown: .forPrograms) {
      $0.postback.version.rawValue
    },
    Column("app", "app", "App Store number of the advertised app.") {
      Identifier("\($0.postback.app.number)")
    },
    Column("network", "network", "Ad network.") { Identifier($0.postback.network) },
    Column("campaign", "campaign", "Campaign's digits.") { Identifier($0.postback.campaign) },
    window, outcome,
    Column(
      "interaction", "interaction", "Whether the ad was seen or acted upon, where that is known.",
      shown: .forPrograms
    ) { $0.postback.interaction?.rawValue },
    Column(
      "country", "country", "Country as two letters, or other, where the postback has one.",
      shown: .forPrograms, \.postback.country),
    Column(
      "publisher", "publisher", "App Store number or domain of the app or page with the ad.",
      shown: .forPrograms
    ) { $0.postback.publisher.map(Identifier.init) },
    Column("marketplace", "marketplace", "Marketplace that the app came from.", shown: .forPrograms) {
      $0.postback.marketplace.map(Identifier.init)
    },
    Column(
      "tier", "tier", "Apple's postback data tier, inferred from the fields that came.", shown: .forPrograms
    ) { $0.postback.tier?.rawValue },
    value,
    Column("coarse", "coarse", "Coarse conversion value.", shown: .whereUseful, \.postback.coarse),
    meaning,
    Column(
      "certainty", "certainty", "How sure the mapping's version is: certain, mixed or newest.",
      \.decoded.certainty),
    Column("mapping", "mapping", "Versions of the mapping that are possible.", shown: .forPrograms) {
      row -> String? in
      row.versions.isEmpty ? nil : row.versions.map { "\($0.name) (\($0.from))" }.joined(separator: " | ")
    },
    Column("rule", "rule", "Rules that can have set the value.", \.rule),
    Column("events", "events", "Events that the value stands for.", shown: .forPrograms) { row in
      row.worth?.events.map(\.name) ?? []
    },
    Column("currency", "currency", "Currency of the revenue, where there is one.") {
      $0.money?.currency.text
    },
    Column("revenue-low", "revenue low", "Least revenue; none for no limit.", shown: .forPrograms) {
      $0.money?.low
    },
    revenue,
    Column("revenue-high", "revenue high", "Most revenue; none for no limit.", shown: .forPrograms) {
      $0.money?.high
    },
    Column(
      "adds-up", "adds up", "Whether money and events are not in another window's row already.",
      shown: .forPrograms,
      \.decoded.addsUp),
    Column(
      "launch-earliest", "launch from", "Earliest moment of the first launch.", shown: .forPrograms
    ) { $0.launch.earliest },
    Column(
      "launch-latest", "launch to", "Latest moment of the first launch.", shown: .forPrograms
    ) { $0.launch.latest },
    route,
    Column("id", "id", "transaction-id or postback-identifier.") { Identifier($0.postback.identifier) },
    .records("mappings", "Versions of the mapping that are possible.", versions) { $0.versions },
    .records("event-estimates", "Events that the value stands for.", events) { $0.worth?.events ?? [] },
    .records("revenues", "Revenue by currency.", revenues) { $0.worth?.revenue ?? [] },
  ]
  private static let versions: [Column<DecodedPostback.Version>] = [
    Column("name", "name", "Name of the mapping.", \.name),
    Column("effective-from", "from", "When the version came into force.", \.from),
    Column("probability", "probability", "How likely the version is.") { Share($0.probability) },
    Column("rule", "rule", "Rules that can have set the value.", \.label),
  ]
  private static let events: [Column<Expectation.EventEstimate>] = [
    Column("event", "event", "Name of the event.", \.name),
    Column("probability", "probability", "How likely the user did it.") { Share($0.probability) },
    Column("min", "min", "Least number of times.", \.min),
    Column("max", "max", "Most times; none for no limit.", \.max),
  ]
  private static let revenues: [Column<RevenueEstimate>] = [
    Column("currency", "currency", "Currency.") { $0.currency.text },
    Column("revenue-low", "low", "Least revenue; none for no limit.", \.low),
    Column("revenue-mid", "mid", "Revenue that stands for the value.", \.representative),
    Column("revenue-high", "high", "Most revenue; none for no limit.", \.high),
  ]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let query = PostbackQuery(period, scope)
    var rows = Rows<Row>.stream {
      RowPlace(row: $0.postback.row, part: 0)
    } _: { place, body in
      try source.reader.forEachDecoded(query, after: place?.row ?? 0) { body(Row($0)) }
    }
    rows.notes = scope.environment.notes
    rows.noteIfEmpty = Sentence("no postbacks")
    return rows
  }
}
