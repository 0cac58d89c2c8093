import Arguments
import Campaigns
import Markup
import Pages
import Postbacks
import Tables
import Values

/// The installs that no postback attributes: the report of organic installs as a page.
struct OrganicScreen: ReportScreen {
  var span = DaySpan()
  var apps: [AppID] = []
  var environment = Environment.production
  var by = OrganicBreakdown.app
  var sort = Self.usualSort
  var page = 1
  var format: Format?

  static let path = "/organic"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.details, 5)
  static let fileName = "organic"
  static let scripts = [EmbeddedAsset.chartScript]
  static let rowsOfPage = 100
  private static let usualSort = OrganicReport.app.ascending
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + [
      .init("app", \.apps, "App Store numbers of the apps to include."),
      .init("environment", \.environment, "Environment whose keys signed the postbacks."),
      .init("by", \.by, "What rows are about."),
      .init("sort", \.sort, "Column to sort by."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.organicTitle }

  var scope: Scope {
    var scope = Scope()
    (scope.apps, scope.environment) = (apps, environment)
    return scope
  }

  private func report(_ days: Range<Day>, by breakdown: OrganicBreakdown) -> OrganicReport {
    var report = OrganicReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    (report.apps, report.environment, report.breakdown) = (apps, environment, breakdown)
    return report
  }

  var order: (sort: String, usual: String)? { (sort, Self.usualSort) }

  func report(_ days: Range<Day>, _ context: ScreenContext) -> OrganicReport { report(days, by: by) }

  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<OrganicReport>, _ context: ScreenContext
  ) {
    let texts = context.texts
    form.choice(
      "by", texts.filterBy, by == .app ? "" : by.rawValue,
      [("", texts.filterApp), (OrganicBreakdown.day.rawValue, texts.organicByDay)])
  }

  func scopeLine(_ days: Range<Day>, _ texts: Texts) -> HTML { texts.organicScope(days: days.markup) }

  func empty(_ answer: ReportAnswer<OrganicReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let link: HTML = """
      <a class="btn" href="\(PageAddress(DataPlace.path(of: "installs")).text)">\(DataPlace.title(of: "installs", texts))</a>
      """
    return Panel.empty(texts.organicNoneTitle, texts.organicNoneReason, link)
  }

  func panels(
    _ answer: ReportAnswer<OrganicReport>, _ days: Range<Day>, _ context: ScreenContext
  ) throws -> HTML {
    "\(try chart(days, context))\(table(answer, context))\(notes(answer, context.texts))"
  }

  private func table(_ answer: ReportAnswer<OrganicReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let page = Panel.page(page, of: Self.rowsOfPage, answer.rows, context.address, texts)
    let rows = page.rows + (answer.total.map { [$0] } ?? [])
    let apps = ReportColumn(OrganicReport.app, texts.filterApp, isNumber: false) { row in
      row.app.map { "<b><bdi>\(String($0.number))</bdi></b>" } ?? texts.tableTotal
    }
    let remarks = ReportColumn(OrganicReport.remarks, texts.estimatesFlags, isNumber: false, style: "s") {
      $0.sortedRemarks.map { Self.word($0, texts) }.joined(separator: "; ")
    }
    let others = ReportColumn.columns(
      of: answer, besides: [OrganicReport.app, OrganicReport.remarks], rows, texts)
    return Panel.section(
      "organic", texts.organicTable, note: texts.campaignsRows(count: answer.rows.count),
      columns: ([apps] + others + [remarks]).of(rows, texts), sorted: (answer.sort, context.address),
      hasTotal: answer.total != nil, below: page.links, texts)
  }

  private static func word(_ remark: OrganicRemark, _ texts: Texts) -> HTML {
    switch remark {
    case .noOwnCount: texts.organicRemarkNoOwnCount
    case .noPostbacksYet: texts.organicRemarkNoPostbacksYet
    case .moreAttributed: texts.organicRemarkMoreAttributed
    case .dayNotOver: texts.organicRemarkDayNotOver
    }
  }

  /// Own installs with the attributed part of them, day by day.
  private func chart(_ days: Range<Day>, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    var sums: [Day: (own: Int64, attributed: Int64)] = [:]
    for row in try report(days, by: .day).answer(from: context.source).rows {
      guard let day = row.day, let own = row.own else { continue }
      sums[day, default: (0, 0)].own += own
      sums[day, default: (0, 0)].attributed += row.attributed ?? 0
    }
    let all = days.all
    let most = sums.values.map { max($0.own, $0.attributed) }.max() ?? 0
    var chart = SeriesChart(all.map { Marks.shortDay($0) }, most: Double(most))
    chart.style = { Marks.local($0) }
    chart.bars(all.map { day in sums[day].map { Double($0.own) } }, style: "ghost")
    chart.bars(all.map { day in sums[day].map { Double($0.attributed) } })
    let marks = try DayMarks(all, scope, context)
    chart.marks(marks.places)
    let table = Panel.table(
      texts.organicChart,
      [
        .init(texts.columnArrivalDay, isNumber: false, all.map { Marks.day($0) }),
        .init(texts.organicOwn, all.map { sums[$0].map { Marks.count($0.own) } ?? Marks.none(texts) }),
        .init(
          texts.organicAttributed,
          all.map { sums[$0].map { Marks.count($0.attributed) } ?? Marks.none(texts) }),
      ], texts)
    return Panel.section(
      "days", texts.organicChart, note: texts.organicChartNote,
      Panel.chart(
        "days",
        legend: [(.bar("ghost"), texts.organicOwn), (.bar("f1"), texts.organicAttributed)] + marks.legend,
        chart.markup(label: texts.organicChartLabel(days: days.label)), slider: texts.columnArrivalDay,
        count: all.count, table: table, below: marks.list, texts))
  }

  private func notes(_ answer: ReportAnswer<OrganicReport>, _ texts: Texts) -> HTML {
    let redownloads = answer.total?.redownloads ?? 0
    let more: HTML =
      redownloads > 0 ? "<p class=\"note\">\(texts.organicRedownloads(count: Int(redownloads)))</p>" : ""
    return "<div class=\"notes\"><p class=\"note\">\(texts.organicNote)</p>\(more)</div>"
  }
}
