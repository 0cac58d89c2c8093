import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// What users of campaigns do over the three windows: the report of cohorts as a page.
struct CohortsScreen: ReportScreen {
  var span = DaySpan()
  var scope = Scope()
  var by = CohortBreakdown.campaign
  var currency: CurrencyCode?
  var sort = Self.usualSort
  var page = 1
  var format: Format?

  static let path = "/cohorts"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.details, 4)
  static let fileName = "cohorts"
  static let rowsOfPage = 100
  private static let usualSort = CohortReport.postbacks(.first).descending
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("by", \.by, "What rows are about."),
      .init("currency", \.currency, "Currency to convert amounts to."),
      .init("sort", \.sort, "Column to sort by."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.cohortsTitle }

  var order: (sort: String, usual: String)? { (sort, Self.usualSort) }

  /// Window 3 comes weeks after the install, so the usual month would have none.
  func shownSpan(at now: Instant) -> DaySpan { span.isChosen ? span : .quarter }

  func report(_ days: Range<Day>, _ context: ScreenContext) -> CohortReport {
    var report = CohortReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    (report.scope, report.breakdown, report.currency) = (scope, by, currency)
    return report
  }

  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<CohortReport>, _ context: ScreenContext
  ) throws {
    let texts = context.texts
    form.choice(
      "by", texts.filterBy, by == .campaign ? "" : by.rawValue,
      [("", texts.columnCampaign), (CohortBreakdown.week.rawValue, texts.cohortsByWeek)])
    form.currency(currency, rates: try context.reader.rates(), texts)
  }

  func scopeLine(_ days: Range<Day>, _ texts: Texts) -> HTML { texts.cohortsScope(days: days.markup) }

  func empty(_ answer: ReportAnswer<CohortReport>, _ context: ScreenContext) -> HTML {
    Panel.empty(context.texts.cohortsNoneTitle, context.texts.cohortsNoneReason)
  }

  func panels(
    _ answer: ReportAnswer<CohortReport>, _ days: Range<Day>, _ context: ScreenContext
  ) throws -> HTML {
    let texts = context.texts
    let known = try campaigns(context)
    let page = Panel.page(page, of: Self.rowsOfPage, answer.rows, context.address, texts)
    let campaign = ReportColumn(CohortReport.campaign, texts.columnCampaign, isNumber: false) { row in
      CampaignName.markup(known[row.campaign] ?? row.campaign, digits: 2, context)
    }
    let others = ReportColumn.columns(
      of: answer, besides: [CohortReport.app, CohortReport.network, CohortReport.campaign], page.rows, texts)
    let table = Panel.section(
      "cohorts", texts.cohortsTable, note: texts.campaignsRows(count: answer.rows.count),
      columns: ([campaign] + others).of(page.rows, texts), sorted: (answer.sort, context.address),
      below: page.links, texts)
    return "\(complete(days, context))\(table)"
  }

  /// The campaigns with what people call them.
  private func campaigns(_ context: ScreenContext) throws -> [CampaignPlace: CampaignPlace] {
    var report = context.campaigns(nil, scope, by: [.stored(.app), .stored(.network), .stored(.campaign)])
    report.digits = 2
    let places = try report.answer(from: context.source, for: .names).rows.map(\.place)
    return Dictionary(places.map { ($0.unnamed, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Up to which install day all windows have arrived, with a link to these days.
  private func complete(_ days: Range<Day>, _ context: ScreenContext) -> HTML {
    let last = Day(number: context.now.day.number - ArrivedInstalls.days(of: .third).upperBound - 1)
    guard days.lastDay > last else { return "" }
    let texts = context.texts
    let address = context.address.without(DaySpan.names.union(["page"])).with("through", last.description)
    return """
      <p class="note">\(texts.cohortsComplete(day: Marks.day(last, hasYear: true))) \
      <a href="\(address.text)">\(texts.cohortsCompleteLink)</a></p>
      """
  }
}
