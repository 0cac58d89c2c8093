import Arguments
import Campaigns
import EstimateReports
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Tables
import Values

/// One campaign: what it cost and earned, its days, what its values mean, and where its conversions come from.
struct CampaignScreen: MoneyScreen {
  var span = DaySpan()
  var scope = Scope()
  var campaign: String?
  /// How many last digits distinguish campaigns; `nil` for as many as postbacks have.
  var digits: Int?
  var money = MoneyChoice()
  var format: Format?
  var table = SavedTable.days

  /// The table that a file has.
  enum SavedTable: String, CaseIterable, ParameterValue {
    case days, windows, outcome, interaction, country, publisher, version

    var dimension: CampaignDimension {
      switch self {
      case .days: .day
      case .windows: .window
      case .outcome: .outcome
      case .interaction: .interaction
      case .country: .country
      case .publisher: .publisher
      case .version: .version
      }
    }
  }

  static let path = "/campaign"
  static let isOfApps = true
  static let isOfNetworks = true
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + Parameter.all(of: \.money) + [
      .init("digits", \.digits, "Last digits of a source identifier that distinguish campaigns.", in: 2...4),
      .init("campaign", \.campaign, "Digits of the campaign.") { (screen) throws(ParameterError) in
        try CampaignName.check(screen.campaign)
      }, .init("format", \.format, "File to save instead of a page."),
      .init("table", \.table, "Table that the file has."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.campaignTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    // Estimates rest on all networks, so viewers of some have the page of what arrived.
    let list: Screen = context.viewer.limit.networks.isEmpty ? CampaignsScreen.self : ArrivedScreen.self
    guard let campaign else {
      return .redirect(context.address.moved(to: list.path, keeping: DaySpan.names))
    }
    let texts = context.texts
    var days = span.installDays(at: context.now)
    if !span.isChosen, format == nil, try !hasPostbacks(context, days) {
      // A new campaign has only days whose postbacks are still to come.
      days = span.days(at: context.now)
    }
    if let format {
      let report = report(
        context, days, by: [.stored(table.dimension)], where: table == .days ? ["window=1"] : [])
      return .file("campaign-\(table.rawValue)", format, try report.text(format, from: context.source))
    }
    let listed = context.address.moved(
      to: list.path, keeping: OverviewScreen.kept.subtracting(["network"]))
    let apps = scope.apps.map { context.called.shortApp("\($0.number)") }
    let networks = scope.networks.map { context.called.shortNetwork($0.canonical) }
    let filters = context.filters(DaySpan(days), scope, apps: []).markup(
      summary: days.label, dropping: ["last"])
    let whole = try report(context, days, by: [.stored(.network), .stored(.campaign)]).answer(
      from: context.source, for: .names)
    let estimates = try CampaignMoney(self, campaign, days, context)
    var called = CampaignPlace(app: nil, network: nil, digits: campaign, name: nil)
    if let found = estimates.place ?? whole.rows.first?.place {
      (called.name, called.candidates) = (found.name, found.candidates)
    }
    let title = CampaignName.words(called, texts)
    let around = apps + networks + ["<bdi>\(campaign)</bdi>", CampaignName.fitting(called, texts)]
    let place = around.filter { !$0.text.isEmpty }.joined(separator: " · ")
    let scopeLine: HTML = """
      <a href="\(listed.text)">\(list.title(texts))</a> · \(place) · \
      \(texts.overviewScopeBefore(days: days.markup, count: days.length))
      """
    guard whole.total?.counts.postbacks ?? 0 > 0 || !estimates.headline.lines.isEmpty else {
      return .page(
        Page(
          title, scope: scopeLine,
          body: "\(filters)\(try NothingHere.markup(context, scope, campaign: campaign))"))
    }
    let first = try report(context, days, by: [.stored(.network), .stored(.campaign)], where: ["window=1"])
      .answer(from: context.source, for: [])
    let charts = try estimates.byDay.enumerated().map { index, money -> HTML in
      try MoneyChart(money: money, scope: scope, campaign: campaign)
        .panel(index == 0 ? "days" : "days-\(index + 1)", context)
    }
    return .page(
      Page(
        title, scope: scopeLine, actions: context.copyLink, scripts: [.chartScript, .mapScript],
        body: """
          \(filters)\(estimates.cards(context))\
          <div class="two"><div class="stack">\(charts.joined())\(try values(first, days, context))</div><div class="stack">\(try moved(days, estimates, context))\(names(called, texts))</div></div>\
          <details class="more"><summary>\(texts.campaignDetails)</summary><div class="stack">\(arrived(whole.total, first.total, days, context))\(try parts(context, days))</div></details>
          """))
  }

  private func hasPostbacks(_ context: ScreenContext, _ days: Range<Day>) throws -> Bool {
    try report(context, days, by: [.stored(.campaign)]).answer(from: context.source, for: []).total?.counts
      .postbacks ?? 0 > 0
  }

  func report(
    _ context: ScreenContext, _ days: Range<Day>, by dimensions: [ReportDimension],
    where conditions: [String] = []
  ) -> CampaignReport {
    var report = context.campaigns(
      days, scope, by: dimensions, where: conditions + ["campaign=\(campaign ?? "")"])
    report.digits = digits
    return report
  }

  /// How much arrived, and whether its copies agree.
  private func arrived(
    _ total: CampaignTable.Line?, _ first: CampaignTable.Line?, _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    guard let total else { return "" }
    let (texts, address) = (context.texts, context.address)
    let conflicts = Marks.count(total.counts.conflicts ?? 0)
    return Panel.figures(
      [
        Panel.figure(
          texts.overviewConversions, address.count(first?.counts.postbacks ?? 0, days, [("window", "1")]),
          texts.campaignAllWindows(number: address.count(total.counts.postbacks, days))),
        first.flatMap(Withheld.init)?.figure(
          link: address.postbacks(days, [("window", "1"), ("value", "none")]), texts),
        Panel.figure(
          texts.columnConflicts, conflicts,
          texts.campaignConflicts(copies: Marks.count(total.counts.repeats ?? 0), conflicts: conflicts)),
      ].compactMap(\.self))
  }

  /// What moved its revenue against the days before.
  private func moved(
    _ days: Range<Day>, _ estimates: CampaignMoney, _ context: ScreenContext
  ) throws -> HTML {
    guard let place = estimates.place else { return "" }
    let texts = context.texts
    var screen = CausesScreen()
    (screen.scope, screen.money) = (scope, money)
    var report = try screen.report(days, context)
    report.digits = estimates.digits
    let rows = try report.answer(from: context.source).rows(of: CausesReport.campaigns)
      .filter { $0.place.unnamed == place.unnamed && $0.change != nil }
    let target = context.address.moved(to: CausesScreen.path, keeping: OverviewScreen.kept)
    return rows.enumerated().map { index, row -> HTML in
      let causes = CausesScreen.causes(of: row, texts)
      let currency = row.measure.currency.text
      return Panel.section(
        index == 0 ? "moved" : "moved-\(index + 1)", texts.campaignMoved(currency: "\(currency)"),
        link: "<a href=\"\(target.text)\">\(texts.causesTitle)</a>",
        columns: [
          .init(texts.causesCause, isNumber: false, causes.map(\.word)),
          .init("\(currency)", causes.map { CausesScreen.signed($0.amount) }),
        ], hasTotal: true, texts)
    }.joined()
  }

  private func names(_ place: CampaignPlace, _ texts: Texts) -> HTML {
    guard !place.candidates.isEmpty, place.name == nil else { return "" }
    let items = place.candidates.map { name -> HTML in "<li><bdi>\(name)</bdi></li>" }
    return Panel.section(
      "names", texts.campaignNames, flush: true, "<ul class=\"list\">\(items.joined())</ul>")
  }

  /// Small tables of where conversions come from.
  private func parts(_ context: ScreenContext, _ days: Range<Day>) throws -> HTML {
    let (texts, address) = (context.texts, context.address)
    let byDay = try report(context, days, by: [.stored(.day)], where: ["window=1"])
      .answer(from: context.source, for: []).rows.byDay
    let arrived = Panel.section(
      "arrived", texts.columnArrivalDay,
      link: context.csv(of: SavedTable.days.rawValue, called: texts.columnArrivalDay),
      columns: [
        .init(texts.columnArrivalDay, isNumber: false, days.all.map { Marks.day($0) }),
        .init(
          texts.columnConversions,
          days.all.map { address.count(byDay[$0]?.counts.postbacks ?? 0, $0..<$0.next, [("window", "1")]) }),
        .init(
          texts.columnWithheld,
          days.all.map { day in
            address.count(
              byDay[day]?.counts.valueNull ?? 0, day..<day.next, [("window", "1"), ("value", "none")])
          }),
      ], texts)
    let parts: [(dimension: CampaignDimension, title: HTML)] = [
      (.outcome, texts.campaignOutcomes), (.interaction, texts.campaignInteractions),
      (.country, texts.campaignCountries), (.publisher, texts.campaignPublishers),
      (.version, texts.campaignVersions),
    ]
    let tables = try parts.map { part -> HTML in
      let rows = try report(context, days, by: [.stored(part.dimension)])
        .answer(from: context.source, for: [], sort: CampaignReport.postbacks.descending).rows.prefix(8)
      let name = part.dimension.rawValue
      guard !rows.isEmpty else { return "" }
      return Panel.section(
        name, part.title, link: context.csv(of: name, called: part.title),
        columns: [
          .init(
            part.title, isNumber: false,
            rows.map { row in row.word(part.dimension).map { "<bdi>\($0)</bdi>" } ?? texts.campaignNone }),
          .init(
            texts.columnConversions,
            rows.map { row in
              // Of these, postbacks can be looked for by what happened alone.
              part.dimension == .outcome
                ? address.count(row.counts.postbacks, days, [(name, row.word(part.dimension))])
                : Marks.count(row.counts.postbacks)
            }),
        ], texts)
    }
    return "\(arrived)\(tables.joined())"
  }
}
