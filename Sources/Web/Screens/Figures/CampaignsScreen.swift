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

/// Which campaigns pay back: spend, estimated revenue and return of the installs of some days, each with its verdict.
struct CampaignsScreen: MoneyScreen {
  var span = DaySpan()
  var scope = Scope()
  var money = MoneyChoice()
  var by = EstimateGrouping.campaign
  var digits = 2
  var target = ReturnTarget.one
  var verdict: VerdictChoice?
  var leastInstalls = 0
  var find: String?
  /// `nil` for the order that fits the rows.
  var sort: String?
  var columns: [EstimateColumn] = []
  var page = 1
  var format: Format?

  static let path = "/campaigns"
  static let isOfApps = true
  static let formRole: ViewerRole? = .reader
  static let place: NavigationPlace? = NavigationPlace(.daily, 2)
  static let rowsOfPage = 100
  /// Campaigns whose verdicts are counted at most.
  private static let mostCounted = 500
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + Parameter.all(of: \.money) + [
      .init("by", \.by, "What rows are about."),
      .init("digits", \.digits, "Last digits of a source identifier.", in: 2...4),
      .init("target", \.target, "Return on spend that campaigns are judged by."),
      .init(
        "verdict", \.verdict,
        "Campaigns to show: surely above the target, surely below it, neither yet, or without spend."),
      .init(
        "least-installs", \.leastInstalls, "Fewest installs of a campaign to show.", in: 0...1_000_000_000),
      .init("find", \.find, "Part of a name, network or number."),
      .init("sort", \.sort, "Column to sort by."),
      .init("columns", \.columns, "Columns to show, in their order."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.campaignsTitle }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    try SavedViews(context).answer(form)
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.installDays(at: context.now)
    if let format { return try file(format, days, context) }
    let views = try SavedViews(context)
    let scopeLine = texts.campaignsEstimatedScope(days: days.markup)
    let arrived = context.address.moved(to: ArrivedScreen.path, keeping: ArrivedScreen.shared)
    let answer = try answer(days, context)
    let rows = found(answer, context.called)
    let filters: HTML = "\(views.list)\(try filters(context, days, answer.rows))"
    let body: HTML
    if answer.rows.isEmpty {
      // What arrived is counted without a mapping too.
      let toMappings = try context.reader.mappings().isEmpty && context.viewer.limit.isNone
      let mappings = toMappings ? Self.button(PageAddress(VersionsScreen.path), texts.mappingsTitle) : ""
      body = """
        \(Panel.empty(texts.estimatesNoneTitle, texts.estimatesNoneReason, "<div class=\"row\">\(Self.button(arrived, texts.arrivedTitle))\(mappings)</div>"))\
        \(Panel.notes(answer.notes, texts))
        """
    } else {
      body =
        "\(EstimateBasis.asOf(answer, texts))\(try leftOut(answer, context))\(try panel(answer, rows, context))\(notes(answer, texts))"
    }
    return .page(
      Page(
        texts.campaignsTitle, scope: scopeLine,
        actions: "\(context.fileLinks)\(views.button)\(Self.button(arrived, texts.arrivedTitle))",
        body: "\(filters)\(body)"))
  }

  private static func button(_ address: PageAddress, _ word: HTML) -> HTML {
    "<a class=\"btn\" href=\"\(address.text)\">\(word)</a>"
  }

  private func answer(
    _ days: Range<Day>, _ context: ScreenContext
  ) throws -> ReportAnswer<EstimateReport> {
    var report = try context.estimates(days, scope, money, by: by.dimensions)
    (report.digits, report.target, report.leastInstalls) = (digits, target, leastInstalls)
    let usual = try usualSort(days, context)
    return try report.answer(from: context.source, sort: sort ?? usual, usual: usual)
  }

  /// Dates are shown newest first, others by spend, and by their size where nothing was paid.
  private func usualSort(_ days: Range<Day>, _ context: ScreenContext) throws -> String {
    if let date = by.date { return date.descending }
    let isPaid = try context.reader.hasSpend(
      from: days.lowerBound, to: days.upperBound, of: [scope.environment])
    return (isPaid && by.hasSpend ? EstimateReport.spend : EstimateReport.installs).descending
  }

  private func file(_ format: Format, _ days: Range<Day>, _ context: ScreenContext) throws -> PageAnswer {
    let answer = try answer(days, context)
    let rows = found(answer, context.called)
    let columns = try columns(answer, rows, context)
    return .file("campaigns", format, answer.text(format, rows, columns.flatMap(\.shown)))
  }

