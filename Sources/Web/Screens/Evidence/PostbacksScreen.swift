import Arguments
import Campaigns
import Explanations
import Ledger
import Mappings
import Markup
import Pages
import Postbacks
import Tables
import Values

/// The stored conversions, the one stored last first; new ones appear by themselves.
struct PostbacksScreen: ScreenContent {
  /// A part of the page that is fetched by itself.
  enum Part: String, CaseIterable, ParameterValue { case live }

  var span = DaySpan()
  var scope = Scope()
  var search = NewestPostbacks()
  var part: Part?
  var format: Format?

  static let path = PageAddress.postbacksPath
  static let place: NavigationPlace? = NavigationPlace(.checks, 2)
  private static let rowsOfPage = 50
  private static let rowsOfFile = 10_000
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + Parameter.all(of: \.search) + [
      .init("part", \.part, "Part of the page to send."),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.postbacksTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    if let format {
      let days = span.days(at: context.now)
      let answer = try search.answer(days, scope, atMost: Self.rowsOfFile, from: context.source)
      return .file("postbacks", format, answer.table.text(format))
    }
    // Today counts here, or nothing new would ever be shown; complete days are for figures.
    let hasDays = !context.address["from"].isEmpty || !context.address["through"].isEmpty || span.last != nil
    let days = hasDays ? span.days(at: context.now) : nil
    let last = try NewestPostbacks.lastRow(of: context.source)
    let tag = "\(last)-\(context.alerts.count)-\(texts.language.rawValue)"
    let found = try search.answer(days, scope, atMost: Self.rowsOfPage, from: context.source)
    let content: HTML = "\(liveLine(found, context))\(table(found, context))"
    if part == .live { return .part(tag: tag, content) }
    let isLive = search.before == nil
    let live: HTML =
      isLive
      ? """
      <div data-live="\(context.address.with("part", "live").text)" data-tag="\(tag)">\
      <div class="banner warn" data-lost role="status" hidden><div><p>\(texts.postbacksLost)</p></div></div>\
      <div data-live-content>\(content)</div></div>
      """ : content
    return .page(
      Page(
        texts.postbacksTitle, scope: texts.postbacksScope,
        actions: """
          <a class="btn" href="\(PageAddress(PastedPostbackScreen.path).text)">\(texts.postbacksPaste)</a>\(context.fileLinks)
          """, scripts: [.liveScript],
        body: """
          \(PostbackSearchForm.markup("", texts))\(try filters(context))\
          \(Panel.section("postbacks", texts.postbacksNewest, flush: true, "\(live)\(pager(found, context))"))
          """))
  }

  private func filters(_ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    var form = FilterForm(context.address, texts)
    form.day("from", texts.filterFrom, context.address["from"].first ?? "")
    form.day("through", texts.filterThrough, context.address["through"].first ?? "")
    form.apps(try context.apps(scope), scope, context)
    form.search(
      "network", texts.filterNetwork, scope.networks.map(\.parameterText).joined(separator: ","))
    form.search("campaign", texts.columnCampaign, search.campaign ?? "")
    form.choice("window", texts.filterWindow, among: ["1", "2", "3"], search.window.map { ["\($0)"] } ?? [])
    form.search("value", texts.valuesValue, search.value?.parameterText ?? "")
    form.choice(
      "outcome", texts.columnOutcome, search.outcome?.parameterText ?? "",
      [("", texts.filterAll)] + Outcome.allCases.map { ($0.rawValue, Self.words(of: $0, texts)) })
    form.environment(scope.environment.parameterText)
    return form.markup(summary: "", dropping: ["before", "last", "part"])
  }

  /// How new the rows are, and how many alerts fire.
  private func liveLine(_ found: NewestPostbacks.Answer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let newest: HTML =
      found.rows.lazy.map(\.postback.receivedAt).max().map { texts.postbacksLast(moment: Marks.moment($0)) }
      ?? ""
    let alerts: HTML =
      context.alerts.isEmpty
      ? texts.postbacksNoAlerts
      : "<a href=\"/\"><span class=\"badge bad\">\(texts.frameAlertCount(count: context.alerts.count))</span></a>"
    return "<p class=\"stateline in\"><span>\(newest)</span> <span>\(alerts)</span></p>"
  }

