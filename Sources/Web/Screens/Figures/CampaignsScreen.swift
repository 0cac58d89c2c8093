import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Tables
import Values

/// All campaigns: counts, withheld values, revenue and spend, sorted, narrowed down and compared.
struct CampaignsScreen: ScreenContent {
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

  static let path = "/campaigns"
  static let isOfApps = true
  static let isOfNetworks = true
  static let formRole: ViewerRole? = .reader
  static let place: NavigationPlace? = NavigationPlace(.measure, 2)
  private static let usualSort = "-postbacks"
  static let rowsOfPage = 100
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

  static func title(_ texts: Texts) -> HTML { texts.campaignsTitle }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    try SavedViews(context).answer(form)
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    let (answer, sort) = try ReportOrder.used(CampaignReport.self, asked: sort, usual: Self.usualSort) {
      try report(context, days).answer(from: context.source, sort: $0)
    }
    let rows = answer.table.named.filter { isFound($0, context.called) }
    if let format {
      let table = ReportTable(answer.table, [], of: rows, texts)
      return .file("campaigns", format, table.text(format, columns(table, answer.table, context)))
    }
    let views = try SavedViews(context)
    return .page(
      Page(
        texts.campaignsTitle, scope: texts.campaignsScope(days: days.markup),
        actions: "\(context.fileLinks)\(views.button)",
        body: try
          "\(views.list)\(filters(context, days, answer))\(panel(answer, rows, sortedBy: sort, context))\(Panel.notes(answer.notes, texts))"
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

  private func filters(_ context: ScreenContext, _ days: Range<Day>, _ answer: ReportAnswer<CampaignReport>)
    throws -> HTML
  {
    let texts = context.texts
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice(
      "compare", texts.filterCompare, compare == .none ? "" : compare.rawValue,
      [("", texts.filterCompareNothing), ("previous", texts.filterComparePrevious(count: days.length))])
    form.networks(answer.table, scope, context)
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
      "columns", chosen(answer.table).map(\.rawValue),
      CampaignColumn.allCases.map { ($0.rawValue, $0.title(texts)) })
    return form.markup(summary: days.label, dropping: ["page", "last"])
  }

  /// The columns to show: those that were asked for, or the usual ones.
  private func chosen(_ report: Table) -> [CampaignColumn] {
    guard columns.isEmpty else { return columns }
    // Rows of a tree are below their networks, and of one app all are the same.
    let isOfOneApp =
      scope.apps.count == 1 || Set(report.named.lazy.compactMap { $0.text("app") }.prefix(500)).count < 2
    return CampaignColumn.usual.filter { !($0 == .network && isTree || $0 == .app && (isOfOneApp || isTree)) }
  }

  // MARK: Table

  private func isFound(_ row: NamedCells, _ called: Called) -> Bool {
    guard let find = find?.lowercased() else { return true }
    let texts =
      ["campaign", "network", "name", "app", by.column].compactMap { row.text($0) }
      + called.words(app: row.text("app"), network: row.text("network"))
      + row["name-candidates"].words
    return texts.contains { $0.lowercased().contains(find) }
  }

  private func panel(
    _ answer: ReportAnswer<CampaignReport>, _ rows: [NamedCells], sortedBy sort: String,
    _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    guard !rows.isEmpty else {
      return Panel.empty(
        texts.campaignsNoneTitle, texts.campaignsNoneReason,
        "<a class=\"btn\" href=\"\(PageAddress(Self.path).text)\">\(texts.campaignsNoneAction)</a>")
    }
    let page = Panel.page(page, of: Self.rowsOfPage, rows, context.address, texts)
    // A total over all rows would not be that of the ones found.
    let total = find == nil ? answer.table.namedTotal : nil
    let table = ReportTable(answer.table, page.rows + (total.map { [$0] } ?? []), of: rows, texts)
    let outline = TreeRows(page.rows)
    // Sums of a tree are no campaigns.
    let caption =
      by == .campaign
      ? texts.campaignsCount(count: rows.count { !isTree || !$0["subtotal"].flag })
      : texts.campaignsRows(count: rows.count)
    let body = Panel.table(
      texts.campaignsTitle, columns(table, answer.table, context, outline), sorted: (sort, context.address),
      hasTotal: total != nil, attributes: isTree ? page.rows.map { outline.attributes($0) } : [], texts)
    return Panel.section(
      "campaigns", texts.campaignsTable, note: caption, flush: true, "\(body)\(page.links)")
  }

  private func columns(
    _ table: ReportTable, _ report: Table, _ context: ScreenContext, _ outline: TreeRows = TreeRows([])
  ) -> [DataTable.Column] {
    let texts = context.texts
    let days = span.days(at: context.now)
    let source = context.address
    var columns = [
      table.column(by.column, by.title(texts), fields: by.fields, isNumber: false) { row in
        guard by == .campaign else { return group(row, report, context) }
        if isTree, let level = row.text("level") {
          return outline.name(CampaignName.markup(row, level: level, context), of: row, context)
        }
        return row.text("campaign") == nil
          ? texts.tableTotal
          : CampaignName.markup(row, digits: shownDigits, hasNetwork: false, context)
      }
    ]
    for column in chosen(report) where column.rawValue != by.column {
      columns += column.columns(report, table, context) { postbacks($0, days, of: source) }
    }
    if compare == .previous, by.isComparable {
      columns.append(table.column("previous-postbacks", texts.columnDaysBefore(count: days.length)))
      columns.append(
        table.column("relative-change-postbacks", texts.columnChange) { row in
          row["relative-change-postbacks"].number.map { OverviewScreen.change($0, texts) }
            ?? Marks.none(texts)
        })
    }
    return columns
  }

  /// The first cell of a row that is no campaign.
  private func group(_ row: NamedCells, _ table: Table, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    // The total has none of the dimensions.
    guard row.text("app") != nil || row[by.column] != .none else { return texts.tableTotal }
    guard row[by.column] != .none else {
      return "<span class=\"name\"><b>\(texts.campaignsWithout(what: by.title(texts)))</b></span>"
    }
    let name =
      switch by {
      case .app: context.called.app(row.text("app") ?? "")
      case .network: context.called.network(row.text("network") ?? "")
      default: Marks.cell(row[by.column], table.header(by.column)?.kind ?? .text, texts)
      }
    let link: HTML = by == .network ? context.address.comparison(of: row, among: table, context) : ""
    return "<span class=\"name\"><b>\(name)</b></span>\(link)"
  }

  /// The postbacks behind a row; `nil` for a total, or for a row of the tree that is no campaign.
  private func postbacks(
    _ row: NamedCells, _ days: Range<Day>, of address: PageAddress
  ) -> PageAddress? {
    guard let campaign = row.text("campaign"), let network = row.text("network") else { return nil }
    // Rows of a tree are of the digits of their level; those without more digits are a campaign of their own.
    let folded = shownDigits ?? ["2-digits": 2, "3-digits": 3][row.text("level") ?? ""]
    return address.postbacks(
      days,
      [
        ("app", row.text("app")), ("network", network), ("campaign", campaign),
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
  var column: String { rawValue }

  /// The columns of the report that identify the rows.
  var fields: [String] {
    let dimensions = ["app", "network", column].filter { name in
      self.dimensions.contains { dimension in
        switch dimension {
        case .stored(let stored): stored.rawValue == name
        case .named(let named): named.rawValue == name
        }
      }
    }
    return dimensions + (self == .campaign ? ["name", "name-candidates"] : [])
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
