import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Tables
import Values

/// One campaign: its days, windows, values, and where its conversions come from.
struct CampaignScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var campaign: String?
  /// How many last digits distinguish campaigns; `nil` for as many as postbacks have.
  var digits: Int?
  var format: Format?
  var table = SavedTable.days

  /// The table that a file has.
  enum SavedTable: String, CaseIterable, ParameterValue {
    case days, windows, outcome, interaction, country, publisher, version

    var dimension: CampaignDimension {
      switch self {
      case .days: .day
      case .windows: .window
      case .outcome: .outcome
      case .interaction: .interaction
      case .country: .country
      case .publisher: .publisher
      case .version: .version
      }
    }
  }

  static let path = "/campaign"
  static let isOfApps = true
  static let isOfNetworks = true
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("digits", \.digits, "Last digits of a source identifier that distinguish campaigns.", in: 2...4),
      .init("campaign", \.campaign, "Digits of the campaign.") { (screen) throws(ParameterError) in
        try CampaignName.check(screen.campaign)
      }, .init("format", \.format, "File to save instead of a page."),
      .init("table", \.table, "Table that the file has."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.campaignTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    // Estimates rest on all networks, so viewers of some have the page of what arrived.
    let list: Screen = context.viewer.limit.networks.isEmpty ? CampaignsScreen.self : ArrivedScreen.self
    guard let campaign else {
      return .redirect(context.address.moved(to: list.path, keeping: DaySpan.names))
    }
    let texts = context.texts
    let days = span.days(at: context.now)
    if let format {
      let report = report(
        context, days, by: [.stored(table.dimension)], where: table == .days ? ["window=1"] : [])
      return .file("campaign-\(table.rawValue)", format, try report.text(format, from: context.source))
    }
    let title = texts.campaignHeading(digits: "<bdi>\(campaign)</bdi>")
    let listed = context.address.moved(
      to: list.path, keeping: DaySpan.names.union(["environment", "app"]))
    let scopeLine: HTML = """
      <a href="\(listed.text)">\(list.title(texts))</a> · \
      \((scope.apps.map { context.called.app($0.number) } + scope.networks.map { context.called.network($0.canonical) }).joined(separator: ", ")) · \(days.markup)
      """
    let filters = context.filters(span, scope, apps: []).markup(summary: days.label, dropping: ["last"])
    let whole = try report(context, days, by: [.stored(.network), .stored(.campaign)]).answer(
      from: context.source)
    guard let total = whole.total, total.counts.postbacks > 0 else {
      return .page(
        Page(
          title, scope: scopeLine,
          body: "\(filters)\(try NothingHere.markup(context, scope, campaign: campaign))"))
    }
    let first = try report(context, days, by: [.stored(.day)], where: ["window=1"]).answer(
      from: context.source)
    let called = whole.rows.first.map { CampaignName.called($0.place) } ?? ""
    return .page(
      Page(
        title, scope: "\(called) \(scopeLine)", actions: context.copyLink, scripts: [.chartScript],
        body: """
          \(filters)\(figures(total, first.total, context, days))\
          <div class="two"><div class="stack">\(try chart(first.rows, days, context))\(try windows(context, days))\
          \(values(first.total, days, context))</div><div class="stack">\(try parts(context, days))</div></div>
          """))
  }

  private func report(
    _ context: ScreenContext, _ days: Range<Day>, by dimensions: [ReportDimension],
    where conditions: [String] = []
  ) -> CampaignReport {
    var report = context.campaigns(
      days, scope, by: dimensions, where: conditions + ["campaign=\(campaign ?? "")"])
    report.digits = digits
    return report
  }

  private func figures(
    _ total: CampaignTable.Line, _ first: CampaignTable.Line?, _ context: ScreenContext, _ days: Range<Day>
  ) -> HTML {
    let (texts, address) = (context.texts, context.address)
    var cards = [
      Panel.figure(
        texts.overviewConversions, address.count(first?.counts.postbacks ?? 0, days, [("window", "1")]),
        texts.campaignAllWindows(number: address.count(total.counts.postbacks, days)))
    ]
    if let first, let withheld = Withheld(first) {
      cards.append(
        withheld.figure(link: address.postbacks(days, [("window", "1"), ("value", "none")]), texts))
    }
    let revenue = RevenueCell.figure(total, title: texts.overviewRevenue, texts)
    if !revenue.text.isEmpty { cards.append(revenue) }
    let conflicts = Marks.count(total.counts.conflicts ?? 0)
    cards.append(
      Panel.figure(
        texts.columnConflicts, conflicts,
        texts.campaignConflicts(copies: Marks.count(total.counts.repeats ?? 0), conflicts: conflicts)))
    return Panel.figures(cards, label: texts.overviewFigures)
  }

  private func chart(
    _ rows: [CampaignTable.Line], _ days: Range<Day>, _ context: ScreenContext
  ) throws -> HTML {
    let (texts, address) = (context.texts, context.address)
    let byDay = rows.byDay
    let all = days.all
    let counts = all.map { byDay[$0]?.counts.postbacks ?? 0 }
    let nulls = all.map { byDay[$0]?.counts.valueNull ?? 0 }
    var chart = SeriesChart(all.map { Marks.shortDay($0) }, most: Double(counts.max() ?? 0))
    chart.style = { Marks.local($0) }
    chart.bars(counts.map { Double($0) })
    // The withheld part of each bar, hatched, so that it does not count on colour.
    chart.bars(nulls.map { $0 > 0 ? Double($0) : nil }, style: "hf")
    let marks = try DayMarks(all, scope, campaign: campaign, context)
    chart.marks(marks.places)
    let view = Panel.table(
      texts.overviewByDay,
      [
        .init(texts.columnArrivalDay, isNumber: false, all.map { Marks.day($0) }),
        .init(
          texts.columnConversions,
          zip(all, counts).map { address.count($1, $0..<$0.next, [("window", "1")]) }),
        .init(
          texts.columnWithheld,
          zip(all, nulls).map { address.count($1, $0..<$0.next, [("window", "1"), ("value", "none")]) }),
      ], texts)
    return Panel.section(
      "days", texts.overviewByDay, note: texts.overviewByDayNote,
      link: context.csv(of: SavedTable.days.rawValue),
      Panel.chart(
        "days",
        legend: [(.bar("f1"), texts.columnConversions), (.bar("hf"), texts.columnWithheld)] + marks.legend,
        chart.markup(label: texts.overviewChartLabel(days: days.label)), slider: texts.columnArrivalDay,
        count: all.count, table: view, below: marks.list, texts))
  }

  private func windows(_ context: ScreenContext, _ days: Range<Day>) throws -> HTML {
    let texts = context.texts
    let answer = try report(context, days, by: [.stored(.window)]).answer(from: context.source)
    let rows = answer.rows + (answer.total.map { [$0] } ?? [])
    func window(_ row: CampaignTable.Line) -> String? { row.found(\.window).map { "\($0.rawValue + 1)" } }
    func count(
      _ column: Column<CampaignTable.Line>, _ title: HTML, value: String? = nil
    ) -> ReportColumn<CampaignTable.Line> {
      .counts(column, title, texts) { row in
        context.address.postbacks(days, [("window", window(row)), ("value", value)])
      }
    }
    let windows = DataTable.Column(
      texts.filterWindow, isNumber: false,
      rows.map { row in window(row).map { "\($0)" } ?? texts.tableTotal })
    let counts = [
      count(CampaignReport.postbacks, texts.columnConversions),
      count(CampaignReport.withheld, texts.nullsCount, value: "none"),
      ReportColumn(CampaignReport.positive, texts.campaignFine),
      count(CampaignReport.zero, texts.nullsZero, value: "0"),
      count(CampaignReport.coarseLow, texts.campaignCoarseLow, value: "low"),
      count(CampaignReport.coarseMedium, texts.campaignCoarseMedium, value: "medium"),
      count(CampaignReport.coarseHigh, texts.campaignCoarseHigh, value: "high"),
    ]
    let revenue = ReportColumn.currencies(
      CampaignReport.revenueMid, texts.columnRevenue, style: "iv", of: answer, found: rows
    ) { RevenueCell.markup($0, $1, texts) }
    return Panel.section(
      "windows", texts.campaignWindows, link: context.csv(of: SavedTable.windows.rawValue),
      columns: [windows] + (counts + revenue).of(rows, texts), hasTotal: answer.total != nil, texts)
  }

  /// The values of window 1 that arrived, the most frequent first.
  private func values(
    _ total: CampaignTable.Line?, _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    let (texts, address) = (context.texts, context.address)
    guard let fine = total?.counts.fine else { return "" }
    var counts: [(value: Int, count: Int64)] = []
    for value in 0...63 {
      let count = fine[value]
      if count > 0 { counts.append((value, count)) }
    }
    counts.sort { $0.count > $1.count }
    guard let most = counts.first?.count else { return "" }
    let all: Int64 = counts.reduce(0) { $0 + $1.count }
    let shown = counts.prefix(12)
    return Panel.section(
      "values", texts.campaignValues, note: texts.campaignValuesNote(number: Marks.count(all)),
      columns: [
        .init(texts.campaignValue, isNumber: false, shown.map { "\($0.value)" }),
        .init(
          texts.columnConversions,
          shown.map { address.count($0.count, days, [("window", "1"), ("value", "\($0.value)")]) }),
        .init(texts.campaignShare, shown.map { Marks.share(Double($0.count) / Double(all)) }),
        .init(
          texts.campaignBar, isNumber: false,
          shown.map { _, count in
            """
            <svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true"><rect class="bg" width="100" \
            height="12"/><rect class="f1" width="\(trimmed(Double(count) * 100 / Double(most), 1))" height="12"/></svg>
            """
          }),
      ], texts)
  }

  /// Small tables of where conversions come from.
  private func parts(_ context: ScreenContext, _ days: Range<Day>) throws -> HTML {
    let (texts, address) = (context.texts, context.address)
    let parts: [(dimension: CampaignDimension, title: HTML)] = [
      (.outcome, texts.campaignOutcomes), (.interaction, texts.campaignInteractions),
      (.country, texts.campaignCountries), (.publisher, texts.campaignPublishers),
      (.version, texts.campaignVersions),
    ]
    return try parts.map { part -> HTML in
      let rows = try report(context, days, by: [.stored(part.dimension)])
        .answer(from: context.source, sort: CampaignReport.postbacks.descending).rows.prefix(8)
      let name = part.dimension.rawValue
      guard !rows.isEmpty else { return "" }
      return Panel.section(
        name, part.title, link: context.csv(of: name),
        columns: [
          .init(
            part.title, isNumber: false,
            rows.map { row in row.word(part.dimension).map { "<bdi>\($0)</bdi>" } ?? texts.campaignNone }),
          .init(
            texts.columnConversions,
            rows.map { row in
              // Of these, postbacks can be looked for by what happened alone.
              part.dimension == .outcome
                ? address.count(row.counts.postbacks, days, [(name, row.word(part.dimension))])
                : Marks.count(row.counts.postbacks)
            }),
        ], texts)
    }.joined()
  }
}
