import Arguments
import Campaigns
import Markup
import Pages
import Postbacks
import EstimateReports
import Tables
import Values

/// Where the postbacks of windows 2 and 3 are: the report of their shortfall as a page.
struct ShortfallScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var by = ShortfallBreakdown.network
  var sort = Self.usualSort
  var page = 1
  var format: Format?

  static let path = "/shortfall"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.verify, 3)
  static let rowsOfPage = 100
  private static let usualSort = "-lost"
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("by", \.by, "What rows are about."),
      .init("sort", \.sort, "Column to sort by."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.shortfallTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    // Window 3 comes weeks after the install, so the usual month would have none.
    var span = span
    if !span.isChosen { span.last = .quarter }
    let days = span.days(at: context.now)
    var report = ShortfallReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    (report.scope, report.breakdown) = (scope, by)
    let (answer, sort) = try ReportOrder.used(ShortfallReport.self, asked: sort, usual: Self.usualSort) {
      sort throws -> (ReportAnswer<ShortfallReport>?, String) in
      if let format { return (nil, try report.text(format, from: context.source, sort: sort)) }
      return (try report.answer(from: context.source, sort: sort), "")
    }
    guard let found = answer.0 else { return .file("shortfall", format ?? .csv, answer.1) }
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice(
      "by", texts.filterBy, by == .network ? "" : by.rawValue,
      [
        ("", texts.filterNetwork), (ShortfallBreakdown.campaign.rawValue, texts.columnCampaign),
        (ShortfallBreakdown.week.rawValue, texts.cohortsByWeek),
      ])
    let filters = form.markup(summary: days.label, dropping: ["last", "page"])
    let scopeLine = texts.shortfallScope(days: days.markup)
    let rows = found.table.named
    guard !rows.isEmpty else {
      return .page(
        Page(
          texts.shortfallTitle, scope: scopeLine,
          body: "\(filters)\(Panel.empty(texts.cohortsNoneTitle, texts.cohortsNoneReason))"))
    }
    return .page(
      Page(
        texts.shortfallTitle, scope: scopeLine, actions: context.fileLinks,
        body: "\(filters)\(table(found, sortedBy: sort, context))\(Panel.notes(found.notes, texts))"))
  }

  private func table(_ answer: ReportAnswer<ShortfallReport>, sortedBy sort: String, _ context: ScreenContext)
    -> HTML
  {
    let texts = context.texts
    let page = Panel.page(page, of: Self.rowsOfPage, answer.table.named, context.address, texts)
    let table = ReportTable(answer.table, page.rows, texts)
    let lost = table.column("lost", texts.shortfallLost, style: "iv") { row in
      guard let value = row["lost"].number else { return Marks.none(texts) }
      let bounds = row["lost.range"].bounds.map { (low: $0.low.units, high: $0.high.units) }
      // Only an interval that is above 0 as a whole states a loss.
      let isSure = bounds.map { $0.low > 0 } ?? false
      let count: HTML = "\(Marks.number(value, 0))"
      let range: HTML =
        bounds.map { Marks.range(Marks.number($0.low, 0), Marks.number($0.high, 0), isBelow: true) } ?? ""
      return isSure ? "<b class=\"badge bad\">\(count)</b>\(range)" : "\(count)\(range)"
    }
    let names = [
      table.app(texts.filterApp, context.called), table.network(texts.filterNetwork, context.called),
    ]
    return Panel.section(
      "shortfall", texts.shortfallTable, note: texts.campaignsRows(count: answer.table.rows.count),
      columns: names + table.columns(besides: ["app", "network", "lost"]) + [lost],
      sorted: (sort, context.address),
      below: page.links, texts)
  }
}
