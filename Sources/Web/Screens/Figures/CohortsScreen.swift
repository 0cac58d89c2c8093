import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// What users of campaigns do over the three windows: the report of cohorts as a page.
struct CohortsScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var by = CohortBreakdown.campaign
  var currency: CurrencyCode?
  var sort = Self.usualSort
  var page = 1
  var format: Format?

  static let path = "/cohorts"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.measure, 7)
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

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    // Window 3 comes weeks after the install, so the usual month would have none.
    var span = span
    if !span.isChosen { span.last = .quarter }
    let days = span.days(at: context.now)
    var report = CohortReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    (report.scope, report.breakdown, report.currency) = (scope, by, currency)
    if let format {
      let text = try report.text(format, from: context.source, sort: sort, usual: Self.usualSort)
      return .file("cohorts", format, text)
    }
    let answer = try report.answer(from: context.source, sort: sort, usual: Self.usualSort)
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice(
      "by", texts.filterBy, by == .campaign ? "" : by.rawValue,
      [("", texts.columnCampaign), (CohortBreakdown.week.rawValue, texts.cohortsByWeek)])
    form.currency(currency, rates: try context.reader.rates(), texts)
    let filters = form.markup(summary: days.label, dropping: ["last", "page"])
    let scopeLine = texts.cohortsScope(days: days.markup)
    let rows = answer.rows
    guard !rows.isEmpty else {
      return .page(
        Page(
          texts.cohortsTitle, scope: scopeLine,
          body: "\(filters)\(Panel.empty(texts.cohortsNoneTitle, texts.cohortsNoneReason))"))
    }
    let known = try campaigns(context)
    let page = Panel.page(page, of: Self.rowsOfPage, rows, context.address, texts)
    let columns =
      [
        ReportColumn(CohortReport.campaign, texts.columnCampaign, isNumber: false) { row in
          CampaignName.markup(known[row.campaign] ?? row.campaign, digits: 2, context)
        }
      ]
      + ReportColumn.columns(
        of: answer, besides: [CohortReport.app, CohortReport.network, CohortReport.campaign], page.rows, texts
      )
    return .page(
      Page(
        texts.cohortsTitle, scope: scopeLine, actions: context.fileLinks,
        body: """
          \(filters)\(complete(days, context))\(Panel.section(
            "cohorts", texts.cohortsTable, note: texts.campaignsRows(count: rows.count),
            columns: columns.of(page.rows, texts), sorted: (answer.sort, context.address),
            below: page.links, texts))
          """))
  }

  /// The campaigns with what people call them.
  private func campaigns(_ context: ScreenContext) throws -> [CampaignPlace: CampaignPlace] {
    var report = context.campaigns(nil, scope, by: [.stored(.app), .stored(.network), .stored(.campaign)])
    report.digits = 2
    let places = try report.answer(from: context.source).rows.map(\.place)
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
