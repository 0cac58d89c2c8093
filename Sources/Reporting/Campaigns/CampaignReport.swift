package import Arguments
package import Ledger
import Postbacks
package import Tables
package import Values

package struct CampaignReport: Report {
  package var period = Period<Day>()
  package var dimensions: [ReportDimension] = [.stored(.app), .stored(.network), .stored(.campaign)]
  package var scope = Scope()
  package var conditions: [ReportCondition] = []
  package var zone = ReportingZone.utc
  package var digits: Int?
  package var currency: CurrencyCode?
  package var top: Int?
  package var tree = false
  package var subtotals = false
  package var sentNames = false
  package var share = false
  package var compare: Comparison?

  package typealias Row = CampaignTable.Line

  package init() {}

  package static let name = "campaigns"
  package static let summary = "Print conversions and revenue by app, network and campaign."
  package static let discussion = [
    "Each conversion is counted once, on the UTC day its first valid copy arrived; further copies count on their own "
      + "days. Postbacks of different environments "
      + "are never added up. The table `not-counted` has what was rejected.",
    "The conversion value is not signed by Apple: anyone who passes a postback on could have changed it.",
    "Where mappings are loaded (`skan mapping load`, `skan serve --mappings`), values are decoded: revenue low, mid and "
      + "high, for each install of any kind, and users by event. With spend (`skan spend import`) rows gain the cost "
      + "per install (eCPI) and the return on spend (ROAS, revenue by spend), and with impressions and clicks the click rate (CTR), CPM and CPC; with names (`skan names import`) what "
      + "people call the campaign, where its digits leave no doubt; else the names that fit. Spend counts in the "
      + "environment that it was imported for. The table `unmatched-spend` has spend that belongs to no row or to "
      + "several, with the reason and the nearest network, campaign, name or app.",
    "`withheld` counts winning postbacks of every window that have neither a fine nor a coarse value; `coarse withheld` "
      + "those of them whose version knows coarse values (SKAdNetwork 4, AdAttributionKit). With --app or --network, not-counted "
      + "is by what the kept bodies claim.",
    "Conditions of --where on name, ad-set, creative and named-country are met by what rows have of them: `none` is a "
      + "campaign without a name, `ambiguous` one whose digits several names fit. In a name, * stands for a comma or a "
      + "semicolon, too.",
    "By name, ad-set, creative or named-country rows have what imported names call a campaign on the days when the "
      + "apps were launched first, as Apple's timers allow. A row 'ambiguous' has digits that several names fit, and a "
      + "row without a name those of none. Spend counts by the name of its day.",
    "With --tree each conversion is in exactly one row whose `subtotal` is no: of all four digits (`4-digits`), of those "
      + "that arrived when Apple sent fewer (`2-digits-only`, `3-digits-only`), or of a `campaign-id`. The other rows, "
      + "and those of --subtotals, add these up, so never add both. --sort sorts the parts of each sum.",
    "Publisher, country, marketplace, interaction and tier are facts of single postbacks that Apple sends only above "
      + "its privacy thresholds, mostly in the first window; rows without one stand for all postbacks that lack it. The "
      + "country is not signed. The tier is inferred. By these, and by days of another clock than UTC, copies are not "
      + "counted.",
  ]
  package static let examples: [Command.Example] = [
    .init("Count November by campaign", "skan report campaigns -d skan.db --from 2026-11-01 --to 2026-12-01"),
    .init(
      "Print by day and network, for a spreadsheet",
      "skan report campaigns -d skan.db --by day,network --format csv"),
    .init(
      "Print installs by publisher and country, for days of Berlin",
      "skan report campaigns -d skan.db --by publisher,country --where outcome=install --time-zone Europe/Berlin"
    ),
  ]
  package static let pageSize: Int? = 10_000
  package static let rank = "postbacks"
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [.init("by", \.dimensions, "Dimensions that rows are grouped by.")]
    + Parameter.all(of: \.scope) + [
      .init(
        "where", \.conditions,
        "Postbacks to count: DIMENSION=VALUE,... keeps, DIMENSION!=VALUE,... drops; * is any text, none is a postback "
          + "without the dimension. Conditions joined with ';' must all match.",
        as: .init(defaultNote: "all")
      ) { (report) throws(ParameterError) in
        for condition in report.conditions { _ = try condition.meaning() }
      },
      .init(
        "time-zone", \.zone,
        "Clock that days, weeks and months follow: UTC, an offset such as +05:30, or a name such as Europe/Berlin."
      ),
      .init(
        "digits", \.digits,
        "Last digits of a source identifier that campaigns are grouped by.",
        in: 2...4, as: .init(defaultNote: "all")),
      .init(
        "currency", \.currency,
        "Currency to convert amounts to, by the rates of `skan rates import`; amounts without a rate stay as they are."
      ),
      .init(
        "top", \.top,
        "Maximum number of rows: the first by --sort, or those with the most postbacks. One more row sums the rest.",
        in: 1...1_000_000, as: .init(defaultNote: "all")),
      .init(
        "tree", \.tree,
        "Print an outline: network, then the last two, three and four digits of the source identifier. Postbacks with "
          + "fewer digits have rows of their own."
      ) { (report) throws(ParameterError) in try report.checkTree() },
      .init(
        "subtotals", \.subtotals, "Also print a sum for each value of the first dimension of --by."
      ) { (report) throws(ParameterError) in try report.checkSubtotals() },
      .init(
        "sent-names", \.sentNames,
        "Also print the only name that networks sent beside the newest postbacks of a campaign without an imported name; no "
          + "signature covers it."
      ) { (report) throws(ParameterError) in try report.checkSentNames() },
      .init(
        "share", \.share, "Also print each row's share of the total's postbacks, installs, revenue and spend."
      ),
      .init(
        "compare", \.compare,
        "Days to compare --from and --to with: previous for as many days directly before, or FROM..TO.",
        as: .init(defaultNote: "none")
      ) { (report) throws(ParameterError) in
        _ = try report.compare?.days(for: report.period, by: report.stored)
      },
    ]

  private static let rejections = Detail<RejectionCount>(
    "not-counted",
    [
      Column("state", "state", "Why it was rejected.") { $0.state.rawValue },
      Column("reason", "reason", "Code of the reason.", \.reason),
      Column("seen", "seen", "Bodies that arrived.", \.seen),
      Column("kept", "kept", "Those of them that are kept.", \.kept),
    ])
  private static let unmatched = Detail<Unmatched>(
    "unmatched-spend", Unmatched.columns, mostForPeople: Unmatched.mostForPeople)
  package static let details = [rejections.header, unmatched.header]

  private var stored: [CampaignDimension] {
    dimensions.compactMap { if case .stored(let dimension) = $0 { dimension } else { nil } }
  }
  private var naming: [NameDimension] {
    dimensions.compactMap { if case .named(let dimension) = $0 { dimension } else { nil } }
  }

  package func rows(from source: ReportSource) throws -> Rows<Row> { try rows(from: source, for: .all) }

  package func rows(from source: ReportSource, for parts: AnswerParts) throws -> Rows<Row> {
    let conditions = try conditions.map { try $0.meaning() }
    let query = CampaignQuery(
      environment: scope.environment, from: period.from, to: period.to, zone: zone, apps: scope.apps,
      networks: scope.networks,
      conditions: conditions.compactMap { if case .stored(let condition) = $0 { condition } else { nil } },
      dimensions: stored, digits: digits)
    let naming = CampaignNaming(
      order: dimensions,
      conditions: conditions.compactMap { if case .named(let condition) = $0 { condition } else { nil } })
    let (table, earlier) = try tables(query, naming, from: source.reader, for: parts)
    let total = CampaignTable.Line(totalOf: table, comparedWith: earlier)
    var lines = table.lines(comparedWith: earlier)
    if sentNames, parts.contains(.names) {
      let sent = try RecentSentNames(of: scope.environment, from: source.reader)
      lines = lines.map { $0.named(by: sent) }
    }
    if tree { lines = CampaignOutline.tree(lines, by: stored, of: table) }
    if subtotals, let first = dimensions.first {
      lines = CampaignOutline.subtotals(lines, by: first, of: table)
    }
    var rows = Rows.held(lines, total: total, key: \.key)
    if tree || subtotals { rows.depth = { $0.outline?.depth ?? 0 } }
    rows.keyed = [total]
    rows.sum = { CampaignTable.Line(sumOf: $0, of: table) }
    guard parts.contains(.notes) else { return rows }
    rows.notes = table.notes + (earlier.map { table.notes(comparedWith: $0) } ?? [])
    rows.details = [
      Self.rejections.table(table.rejections),
      Self.unmatched.table(table.spending.unmatchedRows),
    ]
    return rows
  }

  /// - Throws: ``ParameterError`` where there is no tree of what was asked for.
  private func checkTree() throws(ParameterError) {
    guard tree else { return }
    guard stored.contains(.network), stored.contains(.campaign) else {
      throw ParameterError(
        "tree",
        Sentence(
          "found without network or campaign in --by, and a tree has both. Add network,campaign to --by."))
    }
    if let name = naming.first {
      throw ParameterError(
        "tree",
        Sentence(
          "found with \(code: name.rawValue) in --by; a tree has its digits' names in columns. Leave it out of --by."
        ))
    }
    if let digits {
      throw ParameterError(
        "tree",
        Sentence("found with --digits \(digits), and a tree has all digits. Leave one of them out."))
    }
    if subtotals {
      throw ParameterError(
        "tree",
        Sentence("found with --subtotals, and a tree has sums of every level. Leave one of them out."))
    }
    try checkTop("tree")
  }

  /// - Throws: ``ParameterError`` where there are no subtotals of what was asked for.
  private func checkSubtotals() throws(ParameterError) {
    guard subtotals else { return }
    guard dimensions.count > 1 else {
      throw ParameterError(
        "subtotals",
        Sentence("found with one dimension, whose rows are the sums. Give --by two or more."))
    }
    try checkTop("subtotals")
  }

  /// - Throws: ``ParameterError`` where rows are not of single campaigns.
  private func checkSentNames() throws(ParameterError) {
    guard sentNames, !hasNames || !dimensions.contains(.stored(.app)) else { return }
    throw ParameterError(
      "sent-names",
      Sentence(
        "found without app, network and campaign in --by, or with a name in it. Group by app, network and campaign."
      ))
  }

  private func checkTop(_ name: String) throws(ParameterError) {
    guard let top else { return }
    throw ParameterError(
      name, Sentence("found with --top \(top), which leaves out parts of sums. Leave one of them out."))
  }

  private func tables(
    _ query: CampaignQuery, _ naming: CampaignNaming, from reader: LedgerReader, for parts: AnswerParts
  ) throws -> (current: CampaignTable, earlier: CampaignTable?) {
    guard let days = try compare?.days(for: period, by: stored) else {
      return (try CampaignTable(query, by: naming, into: currency, from: reader, for: parts), nil)
    }
    let (current, earlier) = try CampaignTable.compared(
      query, by: naming, with: days, into: currency, from: reader, for: parts)
    return (current, earlier)
  }
}

extension CampaignDimension: ParameterValue {}
