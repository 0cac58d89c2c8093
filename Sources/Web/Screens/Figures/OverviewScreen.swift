import Arguments
import Campaigns
import EstimateReports
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// The answer to the first questions: what was paid, what it earned, and what needs a look.
struct OverviewScreen: MoneyScreen {
  var span = DaySpan()
  var scope = Scope()
  var compare = Compared.previous
  var money = MoneyChoice()

  static let path = "/"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.daily, 1)
  private static let topCampaigns = 7
  /// Currencies and horizons that have a chart of their own.
  private static let mostCharts = 3
  /// Parameters that links to other figures take along.
  static let kept = DaySpan.names.union(["app", "network", "environment", "currency", "horizon"])
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope)
    + [.init("compare", \.compare, "What figures are compared with.")] + Parameter.all(of: \.money)

  static func title(_ texts: Texts) -> HTML { texts.overviewTitle }

  private struct Figures {
    let days: Range<Day>
    /// By campaign, those with most spend first.
    let campaigns: ReportAnswer<EstimateReport>
    let headline: Headline
    /// The days of each line of the headline.
    let byDay: [MoneyByDay]
    /// What arrived in the days, by app.
    let decoded: [CampaignTable.Line]
    let installs: ArrivedInstalls
    /// Whether postbacks of some of the days are still to come.
    let isOpen: Bool
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    var days = span.installDays(at: context.now)
    var found = try figures(context, days)
    if found == nil, !span.isChosen {
      // A service that has just begun has only days whose postbacks are still to come.
      days = span.days(at: context.now)
      found = try figures(context, days)
    }
    var form = context.filters(DaySpan(days), scope, apps: try context.apps(scope))
    form.choice(
      "compare", texts.filterCompare, compare == .previous ? "" : compare.rawValue,
      [("", texts.filterComparePrevious(count: days.length)), ("none", texts.filterCompareNothing)])
    form.currency(money.currency, rates: try context.reader.rates(), texts)
    form.horizon(money.horizon, known: try context.reader.valueWorth(), of: scope.apps, texts)
    let filters = form.markup(summary: days.label, dropping: ["last"])
    let scopeLine =
      compare == .previous
      ? texts.overviewScopeBefore(days: days.markup, count: days.length)
      : texts.overviewScope(days: days.markup)
    guard let figures = found else {
      return .page(
        Page(
          texts.overviewTitle, scope: scopeLine, body: "\(filters)\(try NothingHere.markup(context, scope))"))
    }
    let attention = AttentionList(
      figures.campaigns, figures.headline, isOpen: figures.isOpen, keeping: Self.kept, context)
    return .page(
      Page(
        texts.overviewTitle, scope: scopeLine, actions: context.copyLink, scripts: [.chartScript],
        body: """
          \(filters)\(EstimateBasis.asOf(figures.campaigns, texts))\(cards(figures, context))<div class="two"><div class="stack">\(try charts(figures, context))</div>\
          <div class="stack">\(attention.panel)</div></div>\
          <div class="two"><div class="stack">\(top(figures, context))</div>\
          <div class="stack">\(stillToCome(figures, context))</div></div>\(details(figures, context))
          """))
  }

  // MARK: Figures

  private func figures(_ context: ScreenContext, _ days: Range<Day>) throws -> Figures? {
    let decoded = try context.campaigns(days, scope, by: [.stored(.app)], where: ["window=1"])
      .answer(from: context.source, for: .meanings, sort: CampaignReport.postbacks.descending)
    let campaigns = try context.estimates(days, scope, money, by: [.campaign])
      .answer(from: context.source, sort: EstimateReport.spend.descending)
    let totals = campaigns.rows(of: EstimateReport.totals)
    guard !totals.isEmpty || decoded.total?.counts.postbacks ?? 0 > 0 else { return nil }
    let before =
      compare == .previous && !totals.isEmpty
      ? try context.estimates(days.before, scope, money, by: [.campaign]).ofTotals
        .answer(from: context.source).rows(of: EstimateReport.totals) : []
    let headline = Headline(totals, before: before)
    let installs = try context.installDays(toCome(context), scope)
    let daily =
      totals.isEmpty
      ? [] : try context.estimates(days, scope, money, by: [.day]).answer(from: context.source).rows
    let byDay = (daily.isEmpty ? [] : headline.lines).map {
      MoneyByDay($0, daily, days.all, today: context.now.day)
    }
    let isRecent = days.lastDay.number + EstimateReport.daysToArrive > context.now.day.number
    return Figures(
      days: days, campaigns: campaigns, headline: headline,
      byDay: byDay, decoded: decoded.rows, installs: installs,
      isOpen: byDay.isEmpty ? isRecent : byDay.contains { $0.firstOpen != nil })
  }

  /// The last install days, whatever days are shown.
  private func toCome(_ context: ScreenContext) -> Range<Day> {
    EstimateReport.lastDays(at: context.now)
  }

  private func cards(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard !figures.headline.lines.isEmpty else {
      let link: HTML =
        context.mayEdit
        ? " <a href=\"\(VersionsScreen.path)\">\(texts.headlineToMappings)</a>" : ""
      return Panel.banner("\(texts.headlineNoMapping)\(link)", .warning)
    }
    let paid = figures.campaigns.rows.count { $0.spend ?? .zero > .zero }
    return HeadlineCards(
      headline: figures.headline, context: context, byDay: figures.byDay.count == 1 ? figures.byDay[0] : nil,
      spendNote: texts.headlineCampaigns(count: paid), isOpen: figures.isOpen
    ).markup
  }

  // MARK: Panels

  private func charts(_ figures: Figures, _ context: ScreenContext) throws -> HTML {
    let target = context.address.moved(to: CausesScreen.path, keeping: Self.kept)
    let link: HTML = "<a href=\"\(target.text)\">\(context.texts.causesTitle)</a>"
    return try figures.byDay.prefix(Self.mostCharts).enumerated().map { place, money -> HTML in
      try MoneyChart(money: money, scope: scope)
        .panel(place == 0 ? "days" : "days-\(place + 1)", context, link: place == 0 ? link : "")
    }.joined()
  }

  private func top(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let target = context.address.moved(to: CampaignsScreen.path, keeping: Self.kept)
    let hasSpend = figures.headline.hasSpend
    let rows =
      hasSpend
      ? Array(figures.campaigns.rows.prefix(Self.topCampaigns))
      : Array(
        figures.campaigns.rows.sorted { $0.installs > $1.installs }.prefix(Self.topCampaigns))
    guard !rows.isEmpty else { return "" }
    let cells = MoneyCells(currency: nil, texts)
    var columns: [DataTable.Column] = [
      .init(
        texts.columnCampaign, isNumber: false,
        rows.map { CampaignName.markup($0.place, digits: EstimateReport().digits, context) })
    ]
    if hasSpend {
      columns += [
        .init(texts.columnReturn, style: "iv", rows.map(cells.returns)),
        .init(texts.campaignsPays, isNumber: false, rows.map(cells.verdict)),
        .init(texts.columnSpend, rows.map(cells.spend)),
      ]
    }
    columns.append(
      .init(texts.columnEstimatedRevenue, style: "iv", rows.map(cells.revenue)))
    if !hasSpend {
      columns.append(
        .init(texts.columnInstalls, rows.map { Marks.expected($0.installs) }))
    }
    return Panel.section(
      "top", hasSpend ? texts.overviewTopSpend : texts.overviewTopInstalls,
      link: "<a href=\"\(target.text)\">\(texts.overviewAllCampaigns)</a>", columns: columns, texts)
  }

  /// The last install days, newest first, with what has arrived of them.
  private func stillToCome(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let today = context.now.day
    let link = context.address.moved(
      to: ArrivalsScreen.path, keeping: DaySpan.names.union(["app", "network", "environment"]))
    let days = Array(toCome(context).all.reversed())
    return Panel.section(
      "to-come", texts.overviewToCome, link: "<a href=\"\(link.text)\">\(texts.arrivalsTitle)</a>",
      columns: [
        .init(texts.arrivalsInstallDay, isNumber: false, days.map { Marks.day($0) }),
        .init(
          texts.overviewArrived,
          days.map { ArrivalsScreen.number(figures.installs.installs(on: $0), texts) }),
        .init(
          texts.overviewExpected, style: "n wh",
          days.map { ArrivalsScreen.completeness(figures.installs.completeness(of: $0, today: today), texts) }
        ),
      ], texts)
  }

  /// What the postbacks of the days show by themselves, which is no estimate.
  private func details(_ figures: Figures, _ context: ScreenContext) -> HTML {
    let (texts, rows) = (context.texts, figures.decoded)
    guard !rows.isEmpty else { return "" }
    let days = figures.days
    func app(_ row: CampaignTable.Line) -> [(name: String, value: String?)] {
      [("app", row.app.map { "\($0.number)" }), ("window", "1")]
    }
    let table = Panel.table(
      texts.columnRevenue,
      [
        .init(
          texts.filterApp, isNumber: false,
          rows.map { row in row.app.map { context.called.app($0.number) } ?? "" }),
        .init(
          texts.columnConversions,
          rows.map { context.address.count($0.counts.postbacks, days, app($0)) }),
        .init(
          texts.columnWithheld, style: "n wh",
          rows.map { row in
            Withheld.cell(
              row, texts, link: context.address.postbacks(days, app(row) + [("value", "none")]))
          }),
        .init(texts.columnRevenue, style: "iv", rows.map { RevenueCell.markup($0, texts) }),
      ], texts)
    // Without a mapping it is all there is.
    let open: HTML = figures.headline.lines.isEmpty ? " open" : ""
    return """
      <details class="more"\(open)><summary>\(texts.overviewDetails)</summary>\(table)\
      <p class="s soft">\(texts.overviewDecodedNote)</p></details>
      """
  }

  /// How much more or less a figure is than that of the days before.
  static func change(_ change: Double, _ texts: Texts) -> HTML {
    let amount: HTML =
      "<data value=\"\(trimmed(change, 4))\">\(Marks.local(percent(change.magnitude, 0)))</data>"
    return change < 0 ? texts.compareLess(share: amount) : texts.compareMore(share: amount)
  }
}

extension [CampaignTable.Line] {
  /// The rows of a report by day.
  var byDay: [Day: CampaignTable.Line] {
    Dictionary(
      compactMap { row in row.found(\.day).map { ($0, row) } }, uniquingKeysWith: { first, _ in first })
  }
}
