import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Tables
import Values

/// The postbacks that arrived in some days, by campaign: counts, withheld values and what the values decode to.
struct ArrivedScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var compare = Compared.none
  var sort = Self.usualSort
  var columns: [CampaignColumn] = []
  var by = Grouping.campaign
  var currency: CurrencyCode?
  /// Two by default, so that a campaign is one row: postbacks of small groups have no more.
  var digits = Digits.two
  var window: Int?
  var campaign: String?
  var find: String?
  var page = 1
  var format: Format?

  static let path = "/arrived"
  static let isOfApps = true
  static let isOfNetworks = true
  static let formRole: ViewerRole? = .reader
  static let place: NavigationPlace? = NavigationPlace(.details, 1)
  private static let usualSort = CampaignReport.postbacks.descending
  static let rowsOfPage = 100
  /// The parameters that it has in common with other pages of figures.
  static let shared = DaySpan.names.union(["app", "network", "environment", "digits", "currency"])
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("compare", \.compare, "What figures are compared with."),
      .init("sort", \.sort, "Column to sort by."),
      .init("columns", \.columns, "Columns to show."),
      .init("by", \.by, "What rows are about."),
      .init("currency", \.currency, "Currency to convert amounts to."),
      .init("digits", \.digits, "Last digits of a source identifier, or a tree of them."),
      .init("window", \.window, "Conversion window.", in: 1...3),
      .init("campaign", \.campaign, "Digits of the campaign to show.") { (screen) throws(ParameterError) in
        try CampaignName.check(screen.campaign)
      },
      .init("find", \.find, "Part of a name, network or number."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.arrivedTitle }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    try SavedViews(context).answer(form)
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    let answer = try report(context, days).answer(
      from: context.source, sort: sort, usual: Self.usualSort)
    let rows = answer.rows.filter { isFound($0, context.called) }
    if let format {
      let columns = columns(answer, rows, context)
      return .file("arrived", format, answer.text(format, rows, columns.flatMap(\.shown)))
    }
    let views = try SavedViews(context)
    return .page(
      Page(
        texts.arrivedTitle, scope: texts.campaignsScope(days: days.markup),
        actions: "\(context.fileLinks)\(views.button)",
        body: try
          "\(views.list)\(filters(context, days, answer))\(panel(answer, rows, context))\(Panel.notes(answer.notes, texts))"
      ))
  }

  private func report(_ context: ScreenContext, _ days: Range<Day>) -> CampaignReport {
    var conditions = window.map { ["window=\($0)"] } ?? []
    if let campaign { conditions.append("campaign=\(campaign)") }
    var report = context.campaigns(days, scope, by: by.dimensions, where: conditions)
    report.digits = shownDigits
    report.tree = isTree
    report.currency = currency
    report.compare = compare == .previous && by.isComparable ? .previous : nil
    return report
  }

  /// How many last digits distinguish campaigns: at least as many as a campaign has that the address names.
  private var shownDigits: Int? {
    guard by.hasDigits, let number = digits.number else { return nil }
    return min(4, max(number, campaign?.utf8.count ?? 0))
  }

  private var isTree: Bool { digits == .tree && by == .campaign }

  // MARK: Filters

  private func filters(
    _ context: ScreenContext, _ days: Range<Day>, _ answer: ReportAnswer<CampaignReport>
  ) throws -> HTML {
    let texts = context.texts
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice(
      "compare", texts.filterCompare, compare == .none ? "" : compare.rawValue,
      [("", texts.filterCompareNothing), ("previous", texts.filterComparePrevious(count: days.length))])
    form.networks(answer.rows.lazy.compactMap(\.network), scope, context)
    form.choice(
      "by", texts.filterBy, by == .campaign ? "" : by.rawValue,
      Grouping.allCases.map { ($0 == .campaign ? "" : $0.rawValue, $0.title(texts)) })
    form.currency(currency, rates: try context.reader.rates(), texts)
    form.choice(
      "digits", texts.filterDigits, digits == .two ? "" : digits.rawValue,
      [("", "2"), ("3", "3"), ("4", "4"), ("all", texts.filterAll), ("tree", texts.filterDigitsTree)])
    form.choice("window", texts.filterWindow, among: ["1", "2", "3"], window.map { ["\($0)"] } ?? [])
    form.search("find", texts.filterFind, find ?? "")
    form.columns(
      "columns", chosen(answer).map(\.rawValue),
      CampaignColumn.allCases.map { ($0.rawValue, $0.title(texts)) })
    return form.markup(summary: days.label, dropping: ["page", "last"])
  }

  /// The columns to show: those that were asked for, or the usual ones.
  private func chosen(_ answer: ReportAnswer<CampaignReport>) -> [CampaignColumn] {
    guard columns.isEmpty else { return columns }
    // Rows of a tree are below their networks, and of one app all are the same.
    let isOfOneApp =
      scope.apps.count == 1 || Set(answer.rows.lazy.compactMap(\.app).prefix(500)).count < 2
    return CampaignColumn.usual.filter { !($0 == .network && isTree || $0 == .app && (isOfOneApp || isTree)) }
  }

  // MARK: Table

  private func isFound(_ row: CampaignTable.Line, _ called: Called) -> Bool {
    guard let find = find?.lowercased() else { return true }
    let (place, app) = (row.place, row.app.map { "\($0.number)" })
    let texts =
      [place.digits, place.network, place.name, app, by.column.cell(of: row).text].compactMap(\.self)
      + called.words(app: app, network: place.network) + place.candidates
    return texts.contains { $0.lowercased().contains(find) }
  }

  private func panel(
    _ answer: ReportAnswer<CampaignReport>, _ rows: [CampaignTable.Line], _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    guard !rows.isEmpty else {
      return Panel.empty(
        texts.campaignsNoneTitle, texts.campaignsNoneReason,
        "<a class=\"btn\" href=\"\(PageAddress(Self.path).text)\">\(texts.campaignsNoneAction)</a>")
    }
    let page = Panel.page(page, of: Self.rowsOfPage, rows, context.address, texts)
    // A total over all rows would not be that of the ones found.
    let total = find == nil ? answer.total : nil
    let outline = TreeRows(page.rows)
    // Sums of a tree are no campaigns.
    let caption =
      by == .campaign
      ? texts.campaignsCount(count: rows.count { !isTree || $0.outline?.isSum != true })
      : texts.campaignsRows(count: rows.count)
    let columns = columns(answer, rows, context, outline).of(page.rows + (total.map { [$0] } ?? []), texts)
    let body = Panel.table(
      texts.arrivedTitle, columns, sorted: (answer.sort, context.address), hasTotal: total != nil,
      attributes: isTree ? page.rows.map { outline.attributes($0) } : [], texts)
    return Panel.section(
      "campaigns", texts.arrivedTable, note: caption, flush: true, "\(body)\(page.links)")
  }

  private func columns(
    _ answer: ReportAnswer<CampaignReport>, _ found: [CampaignTable.Line], _ context: ScreenContext,
    _ outline: TreeRows = TreeRows([])
  ) -> [ReportColumn<CampaignTable.Line>] {
    let texts = context.texts
    let days = span.days(at: context.now)
    let source = context.address
    var columns = [
      ReportColumn(by.column, by.title(texts), shows: by.identity, isNumber: false) { row in
        guard by == .campaign else { return group(row, answer, context) }
        if isTree, let level = row.outline?.level {
          return outline.name(CampaignName.markup(row.place, level: level, context), of: row, context)
        }
        return row.digits == nil
          ? texts.tableTotal
          : CampaignName.markup(row.place, digits: shownDigits, hasNetwork: false, context)
      }
    ]
    for column in chosen(answer) where column.rawValue != by.rawValue {
      columns += column.columns(of: answer, found: found, context) { postbacks($0, days, of: source) }
    }
    if compare == .previous, by.isComparable {
      columns.append(
        ReportColumn(CampaignReport.previousPostbacks, texts.columnDaysBefore(count: days.length)))
      columns.append(
        ReportColumn(CampaignReport.relativeChangeOfPostbacks, texts.columnChange) { row in
          row.relativeChangeOfPostbacks?.number.map { OverviewScreen.change($0, texts) } ?? Marks.none(texts)
        })
    }
    return columns
  }

  /// The first cell of a row that is no campaign.
  private func group(
    _ row: CampaignTable.Line, _ answer: ReportAnswer<CampaignReport>, _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    let cell = by.column.cell(of: row)
    // The total has none of the dimensions.
    guard row.app != nil || cell != .none else { return texts.tableTotal }
    guard cell != .none else {
      return "<span class=\"name\"><b>\(texts.campaignsWithout(what: by.title(texts)))</b></span>"
    }
    let name =
      switch by {
      case .app: context.called.app(cell.text ?? "")
      case .network: context.called.network(cell.text ?? "")
      default: Marks.cell(cell, by.column.header.kind, texts)
      }
    let link: HTML = by == .network ? context.address.comparison(of: row, among: answer.rows, context) : ""
    return "<span class=\"name\"><b>\(name)</b></span>\(link)"
  }

  /// The postbacks behind a row; `nil` for a total, or for a row of the tree that is no campaign.
  private func postbacks(
    _ row: CampaignTable.Line, _ days: Range<Day>, of address: PageAddress
  ) -> PageAddress? {
    guard let campaign = row.digits, let network = row.network else { return nil }
    // Rows of a tree are of the digits of their level; those without more digits are a campaign of their own.
    let folded =
      switch row.outline?.level {
      case .twoDigits: shownDigits ?? 2
      case .threeDigits: shownDigits ?? 3
      default: shownDigits
      }
    return address.postbacks(
      days,
      [
        ("app", row.app.map { "\($0.number)" }), ("network", network), ("campaign", campaign),
        ("digits", folded.map { "\($0)" }),
      ])
  }
}

