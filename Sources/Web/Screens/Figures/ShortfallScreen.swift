import Arguments
import Campaigns
import Markup
import Pages
import Postbacks
import EstimateReports
import Tables
import Values

/// Where the postbacks of windows 2 and 3 are: the report of their shortfall as a page.
struct ShortfallScreen: ReportScreen {
  var span = DaySpan()
  var scope = Scope()
  var by = ShortfallBreakdown.network
  var sort = Self.usualSort
  var page = 1
  var format: Format?

  static let path = "/shortfall"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.checks, 3)
  static let fileName = "shortfall"
  static let rowsOfPage = 100
  private static let usualSort = ShortfallReport.lost.descending
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("by", \.by, "What rows are about."),
      .init("sort", \.sort, "Column to sort by."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.shortfallTitle }

  var order: (sort: String, usual: String)? { (sort, Self.usualSort) }

  /// Window 3 comes weeks after the install, so the usual month would have none.
  func shownSpan(at now: Instant) -> DaySpan { span.isChosen ? span : .quarter }

  func report(_ days: Range<Day>, _ context: ScreenContext) -> ShortfallReport {
    var report = ShortfallReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    (report.scope, report.breakdown) = (scope, by)
    return report
  }

  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<ShortfallReport>, _ context: ScreenContext
  ) {
    let texts = context.texts
    form.choice(
      "by", texts.filterBy, by == .network ? "" : by.rawValue,
      [
        ("", texts.filterNetwork), (ShortfallBreakdown.campaign.rawValue, texts.columnCampaign),
        (ShortfallBreakdown.week.rawValue, texts.cohortsByWeek),
      ])
  }

  func scopeLine(_ days: Range<Day>, _ texts: Texts) -> HTML { texts.shortfallScope(days: days.markup) }

  func empty(_ answer: ReportAnswer<ShortfallReport>, _ context: ScreenContext) -> HTML {
    Panel.empty(context.texts.cohortsNoneTitle, context.texts.cohortsNoneReason)
  }

  func panels(
    _ answer: ReportAnswer<ShortfallReport>, _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    let page = Panel.page(page, of: Self.rowsOfPage, answer.rows, context.address, texts)
    let lost = ReportColumn(ShortfallReport.lost, texts.shortfallLost, style: "iv") { row in
      guard let value = row.lost?.number else { return Marks.none(texts) }
      let bounds = (row.lostInterval?.ends).map { (low: $0.low.units, high: $0.high.units) }
      // Only an interval that is above 0 as a whole states a loss.
      let isSure = bounds.map { $0.low > 0 } ?? false
      let count: HTML = "\(Marks.number(value, 0))"
      let range: HTML =
        bounds.map { Marks.range(Marks.number($0.low, 0), Marks.number($0.high, 0), isBelow: true) } ?? ""
      return isSure ? "<b class=\"badge bad\">\(count)</b>\(range)" : "\(count)\(range)"
    }
    let names: [ReportColumn<ShortfallReport.Row>] = [
      .app(ShortfallReport.app, texts.filterApp, context.called),
      .network(ShortfallReport.network, texts.filterNetwork, context.called),
    ]
    let others = ReportColumn.columns(
      of: answer, besides: [ShortfallReport.app, ShortfallReport.network, ShortfallReport.lost], page.rows,
      texts)
    let table = Panel.section(
      "shortfall", texts.shortfallTable, note: texts.campaignsRows(count: answer.rows.count),
      columns: (names + others + [lost]).of(page.rows, texts), sorted: (answer.sort, context.address),
      below: page.links, texts)
    return "\(table)\(Panel.notes(answer.notes, texts))"
  }
}