  /// The rows with the verdict that was asked for, and with the words.
  private func found(
    _ answer: ReportAnswer<EstimateReport>, _ called: Called
  ) -> [EstimateReport.Row] {
    let words = find?.lowercased()
    return answer.rows.filter { row in
      guard verdict == nil || VerdictChoice(row) == verdict else { return false }
      guard let words else { return true }
      let (place, app) = (row.place, row.app.map { "\($0.number)" })
      let texts =
        [place.digits, place.network, place.name, app, row.country, row.publisher].compactMap(\.self)
        + [by.cellText(of: row)].compactMap(\.self) + called.words(app: app, network: place.network)
        + place.candidates
      return texts.contains { $0.lowercased().contains(words) }
    }
  }

  // MARK: Filters

  private func filters(
    _ context: ScreenContext, _ days: Range<Day>, _ rows: [EstimateReport.Row]
  ) throws -> HTML {
    let texts = context.texts
    var form = FilterForm(context.address, texts)
    form.lengths(span, texts)
    form.apps(try context.apps(scope), scope, context)
    form.networks(rows.lazy.compactMap(\.network), scope, context)
    form.choice(
      "by", texts.filterBy, by == .campaign ? "" : by.rawValue,
      EstimateGrouping.allCases.map { ($0 == .campaign ? "" : $0.rawValue, $0.title(texts)) })
    form.search("find", texts.filterFind, find ?? "")
    let (rates, worths) = (try context.reader.rates(), try context.reader.valueWorth())
    form.more { form in
      form.day("from", texts.filterFrom, days.lowerBound.description)
      form.day("through", texts.filterThrough, days.lastDay.description)
      form.number("target", texts.filterTarget, target.parameterText)
      form.number(
        "least-installs", texts.filterLeastInstalls, leastInstalls == 0 ? "" : "\(leastInstalls)")
      form.currency(money.currency, rates: rates, usual: texts.filterAsEveryone, texts)
      form.horizon(money.horizon, known: worths, of: scope.apps, usual: texts.filterAsEveryone, texts)
      form.digits(digits)
      form.environment(scope.environment.rawValue)
      form.columns(
        "columns", chosen(rows).map(\.rawValue),
        EstimateColumn.allCases.map { ($0.rawValue, $0.title(texts)) })
    }
    return form.markup(summary: days.label, dropping: ["last", "page"])
  }

  /// Buttons that leave the campaigns of one verdict, with how many there are where that costs little.
  private func decisions(_ rows: [EstimateReport.Row], _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard by.hasSpend else { return "" }
    // Each verdict needs the draws of its row.
    let counts: [VerdictChoice?: Int]? =
      rows.count > Self.mostCounted
      ? nil : Dictionary(grouping: rows) { VerdictChoice($0) }.mapValues(\.count)
    let choices: [(VerdictChoice?, HTML)] = [
      (nil, texts.filterAll), (.no, texts.campaignsLoses), (.yes, texts.campaignsEarns),
      (.undecided, texts.campaignsCannotTell), (.noSpend, texts.campaignsNoSpend),
    ]
    let links = choices.map { choice, word -> HTML in
      let current: HTML = choice == verdict ? " aria-current=\"true\"" : ""
      let address = context.address.with("verdict", choice?.rawValue).without(["page"])
      let count: HTML =
        counts.map { counts in
          " <b>\(Marks.count(Int64(choice == nil ? rows.count : counts[choice] ?? 0)))</b>"
        } ?? ""
      return "<a class=\"chip\" href=\"\(address.text)\"\(current)>\(word)\(count)</a>"
    }
    return """
      <div class="decide in" role="group" aria-labelledby="decide"><span class="s" id="decide">\
      \(texts.campaignsPaysAt(target: Marks.number(target.ratio, 2)))</span>\(links.joined())</div>
      """
  }

  // MARK: Table

  /// The mapping versions without figures, because nothing is known yet of their users by the horizon.
  private func leftOut(
    _ answer: ReportAnswer<EstimateReport>, _ context: ScreenContext
  ) throws -> HTML {
    guard let days = try context.money(money, scope).days else { return "" }
    return answer.rows(of: EstimateReport.leftOut).map { version -> HTML in
      Panel.banner(
        context.texts.estimatesLeftOutVersion(
          count: Int(nearest: version.postbacks), version: "\(version.number)",
          app: context.called.app(version.app.number),
          day: Marks.day(version.effectiveFrom.day, hasYear: true), days: days), .note)
    }.joined()
  }

  /// The columns to show: those that were asked for, or the usual ones.
  private func chosen(_ rows: [EstimateReport.Row]) -> [EstimateColumn] {
    guard columns.isEmpty else { return columns }
    return EstimateColumn.usual.filter { column in
      switch column {
      case .spend, .verdict, .returns, .cost: by.hasSpend
      case .shared: by.isPartlyShown
      default: true
      }
    }
  }

