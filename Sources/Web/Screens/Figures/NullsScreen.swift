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
struct NullsScreen: ReportScreen {
  var span = DaySpan()
  var scope = Scope()
  var digits = 2
  var sort = Self.usualSort
  var columns: [NullColumn] = []
  var page = 1
  var format: Format?

  static let path = "/withheld"
  static let isOfApps = true
  static let isOfNetworks = true
  static let place: NavigationPlace? = NavigationPlace(.checks, 4)
  static let fileName = "withheld"
  static let rowsOfPage = 100
  private static let usualSort = NullReport.postbacks.descending
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("digits", \.digits, "Last digits of a source identifier.", in: 2...4),
      .init("sort", \.sort, "Column to sort by."),
      .init("columns", \.columns, "Columns to show, in their order."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.nullsTitle }

  var order: (sort: String, usual: String)? { (sort, Self.usualSort) }

  func report(_ days: Range<Day>, _ context: ScreenContext) -> NullReport {
    var report = NullReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    (report.scope, report.digits) = (scope, digits)
    return report
  }

  func file(_ format: Format, _ report: NullReport, _ context: ScreenContext) throws -> PageAnswer {
    let answer = try answer(of: report, context)
    let shown = columns(answer, context).flatMap(\.shown)
    return .file(Self.fileName, format, answer.text(format, answer.rows, shown))
  }

  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<NullReport>, _ context: ScreenContext
  ) {
    form.digits(digits)
    form.columns(
      "columns", chosen(answer).map(\.rawValue),
      NullColumn.allCases.map { ($0.rawValue, $0.title(context.texts)) })
  }

  func scopeLine(_ days: Range<Day>, _ texts: Texts) -> HTML { texts.nullsScope(days: days.markup) }

  func empty(_ answer: ReportAnswer<NullReport>, _ context: ScreenContext) throws -> HTML {
    try NothingHere.markup(context, scope)
  }

  func panels(
    _ answer: ReportAnswer<NullReport>, _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    """
    \(figures(answer, context.texts))<div class="two"><div class="stack">\(chart(answer, days, context))</div>\
    <div class="stack">\(changes(answer, context))\(kinds(answer.rows, days, context))</div></div>\(table(answer, context))\
    \(Panel.notes(answer.notes, context.texts))
    """
  }

  // MARK: Figures

  private func figures(_ answer: ReportAnswer<NullReport>, _ texts: Texts) -> HTML {
    let (all, nulls) = answer.rows.reduce((Int64(0), Int64(0))) {
      ($0.0 + $1.postbacks, $0.1 + $1.nulls)
    }
    let share = all > 0 ? Double(nulls) / Double(all) : 0
    let bounds = Interval(shareOf: Double(nulls), in: Double(all))
    let evidence = answer.rows(of: NullReport.evidence).first
    let threshold: HTML =
      evidence?.thresholdSize?.number.map { Marks.number($0, 0, exact: 3) }
      ?? texts.nullsNoThreshold
    let interval: HTML =
      evidence?.thresholdInterval?.ends.map { low, high in
        texts.markInterval(
          range: Marks.range("\(fixed(low.units, 0))", "\(fixed(high.units, 0))"))
      } ?? ""
    let fewest: HTML = evidence?.fewestUsers.map { Marks.count($0) } ?? Marks.none(texts)
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
  private func chart(
    _ answer: ReportAnswer<NullReport>, _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    var chart = ScatterChart(x: texts.nullsSize, y: texts.columnWithheld)
    for row in answer.rows.prefix(60) {
      guard let share = row.nullShare?.number else { continue }
      let bounds = row.nullShareInterval.ends
      let size = Double(row.postbacks) / Double(days.length)
      let place = row.place
      let link = CampaignName.address(place, from: context.address)
      let digits = place.digits ?? ""
      chart.point(
        x: size, y: share,
        range: (bounds?.low.units ?? 0)...(bounds?.high.units ?? 1),
        link: link.text,
        label: texts.nullsPoint(
          campaign: "\(place.name ?? digits)", share: "\(Marks.shareText(share))",
          size: "\(Marks.local(trimmed(size, 1)))"), name: digits)
    }
    if let threshold = answer.rows(of: NullReport.evidence).first?.thresholdSize?.number {
      chart.upright(threshold)
    }
    let legend = Panel.legend([
      (.bar("f1"), texts.nullsLegendCampaign), (.line("mark"), texts.nullsThreshold),
    ])
    return Panel.section(
      "size", texts.nullsChart, note: texts.nullsChartNote,
      "<figure>\(legend)\(chart.markup(label: texts.nullsChart))</figure>")
  }

  private func changes(_ answer: ReportAnswer<NullReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let items = answer.rows(of: NullReport.changes).prefix(8).map { row -> HTML in
      let place = row.place
      let link = CampaignName.address(place, from: context.address)
      let sentence = texts.nullsChange(
        before: Marks.share(row.shareBefore.number ?? 0), after: Marks.share(row.shareAfter.number ?? 0),
        day: Marks.day(row.day, hasYear: true))
      return """
        <li><div class="row"><a href="\(link.text)">\(CampaignName.words(place, texts))</a>\
        <span class="soft xs">\(context.called.shortNetwork(place.network ?? "")) · <bdi>\(place.digits ?? "")</bdi></span></div><p>\(sentence)</p></li>
        """
    }
    let list: HTML =
      items.isEmpty
      ? "<p class=\"below soft\">\(texts.nullsNoChange)</p>" : "<ul class=\"list\">\(items.joined())</ul>"
    return Panel.section("changes", texts.nullsChanges, flush: true, list)
  }

  /// The kinds of values that are no fine value, which must not be mixed up.
  private func kinds(_ rows: [NullReport.Row], _ days: Range<Day>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    func sum(_ counts: KeyPath<NullReport.Row, Int64>, value: String? = nil) -> HTML {
      let count = rows.reduce(0) { $0 + $1[keyPath: counts] }
      guard let value else { return Marks.count(count) }
      return context.address.count(count, days, [("window", "1"), ("value", value), ("digits", nil)])
    }
    return Panel.section(
      "kinds", texts.nullsKinds,
      Panel.list([
        (texts.columnWithheld, "\(sum(\.nulls, value: "none")) · \(texts.nullsKindWithheld)"),
        (texts.nullsCoarse, "\(sum(\.coarse)) · \(texts.nullsKindCoarse)"),
        (texts.nullsZero, "\(sum(\.zeroes, value: "0")) · \(texts.nullsKindZero)"),
        (texts.columnUnmapped, "\(sum(\.unmapped)) · \(texts.nullsKindUnmapped)"),
      ]))
  }

  private func table(_ answer: ReportAnswer<NullReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let page = Panel.page(page, of: Self.rowsOfPage, answer.rows, context.address, texts)
    return Panel.section(
      "table", texts.nullsTable, note: texts.campaignsCount(count: answer.rows.count),
      columns: columns(answer, context).of(page.rows, texts),
      sorted: (sort, context.address),
      below: page.links, texts)
  }

  /// The columns to show: those that were asked for, or the usual ones.
  private func chosen(_ answer: ReportAnswer<NullReport>) -> [NullColumn] {
    guard columns.isEmpty else { return columns }
    let apps = Set(answer.rows.lazy.compactMap(\.place.app).prefix(500))
    return NullColumn.allCases.filter { $0 != .app || apps.count > 1 }
  }

  private func columns(
    _ answer: ReportAnswer<NullReport>, _ context: ScreenContext
  ) -> [ReportColumn<NullReport.Row>] {
    let (texts, source) = (context.texts, context.address)
    let days = span.days(at: context.now)
    /// A count that leads to its postbacks, those of a value or all.
    func linked(
      _ column: Column<NullReport.Row>, _ title: HTML, value: String? = nil
    ) -> ReportColumn<NullReport.Row> {
      .counts(column, title, texts) { row in
        source.postbacks(of: row.place, days, digits: digits, [("window", "1"), ("value", value)])
      }
    }
    let campaign = ReportColumn(
      NullReport.campaign, texts.columnCampaign,
      shows: [
        NullReport.app, NullReport.network, NullReport.campaign, NullReport.campaignName,
        NullReport.nameCandidates,
      ], isNumber: false
    ) { CampaignName.markup($0.place, hasNetwork: false, context) }
    return [campaign]
      + chosen(answer).map { column in
        let title = column.title(texts)
        return switch column {
        case .app: .app(NullReport.app, title, context.called)
        case .network: .network(NullReport.network, title, context.called)
        case .postbacks: linked(NullReport.postbacks, title)
        case .nulls: linked(NullReport.nulls, title, value: "none")
        case .share: ReportColumn(NullReport.nullShare, title, style: "n wh") { Self.share($0, texts) }
        case .zeroes: linked(NullReport.zeroes, title, value: "0")
        case .coarse: ReportColumn(NullReport.coarse, title)
        case .unmapped: ReportColumn(NullReport.unmapped, title)
        }
      }
  }

  private static func share(_ row: NullReport.Row, _ texts: Texts) -> HTML {
    guard let share = row.nullShare?.number, let bounds = row.nullShareInterval.ends else {
      return Marks.none(texts)
    }
    let (low, high) = (bounds.low.units, bounds.high.units)
    return """
      \(Marks.share(share))\(Marks.shares(low, high, isBelow: true))\(Marks.withheldBar(share, low: low, high: high))
      """
  }
}
