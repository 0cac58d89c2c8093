import Arguments
import Ledger
import Markup
import Pages
import Postbacks
import Reporting
import Tables
import Values

/// The answer to the first questions: is anything wrong, and how much arrived.
struct OverviewScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var compare = Compared.previous

  static let path = "/"
  static let place: NavigationPlace? = NavigationPlace(.measure, 1)
  private static let topCampaigns = 6
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope)
    + [.init("compare", \.compare, "What figures are compared with.")]

  static func title(_ texts: Texts) -> HTML { texts.overviewTitle }

  private struct Figures {
    let days: Range<Day>
    let total: NamedCells
    let before: NamedCells?
    let campaigns: [NamedCells]
    let byDay: [Day: NamedCells]
    let byDayBefore: [Day: NamedCells]
    /// The report that has the campaigns and their total.
    let table: Table
    /// The report that has the spend: of all windows, because spend is of none.
    let paid: Table?
    let installs: ArrivedInstalls
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice(
      "compare", texts.filterCompare, compare == .previous ? "" : compare.rawValue,
      [("", texts.filterComparePrevious(count: days.length)), ("none", texts.filterCompareNothing)])
    let filters = form.markup(summary: days.label, dropping: ["last"])
    let scopeLine = texts.overviewScope(days: days.markup)
    guard let figures = try figures(context, days) else {
      return .page(
        Page(
          texts.overviewTitle, scope: scopeLine, body: "\(filters)\(try NothingHere.markup(context, scope))"))
    }
    var page = Page(
      texts.overviewTitle, scope: scopeLine,
      body: """
        \(filters)\(keyFigures(figures, context))<div class="two"><div class="stack">\(chart(figures, context))\
        \(top(figures, context))</div><div class="stack">\(alerts(context))\(stillToCome(figures, context))</div></div>
        """)
    page.actions = context.copyLink
    page.scripts = [.chartScript]
    return .page(page)
  }

  // MARK: Figures

  private func figures(_ context: ScreenContext, _ days: Range<Day>) throws -> Figures? {
    let first = ["window=1"]
    func byDay(_ days: Range<Day>) throws -> Table {
      try context.campaigns(days, scope, by: [.stored(.day)], where: first).answer(from: context.source).rows
    }
    func rows(_ table: Table) -> [Day: NamedCells] {
      Dictionary(
        table.named.compactMap { row in row.text("day").flatMap { Day($0) }.map { ($0, row) } },
        uniquingKeysWith: { first, _ in first })
    }
    let campaigns = try context.campaigns(
      days, scope, by: [.stored(.app), .stored(.network), .stored(.campaign)], where: first
    ).answer(from: context.source, sort: ["-postbacks"], limit: Self.topCampaigns).rows
    guard let total = campaigns.namedTotal, total.count("postbacks") > 0 else { return nil }
    let before = compare == .previous ? try byDay(days.before) : nil
    return Figures(
      days: days, total: total, before: before?.namedTotal, campaigns: campaigns.named,
      byDay: rows(try byDay(days)), byDayBefore: before.map(rows) ?? [:],
      table: campaigns,
      paid: try paid(days, context),
      installs: try context.installDays(days, scope))
  }

  /// What was paid; `nil` where nothing was, which saves a report of all windows.
  private func paid(_ days: Range<Day>, _ context: ScreenContext) throws -> Table? {
    guard
      try context.reader.hasSpend(
        from: days.lowerBound, to: days.upperBound,
        of: Environment.allCases.filter { $0 == scope.environment })
    else { return nil }
    return try context.campaigns(days, scope, by: [.stored(.app)]).answer(from: context.source).rows
  }

  private func keyFigures(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let campaigns = context.address.moved(
      to: CampaignsScreen.path, keeping: DaySpan.names.union(["app", "network", "environment"])
    ).with("window", "1")
    let total = figures.total
    let installs = total.count("installs")
    func kind(_ outcome: Outcome, _ count: Int64) -> HTML {
      context.address.count(
        count, figures.days, [("outcome", outcome.rawValue), ("window", "1")])
    }
    let kinds = texts.overviewKinds(
      installs: kind(.install, installs), redownloads: kind(.redownload, total.count("redownloads")),
      reengagements: kind(.reengagement, total.count("re-engagements")))
    let all = context.address.count(total.count("postbacks"), figures.days, [("window", "1")])
    let sparkline = Self.sparkline(
      figures.days.all.map { Double(figures.byDay[$0]?.count("postbacks") ?? 0) })
    let cards: HTML = """
      <div class="fig"><dt><a href="\(campaigns.text)">\(texts.overviewConversions)</a></dt>\
      <dd class="v">\(all)</dd><dd class="s">\(kinds)</dd>\
      \(Self.change(total, figures.before, "postbacks", texts))<dd>\(sparkline)</dd></div>
      """
    let nulls = context.address.postbacks(figures.days, [("value", "none"), ("window", "1")])
    var others = [withheld(total, figures.before, nulls, texts)]
    others.append(
      RevenueCell.figure(
        total, figures.table, title: "<a href=\"\(campaigns.text)\">\(texts.overviewRevenue)</a>", texts))
    others.append(estimate(figures.installs, context))
    others.append(spend(figures, campaigns.without(["window"]), texts))
    others.removeAll { $0.text.isEmpty }
    let style = [0: "pair", 1: "pair", 2: "three", 3: "four"][others.count] ?? "five"
    return """
      <dl class="figs \(style)" aria-label="\(texts.overviewFigures)">\(cards)\(others.joined())</dl>

      """
  }

  private func withheld(
    _ total: NamedCells, _ before: NamedCells?, _ link: PageAddress, _ texts: Texts
  ) -> HTML {
    guard let share = total["null-share"].number, let sample = Withheld(total) else { return "" }
    let change: HTML =
      before.flatMap { $0["null-share"].number }.map { old -> HTML in
        let points = (share - old) * 100
        let amount: HTML = "<data value=\"\(trimmed(points, 3))\">\(fixed(points.magnitude, 1))</data>"
        return
          "<dd class=\"s\">\(points < 0 ? texts.comparePointsLess(points: amount) : texts.comparePointsMore(points: amount))</dd>"
      } ?? ""
    return """
      <div class="fig"><dt><a href="\(link.text)">\(texts.overviewWithheld)</a></dt><dd class="v">\(Marks.share(share))</dd>\
      <dd class="s">\(texts.markInterval(range: sample.range))</dd>\(change)<dd class="wh">\(sample.bar)</dd></div>
      """
  }

  private func estimate(_ installs: ArrivedInstalls, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let link = context.address.moved(
      to: EstimatesScreen.path, keeping: DaySpan.names.union(["app", "network", "environment"]))
    if let count = installs.unestimated {
      return """
        <div class="fig"><dt><a href="\(link.text)">\(texts.estimatesTitle)</a></dt>\
        <dd class="s">\(texts.overviewNotEstimated(count: count))</dd></div>
        """
    }
    guard let totals = installs.totals else { return "" }
    let horizons = EstimatesScreen.horizons(totals)
    // A row is of one currency and horizon.
    let rows = totals.named.flatMap { row in
      horizons.compactMap { horizon in
        row["estimated-revenue-\(horizon)"].micros.map { (row: row, horizon: horizon, mid: $0) }
      }
    }
    guard let first = rows.first else { return "" }
    let areAlike = rows.allSatisfy { $0.horizon == first.horizon }
    let amounts = rows.map { row, horizon, mid -> HTML in
      var more: HTML = ""
      if let bounds = row["estimated-revenue-\(horizon).range"].bounds {
        let range = Marks.range(Marks.money(bounds.low), Marks.money(bounds.high))
        let whisker = Marks.whisker(
          low: Double(bounds.low), mid: Double(mid), high: Double(bounds.high),
          most: Double(max(bounds.high, 1)) * 1.1, isEstimate: true)
        more = "<dd class=\"s\">\(texts.markInterval(range: range))</dd><dd class=\"iv\">\(whisker)</dd>"
      }
      let until: HTML = areAlike ? "" : ", \(horizon)"
      return """
        <dd class="v">\(Marks.money(mid)) <small>\(row.text("currency") ?? "")\(until)</small></dd>\(more)
        """
    }
    let title =
      areAlike ? texts.estimatesEstimated(horizon: "\(first.horizon)") : texts.overviewEstimatedSeveral
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
    let columns: [TableView<Day>.Column] = [
      .init(texts.arrivalsInstallDay, isNumber: false) { Marks.day($0) },
      .init(texts.overviewArrived) { day in
        installs.installs(on: day).map {
          "<data value=\"\(trimmed($0, 3))\">\(withThousands(fixed($0, 0)))</data>"
        }
          ?? Marks.none(texts)
      },
      .init(texts.overviewExpected, style: "n wh") { day in
        installs.completeness(of: day, today: today).map { "\(Marks.share($0))\(ArrivalsScreen.bar($0))" }
          ?? Marks.none(texts)
      },
    ]
    return Panel.section(
      "to-come", texts.overviewToCome, note: texts.overviewToComeNote,
      link: "<a href=\"\(link.text)\">\(texts.arrivalsTitle)</a>", flush: true,
      TableView(texts.overviewToCome, columns, texts: texts).markup(figures.days.all.suffix(8).reversed()))
  }

  /// The return on spend of each currency; the spend alone where it has none, as beside spend in other currencies.
  private func spend(_ figures: Figures, _ link: PageAddress, _ texts: Texts) -> HTML {
    guard let paid = figures.paid, let total = paid.namedTotal else { return "" }
    let currencies = paid.keys(after: "spend-").filter { !$0.contains("-") }
    let parts = currencies.compactMap { currency -> HTML? in
      guard let spend = total["spend-\(currency)"].micros, spend > 0 else { return nil }
      let back =
        total["roas-mid-\(currency)"].number.map { back -> HTML in
          "<data value=\"\(trimmed(back, 4))\">\(fixed(back, 2))</data>"
        } ?? Marks.none(texts)
      let each: HTML =
        total["ecpi-\(currency)"].micros.map {
          "<dd class=\"s\">\(texts.overviewCostEach(cost: Marks.money($0)))</dd>"
        } ?? ""
      return """
        <dd class="v">\(back)</dd>\
        <dd class="s">\(texts.overviewSpend(amount: Marks.money(spend), currency: "\(currency)"))</dd>\(each)
        """
    }
    guard !parts.isEmpty else { return "" }
    return """
      <div class="fig"><dt><a href="\(link.text)">\(texts.overviewReturn)</a></dt>\(parts.joined())</div>
      """
  }

  /// How much more or less a count is than that of the days before.
  static func change(_ now: NamedCells, _ before: NamedCells?, _ name: String, _ texts: Texts) -> HTML {
    guard let before, before.count(name) > 0 else { return "" }
    let change = Double(now.count(name) - before.count(name)) / Double(before.count(name))
    let amount: HTML = "<data value=\"\(trimmed(change, 4))\">\(percent(change.magnitude, 0))</data>"
    return
      "<dd class=\"s\">\(change < 0 ? texts.compareLess(share: amount) : texts.compareMore(share: amount))</dd>"
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

  private func chart(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let days = figures.days.all
    let now = days.map { figures.byDay[$0]?.count("postbacks") ?? 0 }
    let before = figures.days.before.all.map { figures.byDayBefore[$0]?.count("postbacks") ?? 0 }
    let isCompared = !figures.byDayBefore.isEmpty
    var chart = SeriesChart(
      days.map { Marks.shortDay($0) }, most: Double((now + (isCompared ? before : [])).max() ?? 0))
    chart.bars(now.map { Double($0) })
    if isCompared { chart.line(before.map { Double($0) }, style: "k6 d2 thin") }
    struct Line: Sendable {
      let day: Day
      let now: Int64
      let before: Int64?
      let withheld: Double?
    }
    let lines = days.indices.map { index in
      Line(
        day: days[index], now: now[index], before: isCompared ? before[index] : nil,
        withheld: figures.byDay[days[index]]?["null-share"].number)
    }
    let address = context.address
    var columns: [TableView<Line>.Column] = [
      .init(texts.columnArrivalDay, isNumber: false) { Marks.day($0.day) },
      .init(texts.columnConversions) {
        address.count($0.now, $0.day..<$0.day.next, [("window", "1")])
      },
    ]
    if isCompared {
      columns.append(
        .init(texts.columnDaysBefore(count: days.count)) { line in
          let day = Day(number: line.day.number - Int32(days.count))
          return line.before.map { address.count($0, day..<day.next, [("window", "1")]) } ?? Marks.none(texts)
        })
    }
    columns.append(
      .init(texts.columnWithheld) { line in
        guard let share = line.withheld else { return Marks.none(texts) }
        let target = address.postbacks(line.day..<line.day.next, [("window", "1"), ("value", "none")])
        return share > 0 ? "<a href=\"\(target.text)\">\(Marks.share(share))</a>" : Marks.share(share)
      })
    let table = TableView(texts.overviewByDay, columns, texts: texts).markup(lines)
    let legend: [(LegendSample, HTML)] =
      [(.bar("f1"), figures.days.label)]
      + (isCompared ? [(.line("k6 d2"), texts.columnDaysBefore(count: days.count))] : [])
    return Panel.section(
      "days", texts.overviewByDay, note: texts.overviewByDayNote,
      Panel.figure(
        "days", legend: legend,
        chart: chart.markup(label: texts.overviewChartLabel(days: figures.days.label)),
        slider: texts.columnArrivalDay, count: days.count, table: table, texts))
  }

  private func top(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let target = context.address.moved(
      to: CampaignsScreen.path, keeping: DaySpan.names.union(["app", "environment"]))
    let source = context.address
    var columns: [TableView<NamedCells>.Column] = [
      .init(texts.columnCampaign, isNumber: false) { CampaignName.markup($0, from: source) },
      .init(texts.columnConversions) { row in
        source.count(row.count("postbacks"), figures.days, Self.campaign(row))
      },
      .init(texts.columnWithheld, style: "n wh") { row in
        Withheld.cell(
          row, texts, link: source.postbacks(figures.days, Self.campaign(row) + [("value", "none")]))
      },
    ]
    let currencies = figures.table.keys(after: "revenue-mid-")
    if !currencies.isEmpty {
      columns.append(
        .init(texts.columnRevenue, style: "iv") { RevenueCell.markup($0, currencies, texts) })
    }
    return Panel.section(
      "top", texts.overviewTop, link: "<a href=\"\(target.text)\">\(texts.overviewAllCampaigns)</a>",
      flush: true,
      TableView(texts.overviewTop, columns, texts: texts).markup(figures.campaigns))
  }

  /// What leads to the first postbacks of a campaign.
  private static func campaign(_ row: NamedCells) -> [(name: String, value: String?)] {
    [
      ("app", row.text("app")), ("network", row.text("network")), ("campaign", row.text("campaign")),
      ("window", "1"),
    ]
  }

  private func alerts(_ context: ScreenContext) -> HTML {
    let texts = context.texts
    let items = context.alerts.prefix(5).map { alert -> HTML in
      let style = alert.severity == "critical" ? "bad" : alert.severity == "warning" ? "warn" : "info"
      return """
        <li><div class="row"><span class="badge \(style)">\(alert.severity)</span>\
        <span class="soft xs">\(texts.overviewSince(day: Marks.day(alert.since.day)))</span></div>\
        <p>\(.prose(alert.sentence))</p><p class="cure">\(.prose(alert.remedy))</p></li>
        """
    }
    let list: HTML =
      items.isEmpty
      ? "<p class=\"below soft\">\(texts.overviewNoAlerts)</p>" : "<ul class=\"list\">\(items.joined())</ul>"
    return Panel.section("alerts", texts.overviewAlerts, flush: true, list)
  }
}
