import Arguments
import Campaigns
import EstimateReports
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// The answer to the first questions: is anything wrong, and how much arrived.
struct OverviewScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var compare = Compared.previous
  var currency: CurrencyCode?

  static let path = "/"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.daily, 1)
  private static let topCampaigns = 6
  /// Parameters that links to other figures take along.
  private static let kept = DaySpan.names.union(["app", "network", "environment", "currency"])
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope)
    + [
      .init("compare", \.compare, "What figures are compared with."),
      .init("currency", \.currency, "Currency to convert amounts to."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.overviewTitle }

  private struct Figures {
    let days: Range<Day>
    let total: CampaignTable.Line
    let before: CampaignTable.Line?
    let campaigns: [CampaignTable.Line]
    let byDay: [Day: CampaignTable.Line]
    let byDayBefore: [Day: CampaignTable.Line]
    /// The spend and the return on it; `nil` where nothing was paid.
    let paid: OverviewReturn?
    let installs: ArrivedInstalls
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice(
      "compare", texts.filterCompare, compare == .previous ? "" : compare.rawValue,
      [("", texts.filterComparePrevious(count: days.length)), ("none", texts.filterCompareNothing)])
    form.currency(currency, rates: try context.reader.rates(), texts)
    let filters = form.markup(summary: days.label, dropping: ["last"])
    let scopeLine = texts.overviewScope(days: days.markup)
    guard let figures = try figures(context, days) else {
      return .page(
        Page(
          texts.overviewTitle, scope: scopeLine, body: "\(filters)\(try NothingHere.markup(context, scope))"))
    }
    return .page(
      Page(
        texts.overviewTitle, scope: scopeLine, actions: context.copyLink, scripts: [.chartScript],
        body: """
          \(filters)\(keyFigures(figures, context))<div class="two"><div class="stack">\(try chart(figures, context))\
          \(top(figures, context))</div><div class="stack">\(alerts(context))\(stillToCome(figures, context))</div></div>
          """))
  }

  // MARK: Figures

  private func figures(_ context: ScreenContext, _ days: Range<Day>) throws -> Figures? {
    let first = ["window=1"]
    func byDay(_ days: Range<Day>) throws -> ReportAnswer<CampaignReport> {
      try report(days, by: [.stored(.day)], where: first, context).answer(from: context.source)
    }
    let campaigns = try report(
      days, by: [.stored(.app), .stored(.network), .stored(.campaign)], where: first, context
    ).answer(from: context.source, sort: CampaignReport.postbacks.descending, limit: Self.topCampaigns)
    guard let total = campaigns.total, total.counts.postbacks > 0 else { return nil }
    let before = compare == .previous ? try byDay(days.before) : nil
    return Figures(
      days: days, total: total, before: before?.total, campaigns: campaigns.rows,
      byDay: try byDay(days).rows.byDay, byDayBefore: before?.rows.byDay ?? [:],
      paid: try paid(days, context),
      installs: try context.installDays(days, scope, in: currency))
  }

  private func report(
    _ days: Range<Day>, by dimensions: [ReportDimension], where conditions: [String] = [],
    _ context: ScreenContext
  ) -> CampaignReport {
    var report = context.campaigns(days, scope, by: dimensions, where: conditions)
    report.currency = currency
    return report
  }

  /// What was paid, of all windows, because spend is of none; `nil` where nothing was, which saves a report.
  private func paid(_ days: Range<Day>, _ context: ScreenContext) throws -> OverviewReturn? {
    guard
      try context.reader.hasSpend(
        from: days.lowerBound, to: days.upperBound,
        of: Environment.allCases.filter { $0 == scope.environment })
    else { return nil }
    var report = report(days, by: [.stored(.app)], context)
    return try OverviewReturn(report.answer(from: context.source).total) { other in
      report.currency = other
      return try report.answer(from: context.source).total
    }
  }

  private func keyFigures(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let campaigns = context.address.moved(
      to: ArrivedScreen.path, keeping: Self.kept
    ).with("window", "1")
    let total = figures.total
    let counts = total.counts
    func kind(_ outcome: Outcome, _ count: Int64) -> HTML {
      context.address.count(
        count, figures.days, [("outcome", outcome.rawValue), ("window", "1")])
    }
    let kinds = texts.overviewKinds(
      installs: kind(.install, counts.installs), redownloads: kind(.redownload, counts.redownloads),
      reengagements: kind(.reengagement, counts.reengagements))
    let all = context.address.count(counts.postbacks, figures.days, [("window", "1")])
    let sparkline = Self.sparkline(
      figures.days.all.map { Double(figures.byDay[$0]?.counts.postbacks ?? 0) })
    let change: HTML =
      figures.before.flatMap { before -> HTML? in
        let (now, old) = (counts.postbacks, before.counts.postbacks)
        return old > 0
          ? "<dd class=\"s\">\(Self.change(Double(now - old) / Double(old), texts))</dd>" : nil
      } ?? ""
    let cards = [
      Panel.figure(
        "<a href=\"\(campaigns.text)\">\(texts.overviewConversions)</a>", all, kinds,
        more: "\(change)<dd>\(sparkline)</dd>"),
      withheld(
        total, figures.before,
        context.address.postbacks(figures.days, [("value", "none"), ("window", "1")]), texts),
      RevenueCell.figure(
        total, title: "<a href=\"\(campaigns.text)\">\(texts.overviewRevenue)</a>", texts),
      estimate(figures.installs, context),
      figures.paid?.figure(
        title: "<a href=\"\(campaigns.without(["window"]).text)\">\(texts.overviewReturn)</a>", context)
        ?? "",
    ]
    return Panel.figures(cards.filter { !$0.text.isEmpty }, label: texts.overviewFigures)
  }

  private func withheld(
    _ total: CampaignTable.Line, _ before: CampaignTable.Line?, _ link: PageAddress?, _ texts: Texts
  ) -> HTML {
    guard let share = total.nullShare?.number, let sample = Withheld(total) else { return "" }
    let change: HTML =
      before?.nullShare?.number.map { old -> HTML in
        let points = (share - old) * 100
        let amount: HTML =
          "<data value=\"\(trimmed(points, 3))\">\(Marks.local(fixed(points.magnitude, 1)))</data>"
        return
          "<dd class=\"s\">\(points < 0 ? texts.comparePointsLess(points: amount) : texts.comparePointsMore(points: amount))</dd>"
      } ?? ""
    return sample.figure(link: link, change: change, texts)
  }

  private func estimate(_ installs: ArrivedInstalls, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let link = context.address.moved(
      to: CampaignsScreen.path, keeping: Self.kept)
    if let count = installs.unestimated {
      return """
        <div class="fig"><dt><a href="\(link.text)">\(texts.estimatesTitle)</a></dt>\
        <dd class="s">\(texts.overviewNotEstimated(count: count))</dd></div>
        """
    }
    // A row is of one currency and horizon.
    let rows = (installs.totals ?? []).filter { $0.estimatedRevenue != nil }
    guard let first = rows.first else { return "" }
    let areAlike = rows.allSatisfy { $0.horizon == first.horizon }
    let amounts = rows.map { row -> HTML in
      guard let mid = row.estimatedRevenue else { return "" }
      func money(_ amount: Amount) -> HTML { Marks.money(amount, in: row.currency?.text) }
      var more: HTML = ""
      if let bounds = row.estimatedRevenueInterval?.ends {
        let range = Marks.range(money(bounds.low), money(bounds.high))
        let whisker = Marks.whisker(
          low: bounds.low.units, mid: mid.units, high: bounds.high.units,
          most: max(bounds.high.units, 1e-6) * 1.1,
          isEstimate: true)
        more = "<dd class=\"s\">\(texts.markInterval(range: range))</dd><dd class=\"iv\">\(whisker)</dd>"
      }
      let until: HTML = areAlike ? "" : ", \(row.horizon.columnText)"
      return """
        <dd class="v">\(money(mid)) <small>\(row.currency?.text ?? "")\(until)</small></dd>\(more)
        """
    }
    let title =
      areAlike
      ? texts.estimatesEstimated(horizon: "\(first.horizon.columnText)") : texts.overviewEstimatedSeveral
    return """
      <div class="fig"><dt><a href="\(link.text)">\(title)</a></dt>\(amounts.joined())\
      <dd class="s">\(texts.overviewByInstall)</dd></div>
      """
  }

  /// The last install days, newest first, with what has arrived of them.
  private func stillToCome(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let installs = figures.installs
    let today = context.now.day
    let link = context.address.moved(
      to: ArrivalsScreen.path, keeping: DaySpan.names.union(["app", "network", "environment"]))
    let days = Array(figures.days.all.suffix(8).reversed())
    return Panel.section(
      "to-come", texts.overviewToCome, note: texts.overviewToComeNote,
      link: "<a href=\"\(link.text)\">\(texts.arrivalsTitle)</a>",
      columns: [
        .init(texts.arrivalsInstallDay, isNumber: false, days.map { Marks.day($0) }),
        .init(
          texts.overviewArrived, days.map { ArrivalsScreen.number(installs.installs(on: $0), texts) }),
        .init(
          texts.overviewExpected, style: "n wh",
          days.map { ArrivalsScreen.completeness(installs.completeness(of: $0, today: today), texts) }),
      ], texts)
  }

  /// How much more or less a figure is than that of the days before.
  static func change(_ change: Double, _ texts: Texts) -> HTML {
    let amount: HTML =
      "<data value=\"\(trimmed(change, 4))\">\(Marks.local(percent(change.magnitude, 0)))</data>"
    return change < 0 ? texts.compareLess(share: amount) : texts.compareMore(share: amount)
  }

  private static func sparkline(_ values: [Double]) -> HTML {
    guard values.count > 1, let most = values.max(), most > 0 else { return "" }
    let points = values.enumerated().map { index, value in
      "\(trimmed(Double(index) * 120 / Double(values.count - 1), 1)),\(trimmed(27 - value / most * 26, 1))"
    }
    return """
      <svg class="spark" viewBox="0 0 120 28" preserveAspectRatio="none" aria-hidden="true">\
      <polyline class="k1" points="\(points.joined(separator: " "))"/></svg>
      """
  }

  // MARK: Panels

  private func chart(_ figures: Figures, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let days = figures.days.all
    let now = days.map { figures.byDay[$0]?.counts.postbacks ?? 0 }
    let before = figures.days.before.all.map { figures.byDayBefore[$0]?.counts.postbacks ?? 0 }
    let isCompared = !figures.byDayBefore.isEmpty
    var chart = SeriesChart(
      days.map { Marks.shortDay($0) }, most: Double((now + (isCompared ? before : [])).max() ?? 0))
    chart.style = { Marks.local($0) }
    chart.bars(now.map { Double($0) })
    if isCompared { chart.line(before.map { Double($0) }, style: "k6 d2 thin") }
    let marks = try DayMarks(days, scope, context)
    chart.marks(marks.places)
    let address = context.address
    var columns: [DataTable.Column] = [
      .init(texts.columnArrivalDay, isNumber: false, days.map { Marks.day($0) }),
      .init(
        texts.columnConversions, zip(days, now).map { address.count($1, $0..<$0.next, [("window", "1")]) }),
    ]
    if isCompared {
      columns.append(
        .init(
          texts.columnDaysBefore(count: days.count),
          zip(figures.days.before.all, before).map { address.count($1, $0..<$0.next, [("window", "1")]) }))
    }
    columns.append(
      .init(
        texts.columnWithheld,
        days.map { day in
          guard let share = figures.byDay[day]?.nullShare?.number else { return Marks.none(texts) }
          guard share > 0,
            let target = address.postbacks(day..<day.next, [("window", "1"), ("value", "none")])
          else { return Marks.share(share) }
          return "<a href=\"\(target.text)\">\(Marks.share(share))</a>"
        }))
    let legend: [(LegendSample, HTML)] =
      [(.bar("f1"), figures.days.label)]
      + (isCompared ? [(.line("k6 d2"), texts.columnDaysBefore(count: days.count))] : []) + marks.legend
    return Panel.section(
      "days", texts.overviewByDay, note: texts.overviewByDayNote,
      Panel.chart(
        "days", legend: legend, chart.markup(label: texts.overviewChartLabel(days: figures.days.label)),
        slider: texts.columnArrivalDay, count: days.count,
        table: Panel.table(texts.overviewByDay, columns, texts), below: marks.list, texts))
  }

  private func top(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let target = context.address.moved(
      to: CampaignsScreen.path, keeping: Self.kept.subtracting(["network"]))
    let source = context.address
    let rows = figures.campaigns
    var columns: [DataTable.Column] = [
      .init(texts.columnCampaign, isNumber: false, rows.map { CampaignName.markup($0.place, context) }),
      .init(
        texts.columnConversions,
        rows.map { source.count($0.counts.postbacks, figures.days, Self.campaign($0)) }),
      .init(
        texts.columnWithheld, style: "n wh",
        rows.map { row in
          Withheld.cell(
            row, texts, link: source.postbacks(figures.days, Self.campaign(row) + [("value", "none")]))
        }),
    ]
    if !figures.total.currencies.isEmpty {
      columns.append(.init(texts.columnRevenue, style: "iv", rows.map { RevenueCell.markup($0, texts) }))
    }
    return Panel.section(
      "top", texts.overviewTop, link: "<a href=\"\(target.text)\">\(texts.overviewAllCampaigns)</a>",
      columns: columns, texts)
  }

  /// What leads to the first postbacks of a campaign.
  private static func campaign(_ row: CampaignTable.Line) -> [(name: String, value: String?)] {
    [
      ("app", row.app.map { "\($0.number)" }), ("network", row.network), ("campaign", row.digits),
      ("window", "1"),
    ]
  }

  private func alerts(_ context: ScreenContext) -> HTML {
    let texts = context.texts
    let items = context.alerts.prefix(5).map { HealthScreen.item($0, texts) }
    let list: HTML =
      items.isEmpty
      ? "<p class=\"below soft\">\(texts.overviewNoAlerts)</p>" : "<ul class=\"list\">\(items.joined())</ul>"
    return Panel.section("alerts", texts.overviewAlerts, flush: true, list)
  }
}

extension [CampaignTable.Line] {
  /// The rows of a report by day.
  var byDay: [Day: CampaignTable.Line] {
    Dictionary(
      compactMap { row in row.found(\.day).map { ($0, row) } }, uniquingKeysWith: { first, _ in first })
  }
}