/// What the rows of the page of campaigns are about.
enum Grouping: String, CaseIterable, ParameterValue {
  case campaign, name
  case adSet = "ad-set"
  case creative, network, app, publisher, country, week, month

  /// The column of the report that distinguishes the rows.
  var column: Column<CampaignTable.Line> {
    switch self {
    case .campaign: CampaignReport.column(of: .campaign)
    case .name: CampaignReport.campaignName
    case .adSet: CampaignReport.adSet
    case .creative: CampaignReport.creative
    case .network: CampaignReport.column(of: .network)
    case .app: CampaignReport.column(of: .app)
    case .publisher: CampaignReport.column(of: .publisher)
    case .country: CampaignReport.column(of: .country)
    case .week: CampaignReport.column(of: .week)
    case .month: CampaignReport.column(of: .month)
    }
  }

  /// The columns of the report that identify the rows.
  var identity: [Column<CampaignTable.Line>] {
    switch self {
    case .campaign:
      [
        CampaignReport.column(of: .app), CampaignReport.column(of: .network), column,
        CampaignReport.campaignName,
        CampaignReport.nameCandidates,
      ]
    case .name, .adSet, .creative:
      [CampaignReport.column(of: .app), CampaignReport.column(of: .network), column]
    case .publisher: [CampaignReport.column(of: .network), column]
    case .network, .app, .country, .week, .month: [column]
    }
  }

