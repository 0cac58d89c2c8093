import Arguments
import Campaigns
import EstimateReports
import Estimates
import Ledger
import Markup
import Pages
import Tables
import Values

/// How many values are withheld, against the size of campaigns, and where that changed.
struct NullsScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var digits = 2
  var sort = "-postbacks"
  var columns: [NullColumn] = []
  var page = 1
  var format: Format?

  static let path = "/withheld"
  static let isOfApps = true
  static let isOfNetworks = true
  static let place: NavigationPlace? = NavigationPlace(.measure, 5)
  static let rowsOfPage = 100
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("digits", \.digits, "Last digits of a source identifier.", in: 2...4),
      .init("sort", \.sort, "Column to sort by."),
      .init("columns", \.columns, "Columns to show, in their order."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.nullsTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    var report = NullReport()
    report.period.from = days.lowerBound
    report.period.to = days.upperBound
    report.scope = scope
    report.digits = digits
    let answer = try report.answer(from: context.source, sort: [sort])
    if let format {
      let table = ReportTable(answer.rows, [], of: answer.rows.named, texts)
      return .file("withheld", format, table.text(format, columns(table, answer.rows, context)))
    }
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.digits(digits)
    form.columns(
      "columns", chosen(answer.rows).map(\.rawValue),
      NullColumn.allCases.map { ($0.rawValue, $0.title(texts)) })
    let filters = form.markup(summary: days.label, dropping: ["last", "page"])
    let rows = answer.rows.named
    guard !rows.isEmpty else {
      let body = try NothingHere.markup(context, scope)
      return .page(
        Page(texts.nullsTitle, scope: texts.nullsScope(days: days.markup), body: "\(filters)\(body)"))
    }
    return .page(
      Page(
        texts.nullsTitle, scope: texts.nullsScope(days: days.markup), actions: context.fileLinks,
        body: """
          \(filters)\(figures(rows, answer, texts))<div class="two"><div class="stack">\(chart(rows, answer, context))</div>\
          <div class="stack">\(changes(answer, context))\(kinds(rows, context))</div></div>\(table(answer, context))\
          \(Panel.notes(answer.notes, texts))
          """))
  }

  // MARK: Figures

  private func figures(_ rows: [NamedCells], _ answer: ReportAnswer, _ texts: Texts) -> HTML {
    let (all, nulls) = rows.reduce((Int64(0), Int64(0))) {
      ($0.0 + $1.count("postbacks"), $0.1 + $1.count("nulls"))
    }
    let share = all > 0 ? Double(nulls) / Double(all) : 0
    let bounds = Interval(shareOf: Double(nulls), in: Double(all))
    let evidence = answer.detail("evidence")?.named.first
    let threshold: HTML =
      evidence?["threshold"].number.map { Marks.number($0, 0, exact: 3) }
      ?? texts.nullsNoThreshold
    let interval: HTML =
      evidence?["threshold.range"].bounds.map { low, high in
        texts.markInterval(
          range: Marks.range("\(fixed(low.units, 0))", "\(fixed(high.units, 0))"))
      } ?? ""
    let fewest: HTML = evidence?["fewest-users"].integer.map { Marks.count($0) } ?? Marks.none(texts)
    return Panel.figures(
      [
        Panel.figure(
          texts.overviewWithheld, Marks.share(share),
          texts.markInterval(range: Marks.shares(bounds.low, bounds.high)),
          more: "<dd class=\"wh\">\(Marks.withheldBar(share, low: bounds.low, high: bounds.high))</dd>"),
        Panel.figure(texts.nullsThreshold, threshold, texts.nullsThresholdNote, interval),
        Panel.figure(texts.nullsFewest, fewest, texts.nullsFewestNote),
      ], label: texts.overviewFigures)
  }

  // MARK: Panels

  /// The share of withheld values of each campaign against its size.
  private func chart(_ rows: [NamedCells], _ answer: ReportAnswer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    var chart = ScatterChart(x: texts.nullsSize, y: texts.columnWithheld)
    let days = Double(span.days(at: context.now).length)
    for row in rows.prefix(60) {
      guard let share = row["null-share"].number else { continue }
      let bounds = row["null-share.range"].bounds
      let size = Double(row.count("postbacks")) / days
      let link = CampaignName.address(row, from: context.address)
      let name = row.text("campaign") ?? ""
      chart.point(
        x: size, y: share,
        range: (bounds?.low.units ?? 0)...(bounds?.high.units ?? 1),
        link: link.text,
        label: texts.nullsPoint(
          campaign: "\(row.text("name") ?? name)", share: "\(Marks.shareText(share))",
          size: "\(Marks.local(trimmed(size, 1)))"), name: name)
    }
    if let threshold = answer.detail("evidence")?.named.first?["threshold"].number {
      chart.upright(threshold)
    }
    let legend = Panel.legend([
      (.bar("f1"), texts.nullsLegendCampaign), (.line("mark"), texts.nullsThreshold),
    ])
    return Panel.section(
      "size", texts.nullsChart, note: texts.nullsChartNote,
      "<figure>\(legend)\(chart.markup(label: texts.nullsChart))</figure>")
  }

  private func changes(_ answer: ReportAnswer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let rows = answer.detail("changes")?.named ?? []
    let items = rows.prefix(8).map { row -> HTML in
      let day = row.text("day").flatMap { Day($0) }
      let link = CampaignName.address(row, from: context.address)
      let sentence = texts.nullsChange(
        before: Marks.share(row["share-before"].number ?? 0),
        after: Marks.share(row["share-after"].number ?? 0),
        day: day.map { Marks.day($0, hasYear: true) } ?? "")
      return """
        <li><div class="row"><a href="\(link.text)"><bdi>\(row.text("name") ?? row.text("campaign") ?? "")</bdi></a>\
        <span class="soft xs">\(context.called.shortNetwork(row.text("network") ?? ""))</span></div><p>\(sentence)</p></li>
        """
    }
    let list: HTML =
      items.isEmpty
      ? "<p class=\"below soft\">\(texts.nullsNoChange)</p>" : "<ul class=\"list\">\(items.joined())</ul>"
    return Panel.section("changes", texts.nullsChanges, flush: true, list)
  }

  /// The kinds of values that are no fine value, which must not be mixed up.
  private func kinds(_ rows: [NamedCells], _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let days = span.days(at: context.now)
    func sum(_ name: String, value: String? = nil) -> HTML {
      let count = rows.reduce(0) { $0 + $1.count(name) }
      guard let value else { return Marks.count(count) }
      return context.address.count(count, days, [("window", "1"), ("value", value), ("digits", nil)])
    }
    return Panel.section(
      "kinds", texts.nullsKinds,
      Panel.list([
        (texts.columnWithheld, "\(sum("nulls", value: "none")) · \(texts.nullsKindWithheld)"),
        (texts.nullsCoarse, "\(sum("coarse")) · \(texts.nullsKindCoarse)"),
        (texts.nullsZero, "\(sum("zeroes", value: "0")) · \(texts.nullsKindZero)"),
        (texts.columnUnmapped, "\(sum("unmapped")) · \(texts.nullsKindUnmapped)"),
      ]))
  }

  private func table(_ answer: ReportAnswer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let rows = answer.rows.named
    let page = Panel.page(page, of: Self.rowsOfPage, rows, context.address, texts)
    return Panel.section(
      "table", texts.nullsTable, note: texts.campaignsCount(count: rows.count),
      columns: columns(ReportTable(answer.rows, page.rows, texts), answer.rows, context),
      sorted: (sort, context.address),
      below: page.links, texts)
  }

  /// The columns to show: those that were asked for, or the usual ones.
  private func chosen(_ report: Table) -> [NullColumn] {
    guard columns.isEmpty else { return columns }
    let apps = Set(report.named.lazy.compactMap { $0.text("app") }.prefix(500))
    return NullColumn.allCases.filter { $0 != .app || apps.count > 1 }
  }

  private func columns(_ table: ReportTable, _ report: Table, _ context: ScreenContext) -> [DataTable.Column]
  {
    let (texts, source) = (context.texts, context.address)
    let days = span.days(at: context.now)
    /// A count that leads to its postbacks, those of a value or all.
    func linked(_ column: NullColumn, value: String? = nil) -> DataTable.Column {
      table.counts(column.rawValue, column.title(texts)) { row in
        source.postbacks(
          days,
          [
            ("app", row.text("app")), ("network", row.text("network")), ("campaign", row.text("campaign")),
            ("digits", "\(digits)"), ("window", "1"), ("value", value),
          ])
      }
    }
    let campaign = table.column(
      "campaign", texts.columnCampaign, fields: ["app", "network", "campaign", "name", "name-candidates"],
      isNumber: false
    ) { CampaignName.markup($0, hasNetwork: false, context) }
    return [campaign]
      + chosen(report).map { column in
        switch column {
        case .app: table.app(column.title(texts), context.called)
        case .network: table.network(column.title(texts), context.called)
        case .postbacks: linked(column)
        case .nulls: linked(column, value: "none")
        case .share:
          table.column(column.rawValue, column.title(texts), style: "n wh") { Self.share($0, texts) }
        case .zeroes: linked(column, value: "0")
        case .coarse, .unmapped: table.column(column.rawValue, column.title(texts))
        }
      }
  }

  private static func share(_ row: NamedCells, _ texts: Texts) -> HTML {
    guard let share = row["null-share"].number, let bounds = row["null-share.range"].bounds else {
      return Marks.none(texts)
    }
    let (low, high) = (bounds.low.units, bounds.high.units)
    return """
      \(Marks.share(share))\(Marks.shares(low, high, isBelow: true))\(Marks.withheldBar(share, low: low, high: high))
      """
  }
}
