import Arguments
import Ledger
import Markup
import Pages
import Reporting
import Tables
import Values

/// One campaign: its days, windows, values, and where its conversions come from.
struct CampaignScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var campaign: String?

  static let path = "/campaign"
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("campaign", \.campaign, "Digits of the campaign.") { (screen) throws(ParameterError) in
        guard let campaign = screen.campaign, Int64(campaign) == nil else { return }
        throw ParameterError("campaign", "found '\(printable(campaign))'; use the digits of a campaign.")
      }
    ]

  static func title(_ texts: Texts) -> HTML { texts.campaignTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    guard let campaign else {
      return .redirect(context.address.moved(to: CampaignsScreen.path, keeping: DaySpan.names))
    }
    let texts = context.texts
    let days = span.days(at: context.now)
    let title = texts.campaignHeading(digits: "<bdi>\(campaign)</bdi>")
    let list = context.address.moved(
      to: CampaignsScreen.path, keeping: DaySpan.names.union(["environment", "app"]))
    let scopeLine: HTML = """
      <a href="\(list.text)">\(texts.campaignsTitle)</a> · \
      \(scope.networks.map { network -> HTML in "<bdi>\(network.parameterText)</bdi>" }.joined(separator: ", ")) · \(days.markup)
      """
    let filters = context.filters(span, scope, apps: []).markup(summary: days.label, dropping: ["last"])
    let whole = try report(context, days, by: [.stored(.network), .stored(.campaign)]).answer(
      from: context.source
    ).rows
    guard let total = whole.namedTotal, total.count("postbacks") > 0 else {
      return .page(
        Page(
          title, scope: scopeLine,
          body: "\(filters)\(try NothingHere.markup(context, scope, campaign: campaign))"))
    }
    let first = try report(context, days, by: [.stored(.day)], where: ["window=1"]).answer(
      from: context.source
    ).rows
    let called = whole.named.first.map { CampaignName.called($0) } ?? ""
    var page = Page(
      title, scope: "\(called) \(scopeLine)",
      body: """
        \(filters)\(try figures(whole, total, first.namedTotal, context, days))\
        <div class="two"><div class="stack">\(chart(first, days, context))\(try windows(context, days))\
        \(values(first, days, context))</div><div class="stack">\(try parts(context, days))</div></div>
        """)
    page.actions = context.copyLink
    page.scripts = [.chartScript]
    return .page(page)
  }

  private func report(
    _ context: ScreenContext, _ days: Range<Day>, by dimensions: [ReportDimension],
    where conditions: [String] = []
  ) -> CampaignReport {
    context.campaigns(days, scope, by: dimensions, where: conditions + ["campaign=\(campaign ?? "")"])
  }

  private func figures(
    _ whole: Table, _ total: NamedCells, _ first: NamedCells?, _ context: ScreenContext, _ days: Range<Day>
  ) throws -> HTML {
    let (texts, address) = (context.texts, context.address)
    var cards: [HTML] = [
      """
      <div class="fig"><dt>\(texts.overviewConversions)</dt><dd class="v">\(address.count(first?.count("postbacks") ?? 0, days, [("window", "1")]))</dd>\
      <dd class="s">\(texts.campaignAllWindows(number: address.count(total.count("postbacks"), days)))</dd></div>
      """
    ]
    if let first, let withheld = Withheld(first) {
      let nulls = address.postbacks(days, [("window", "1"), ("value", "none")])
      cards.append(
        """
        <div class="fig"><dt><a href="\(nulls.text)">\(texts.overviewWithheld)</a></dt><dd class="v">\(Marks.share(first["null-share"].number ?? 0))</dd>\
        <dd class="s">\(texts.markInterval(range: withheld.range))</dd><dd class="wh">\(withheld.bar)</dd></div>
        """)
    }
    let revenue = RevenueCell.figure(total, whole, title: texts.overviewRevenue, texts)
    if !revenue.text.isEmpty { cards.append(revenue) }
    let conflicts = texts.campaignConflicts(
      copies: Marks.count(total.count("copies")), conflicts: Marks.count(total.count("conflicts")))
    cards.append(
      """
      <div class="fig"><dt>\(texts.columnConflicts)</dt><dd class="v">\(Marks.count(total.count("conflicts")))</dd>\
      <dd class="s">\(conflicts)</dd></div>
      """)
    let style = cards.count == 2 ? "pair" : cards.count == 3 ? "three" : "four"
    return "<dl class=\"figs \(style)\" aria-label=\"\(texts.overviewFigures)\">\(cards.joined())</dl>\n"
  }

  private func chart(_ table: Table, _ days: Range<Day>, _ context: ScreenContext) -> HTML {
    let (texts, address) = (context.texts, context.address)
    let rows = Dictionary(
      table.named.map { ($0.text("day") ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    let all = days.all
    let counts = all.map { rows[$0.description]?.count("postbacks") ?? 0 }
    let nulls = all.map { rows[$0.description]?.count("values-null") ?? 0 }
    var chart = SeriesChart(all.map { Marks.shortDay($0) }, most: Double(counts.max() ?? 0))
    chart.bars(counts.map { Double($0) })
    // The withheld part of each bar, hatched, so that it does not count on colour.
    chart.bars(nulls.map { $0 > 0 ? Double($0) : nil }, style: "hf")
    struct Line: Sendable {
      let day: Day
      let count: Int64
      let nulls: Int64
    }
    let lines = all.indices.map { Line(day: all[$0], count: counts[$0], nulls: nulls[$0]) }
    let view = TableView<Line>(
      texts.overviewByDay,
      [
        .init(texts.columnArrivalDay, isNumber: false) { Marks.day($0.day) },
        .init(texts.columnConversions) {
          address.count($0.count, $0.day..<$0.day.next, [("window", "1")])
        },
        .init(texts.columnWithheld) {
          address.count($0.nulls, $0.day..<$0.day.next, [("window", "1"), ("value", "none")])
        },
      ], texts: texts)
    return Panel.section(
      "days", texts.overviewByDay, note: texts.overviewByDayNote,
      Panel.figure(
        "days", legend: [(.bar("f1"), texts.columnConversions), (.bar("hf"), texts.columnWithheld)],
        chart: chart.markup(label: texts.overviewChartLabel(days: days.label)),
        slider: texts.columnArrivalDay,
        count: all.count, table: view.markup(lines), texts))
  }

  private func windows(_ context: ScreenContext, _ days: Range<Day>) throws -> HTML {
    let texts = context.texts
    let table = try report(context, days, by: [.stored(.window)]).answer(from: context.source).rows
    func help(_ name: String) -> HTML? { table.header(name).map { "\($0.help)" } }
    let address = context.address
    func count(_ name: String, _ title: HTML, value: String? = nil) -> TableView<NamedCells>.Column {
      .init(title, help: help(name)) { row in
        let window = row["window"].integer.map { "\($0)" }
        return address.count(row.count(name), days, [("window", window), ("value", value)])
      }
    }
    var columns: [TableView<NamedCells>.Column] = [
      .init(texts.filterWindow, isNumber: false) { row in
        row["window"].integer.map { "\(Int($0))" } ?? texts.tableTotal
      },
      count("postbacks", texts.columnConversions), count("values-null", texts.nullsCount, value: "none"),
      .init(texts.campaignFine, help: help("values-positive")) { Marks.count($0.count("values-positive")) },
      count("values-zero", texts.nullsZero, value: "0"),
      count("coarse-low", texts.campaignCoarseLow, value: "low"),
      count("coarse-medium", texts.campaignCoarseMedium, value: "medium"),
      count("coarse-high", texts.campaignCoarseHigh, value: "high"),
    ]
    for currency in table.keys(after: "revenue-mid-") {
      columns.append(
        .init("\(texts.columnRevenue), \(currency)", help: help("revenue-mid-\(currency)"), style: "iv") {
          RevenueCell.markup($0, currency, texts)
        })
    }
    return Panel.section(
      "windows", texts.campaignWindows, flush: true,
      TableView(texts.campaignWindows, columns, texts: texts).markup(table.named, total: table.namedTotal))
  }

  /// The values of window 1 that arrived, the most frequent first.
  private func values(_ first: Table, _ days: Range<Day>, _ context: ScreenContext) -> HTML {
    let (texts, address) = (context.texts, context.address)
    guard let total = first.namedTotal else { return "" }
    struct Line: Sendable {
      let value: Int
      let count: Int64
      let most: Int64
    }
    let counts = (0...63).map { ($0, total.count("fine-\($0)")) }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
    guard let most = counts.first?.1 else { return "" }
    let all = counts.reduce(0) { $0 + $1.1 }
    let view = TableView<Line>(
      texts.campaignValues,
      [
        .init(texts.campaignValue, isNumber: false) { "\($0.value)" },
        .init(texts.columnConversions) {
          address.count($0.count, days, [("window", "1"), ("value", "\($0.value)")])
        },
        .init(texts.campaignShare) { Marks.share(Double($0.count) / Double(all)) },
        .init(texts.campaignBar, isNumber: false) { line in
          """
          <svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true"><rect class="bg" width="100" \
          height="12"/><rect class="f1" width="\(trimmed(Double(line.count) * 100 / Double(line.most), 1))" height="12"/></svg>
          """
        },
      ], texts: texts)
    return Panel.section(
      "values", texts.campaignValues, note: texts.campaignValuesNote(number: Marks.count(all)), flush: true,
      view.markup(counts.prefix(12).map { Line(value: $0.0, count: $0.1, most: most) }))
  }

  /// Small tables of where conversions come from.
  private func parts(_ context: ScreenContext, _ days: Range<Day>) throws -> HTML {
    let (texts, address) = (context.texts, context.address)
    let parts: [(name: String, title: HTML, dimension: CampaignDimension)] = [
      ("outcome", texts.campaignOutcomes, .outcome),
      ("interaction", texts.campaignInteractions, .interaction),
      ("country", texts.campaignCountries, .country), ("publisher", texts.campaignPublishers, .publisher),
      ("version", texts.campaignVersions, .version),
    ]
    return try parts.map { part -> HTML in
      let rows = try report(context, days, by: [.stored(part.dimension)])
        .answer(from: context.source, sort: ["-postbacks"]).rows.named
      guard !rows.isEmpty else { return "" }
      let view = TableView<NamedCells>(
        part.title,
        [
          .init(part.title, isNumber: false) { row in
            row.text(part.name).map { "<bdi>\($0)</bdi>" } ?? texts.campaignNone
          },
          .init(texts.columnConversions) { row in
            // Of these, postbacks can be looked for by what happened alone.
            part.dimension == .outcome
              ? address.count(row.count("postbacks"), days, [("outcome", row.text(part.name))])
              : Marks.count(row.count("postbacks"))
          },
        ], texts: texts)
      return Panel.section(part.name, part.title, flush: true, view.markup(Array(rows.prefix(8))))
    }.joined()
  }
}