  private func columns(
    _ answer: ReportAnswer<EstimateReport>, _ rows: [EstimateReport.Row], _ context: ScreenContext
  ) throws -> [ReportColumn<EstimateReport.Row>] {
    let currency = try context.money(money, scope).currency
    let cells = MoneyCells(currency: currency, target: target, context.texts)
    let hasApps = Set(answer.rows.lazy.compactMap(\.app).prefix(500)).count > 1
    let totals = answer.rows(of: EstimateReport.totals)
    func total(_ row: EstimateReport.Row) -> HTML {
      self.total(row, answer, isOnly: totals.count == 1, context)
    }
    return [by.column(digits: digits, hasApps: hasApps, total: total, context)]
      + chosen(rows).compactMap { $0.column(of: answer, cells, context.called, context.texts) }
  }

  /// The first cell of a total: how many campaigns it is of, which of several it is, and what it has that no row has.
  private func total(
    _ total: EstimateReport.Row, _ answer: ReportAnswer<EstimateReport>, isOnly: Bool,
    _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    let count = answer.rows.count { $0.currency == total.currency && $0.horizon == total.horizon }
    var below: [HTML] = []
    if !isOnly {
      below.append(
        texts.list(
          [HeadlineCards.word(total.horizon, texts)]
            + [total.currency.map { "\($0.text)" }].compactMap(\.self)))
    }
    for spend in answer.rows(of: EstimateReport.unmatchedSpend)
    where spend.key == total.currency && total.spend != nil {
      below.append(
        texts.campaignsUnmatched(
          amount: "\(MoneyCells.amount(spend.value, in: spend.key)) \(spend.key.text)"))
    }
    for rest in answer.rows(of: EstimateReport.notDivided)
    where rest.currency == total.currency && rest.horizon == total.horizon {
      guard let amount = rest.estimatedRevenue else { continue }
      below.append(
        texts.estimatesNotDivided(
          amount: "\(MoneyCells.amount(amount, in: rest.currency)) \(rest.currency?.text ?? "")"))
    }
    let lines = below.map { line -> HTML in "<span class=\"sub\">\(line)</span>" }
    return "\(by == .campaign ? texts.campaignsTotal(count: count) : texts.tableTotal)\(lines.joined())"
  }

  private func panel(
    _ answer: ReportAnswer<EstimateReport>, _ rows: [EstimateReport.Row], _ context: ScreenContext
  ) throws -> HTML {
    let texts = context.texts
    let decisions = decisions(answer.rows, context)
    guard !rows.isEmpty else {
      return """
        <section class="panel" aria-label="\(texts.campaignsTitle)">\(decisions)</section>\
        \(Panel.empty(texts.campaignsNoneTitle, texts.campaignsNoneReason, "<a class=\"btn\" href=\"\(PageAddress(Self.path).text)\">\(texts.campaignsNoneAction)</a>"))
        """
    }
    // Rows of other pages have no draws yet.
    let page = Panel.page(page, of: Self.rowsOfPage, rows, context.address, texts)
    // A total over all rows would not be that of the ones found.
    let totals = find == nil && verdict == nil ? answer.rows(of: EstimateReport.totals) : []
    let columns = try columns(answer, rows, context).of(page.rows + totals, texts)
    let table = Panel.lines(
      texts.campaignsTitle, columns, sorted: (answer.sort, context.address), totals: totals.count,
      scrolls: !self.columns.isEmpty, texts)
    let scale: HTML =
      !by.hasSpend
      ? ""
      : answer.rows.contains { $0.spend != nil }
        ? "<p class=\"s soft in\">\(texts.campaignsScale(target: Marks.number(target.ratio, 2)))</p>"
        : "<p class=\"s in\">\(HeadlineCards.noSpend(context))</p>"
    let caption =
      by == .campaign ? texts.campaignsCount(count: rows.count) : texts.campaignsRows(count: rows.count)
    return """
      <section class="panel" aria-labelledby="h-campaigns"><h2 class="sr" id="h-campaigns">\(texts.campaignsTable): \(caption)</h2>\
      \(decisions)\(losses(rows, texts))<div class="flush">\(table)</div>\(page.links)\(scale)</section>
      """
  }

  /// What the campaigns that surely lose cost beyond what they earned, where only these are shown.
  private func losses(_ rows: [EstimateReport.Row], _ texts: Texts) -> HTML {
    guard verdict == .no, target == .one, by == .campaign, rows.count <= SureLosses.mostJudged,
      let losses = SureLosses(rows)
    else { return "" }
    let code = losses.currency?.text
    let amount: HTML = "<b>\(Marks.money(losses.amount, in: code))</b> \(code ?? "")"
    return "<p class=\"in\">\(texts.campaignsLosses(count: losses.rows.count, amount: amount))</p>"
  }

  /// What to know about the figures, and what they rest on, behind a button.
  private func notes(_ answer: ReportAnswer<EstimateReport>, _ texts: Texts) -> HTML {
    """
    <details class="more"><summary>\(texts.campaignsNotes)</summary>\(Panel.allNotes(answer.notes, texts))\
    \(EstimateBasis.markup(answer, texts))</details>
    """
  }
}