  private func table(_ found: NewestPostbacks.Answer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let rows = found.rows
    guard !rows.isEmpty else {
      return """
        <div class="empty"><h3>\(texts.postbacksNoneTitle)</h3><p>\(texts.postbacksNoneReason)</p>\
        <p><a class="btn" href="\(Self.path)">\(texts.campaignsNoneAction)</a></p></div>
        """
    }
    let names: [DataTable.Column] = [
      .init(
        texts.columnPostback, isNumber: false,
        rows.map { row in
          let id = row.postback.identifier
          return """
            <a class="name" href="\(context.address.postback(id).text)"><b class="mono"><bdi>\(id)</bdi></b>\
            <span class="id">\(Marks.moment(row.postback.receivedAt))</span></a>
            """
        }),
      .init(
        texts.columnCampaign, isNumber: false,
        rows.map { row in
          """
          <bdi>\(row.postback.campaign)</bdi><span class="sub">\(context.called.shortNetwork(row.postback.network))</span>
          """
        }),
    ]
    let columns: [ReportColumn<PostbackReport.Row>] = [
      ReportColumn(PostbackReport.window, texts.filterWindow),
      ReportColumn(PostbackReport.outcome, texts.columnOutcome, isNumber: false) {
        Self.words(of: $0.postback.outcome, texts)
      },
      ReportColumn(PostbackReport.value, texts.valuesValue, isNumber: true) { row in
        row.postback.coarse.map { "\($0)" } ?? row.postback.fine.map { Marks.count($0) } ?? Marks.none(texts)
      },
      ReportColumn(PostbackReport.meaning, texts.columnMeaning, isNumber: false) { row in
        let rule: HTML =
          row.rule.map { "<span class=\"sub\"><bdi>\(texts.say(phrase: $0))</bdi></span>" } ?? ""
        let mixed: HTML =
          row.decoded.isMixed ? " <span class=\"badge warn\">\(texts.postbacksMixed)</span>" : ""
        return "\(Self.words(of: row.decoded.status, texts))\(mixed)\(rule)"
      },
      ReportColumn(PostbackReport.revenue, texts.columnRevenue, isNumber: true) { row in
        row.money.map { money in
          "\(Marks.money(money.representative, in: money.currency.text)) \(money.currency.text)"
        } ?? Marks.none(texts)
      },
      ReportColumn(PostbackReport.route, texts.columnRoute, isNumber: false) {
        Self.words(of: $0.postback.origin.route, texts)
      },
    ]
    return Panel.table(texts.postbacksNewest, names + columns.of(rows, texts), texts)
  }

  private func pager(_ found: NewestPostbacks.Answer, _ context: ScreenContext) -> HTML {
    let (texts, address) = (context.texts, context.address)
    return Panel.pager(
      "",
      [
        search.before == nil ? nil : (address.without(["before"]), texts.postbacksNewest),
        found.next.map { (address.with("before", "\($0)"), texts.postbacksOlder) },
      ], texts)
  }

  /// What happened, in words.
  static func words(of outcome: Outcome, _ texts: Texts) -> HTML {
    switch outcome {
    case .install: texts.postbacksOutcomeInstall
    case .redownload: texts.postbacksOutcomeRedownload
    case .reengagement: texts.postbacksOutcomeReengagement
    case .assist: texts.postbacksOutcomeAssist
    case .other: texts.postbacksOutcomeOther
    }
  }

  /// By which way a postback came, and the sender where it is known.
  static func words(ofOrigin origin: String, _ texts: Texts) -> HTML {
    let parts = origin.split(separator: " ", maxSplits: 1).map(String.init)
    let word = parts.first ?? ""
    let route = Route(rawValue: word).map { words(of: $0, texts) } ?? "\(word)"
    return parts.count == 2 ? "\(route), <bdi>\(parts[1])</bdi>" : route
  }

  /// By which way a postback came, in words.
  private static func words(of route: Route, _ texts: Texts) -> HTML {
    switch route {
    case .networkAddress: texts.postbacksRouteNetworkAddress
    case .advertiserCopy: texts.postbacksRouteAdvertiserCopy
    case .forwarded: texts.postbacksRouteForwarded
    case .file: texts.postbacksRouteFile
    }
  }

  /// What became of a value, in words.
  private static func words(of status: DecodedPostback.Status, _ texts: Texts) -> HTML {
    switch status {
    case .decoded: texts.postbacksMeaningDecoded
    case .zero: texts.postbacksMeaningZero
    case .null: texts.postbacksMeaningNull
    case .unmapped: texts.postbacksMeaningUnmapped
    case .impossible: texts.postbacksMeaningImpossible
    case .noneExpected: texts.postbacksMeaningNoneExpected
    case .noMapping: texts.postbacksMeaningNoMapping
    }
  }
}

/// The form that finds a postback by its identifier.
enum PostbackSearchForm {
  static func markup(_ identifier: String, _ texts: Texts) -> HTML {
    """
    <form class="scope" role="search" method="get" action="\(PostbackScreen.path)"><div class="field">\
    <label for="find-id">\(texts.postbacksFind)</label><input id="find-id" name="id" value="\(.value(identifier))" size="38" \
    class="mono" autocapitalize="none" spellcheck="false"></div><button class="btn">\(texts.filterFind)</button></form>

    """
  }
}
