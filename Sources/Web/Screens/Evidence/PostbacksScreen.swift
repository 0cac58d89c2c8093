import Arguments
import Markup
import Pages
import Reporting
import Tables

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
  static let place: NavigationPlace? = NavigationPlace(.verify, 2)
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
      return .file(
        name: "postbacks.\(format.fileEnding)", contentType: format.fileType, text: answer.table.text(format))
    }
    // Today counts here, or nothing new would ever be shown; complete days are for figures.
    let hasDays = !context.address["from"].isEmpty || !context.address["through"].isEmpty || span.last != nil
    let days = hasDays ? span.days(at: context.now) : nil
    let last = try NewestPostbacks.lastRow(of: context.source)
    let tag = "\(last)-\(context.alerts.count)"
    let found = try search.answer(days, scope, atMost: Self.rowsOfPage, from: context.source)
    if part == .live { return .part(tag: tag, "\(liveLine(found, context))\(table(found, context))") }
    let isLive = search.before == nil
    let content: HTML = "\(liveLine(found, context))\(table(found, context))"
    let live: HTML =
      isLive
      ? """
      <div data-live="\(context.address.with("part", "live").text)" data-tag="\(tag)">\
      <div class="banner warn" data-lost role="status" hidden><div><p>\(texts.postbacksLost)</p></div></div>\
      <div data-live-content>\(content)</div></div>
      """ : content
    var page = Page(
      texts.postbacksTitle, scope: texts.postbacksScope,
      body: """
        \(PostbackSearchForm.markup("", texts))\(try filters(context))\
        \(Panel.section("postbacks", texts.postbacksNewest, flush: true, "\(live)\(pager(found, context))"))
        """)
    page.actions = """
      <a class="btn" href="\(PageAddress(PastedPostbackScreen.path).text)">\(texts.postbacksPaste)</a>\(context.fileLinks)
      """
    page.scripts = [.liveScript]
    return .page(page)
  }

  private func filters(_ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    var form = FilterForm(context.address, texts)
    form.day("from", texts.filterFrom, context.address["from"].first ?? "")
    form.day("through", texts.filterThrough, context.address["through"].first ?? "")
    let apps = try context.apps(scope)
    if apps.count > 1 || !scope.apps.isEmpty {
      let chosen = scope.apps.map(\.parameterText)
      form.choice(
        "app", texts.filterApp, chosen.joined(separator: ","),
        [("", texts.filterAll)] + (apps + chosen.filter { !apps.contains($0) }).map { ($0, "\($0)") })
    }
    form.search(
      "network", texts.filterNetwork, scope.networks.map(\.parameterText).joined(separator: ","))
    form.search("campaign", texts.columnCampaign, search.campaign ?? "")
    form.choice(
      "window", texts.filterWindow, search.window.map { "\($0)" } ?? "",
      [("", texts.filterAll), ("1", "1"), ("2", "2"), ("3", "3")])
    form.search("value", texts.valuesValue, search.value?.parameterText ?? "")
    form.choice(
      "outcome", texts.columnOutcome, search.outcome?.parameterText ?? "",
      [("", texts.filterAll)] + NewestPostbacks.Happened.words.map { ($0, "\($0)") })
    let environment = scope.environment.parameterText
    form.choice(
      "environment", texts.filterEnvironment, environment == "production" ? "" : environment,
      [
        ("", "production"), ("test", "test"), ("development", "development"), ("claimed", "claimed"),
      ])
    return form.markup(summary: "", dropping: ["before", "last", "part"])
  }

  /// How new the rows are, and how many alerts fire.
  private func liveLine(_ found: NewestPostbacks.Answer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let newest: HTML = found.moments.max().map { texts.postbacksLast(moment: Marks.moment($0)) } ?? ""
    let alerts: HTML =
      context.alerts.isEmpty
      ? texts.postbacksNoAlerts
      : "<a href=\"/\"><span class=\"badge bad\">\(texts.frameAlertCount(count: context.alerts.count))</span></a>"
    return "<p class=\"stateline in\"><span>\(newest)</span> <span>\(alerts)</span></p>"
  }

  private func table(_ found: NewestPostbacks.Answer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    struct Line: Sendable {
      let row: NamedCells
      let moment: HTML
    }
    let lines = zip(found.table.named, found.moments).map { Line(row: $0, moment: Marks.moment($1)) }
    guard !lines.isEmpty else {
      return """
        <div class="empty"><h3>\(texts.postbacksNoneTitle)</h3><p>\(texts.postbacksNoneReason)</p>\
        <p><a class="btn" href="\(Self.path)">\(texts.campaignsNoneAction)</a></p></div>
        """
    }
    func help(_ name: String) -> HTML? { found.table.header(name).map { "\($0.help)" } }
    let address = context.address
    let columns: [TableView<Line>.Column] = [
      .init(texts.columnPostback, isNumber: false) { line in
        let id = line.row.text("id") ?? ""
        return """
          <a class="name" href="\(address.postback(id).text)"><b class="mono"><bdi>\(id)</bdi></b>\
          <span class="id">\(line.moment)</span></a>
          """
      },
      .init(texts.columnCampaign, isNumber: false) { line in
        """
        <bdi>\(line.row.text("campaign") ?? "")</bdi><span class="sub"><bdi>\(line.row.text("network") ?? "")</bdi></span>
        """
      },
      .init(texts.filterWindow, help: help("window")) { Marks.cell($0.row["window"], .count, texts) },
      .init(texts.columnOutcome, help: help("outcome"), isNumber: false) {
        "\($0.row.text("outcome") ?? "")"
      },
      .init(texts.valuesValue, help: help("value")) { line in
        line.row.text("coarse").map { "\($0)" } ?? Marks.cell(line.row["value"], .count, texts)
      },
      .init(texts.columnMeaning, help: help("meaning"), isNumber: false) { line in
        let rule: HTML = line.row.text("rule").map { "<span class=\"sub\">\($0)</span>" } ?? ""
        let mixed: HTML =
          line.row.text("certainty") == "mixed" ? " <span class=\"badge warn\">mixed</span>" : ""
        return "\(line.row.text("meaning") ?? "")\(mixed)\(rule)"
      },
      .init(texts.columnRevenue, help: help("revenue-mid")) { line in
        guard let mid = line.row["revenue-mid"].micros else { return Marks.none(texts) }
        return "\(Marks.money(mid)) \(line.row.text("currency") ?? "")"
      },
      .init(texts.columnRoute, help: help("route"), isNumber: false) { "\($0.row.text("route") ?? "")" },
    ]
    return TableView(texts.postbacksNewest, columns, texts: texts).markup(lines)
  }

  private func pager(_ found: NewestPostbacks.Answer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard found.next != nil || search.before != nil else { return "" }
    let newest: HTML =
      search.before == nil
      ? ""
      : "<a class=\"btn small\" href=\"\(context.address.without(["before"]).text)\">\(texts.postbacksNewest)</a>"
    let older: HTML =
      found.next.map {
        "<a class=\"btn small\" href=\"\(context.address.with("before", "\($0)").text)\">\(texts.postbacksOlder)</a>"
      } ?? ""
    return
      "<nav class=\"pager\" aria-label=\"\(texts.pagerLabel)\"><span></span><span class=\"row\">\(newest)\(older)</span></nav>"
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