  /// Whether rows have digits of source identifiers.
  var hasDigits: Bool { self == .campaign }

  /// Whether other days can have the same rows.
  var isComparable: Bool { self != .week && self != .month }

  var dimensions: [ReportDimension] {
    switch self {
    case .campaign: [.stored(.app), .stored(.network), .stored(.campaign)]
    case .name: [.stored(.app), .stored(.network), .named(.name)]
    case .adSet: [.stored(.app), .stored(.network), .named(.adSet)]
    case .creative: [.stored(.app), .stored(.network), .named(.creative)]
    case .network: [.stored(.network)]
    case .app: [.stored(.app)]
    case .publisher: [.stored(.network), .stored(.publisher)]
    case .country: [.stored(.country)]
    case .week: [.stored(.week)]
    case .month: [.stored(.month)]
    }
  }

  func title(_ texts: Texts) -> HTML {
    switch self {
    case .campaign: texts.columnCampaign
    case .name: texts.columnName
    case .adSet: texts.columnAdSet
    case .creative: texts.columnCreative
    case .network: texts.filterNetwork
    case .app: texts.filterApp
    case .publisher: texts.columnPublisher
    case .country: texts.columnCountry
    case .week: texts.columnWeek
    case .month: texts.columnMonth
    }
  }
}

/// The digits of source identifiers that rows are by.
enum Digits: String, CaseIterable, ParameterValue {
  /// Those of two digits with their parts behind them.
  case tree
  case two = "2"
  case three = "3"
  case four = "4"
  /// As many as each postback has.
  case all

  var number: Int? { Int(rawValue) }
}
