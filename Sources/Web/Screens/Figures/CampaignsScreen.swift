import Arguments
import Ledger
import Markup
import Pages
import Postbacks
import Reporting
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

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    let report = report(context, days)
    if let format {
      let text = try ReportOrder.used(CampaignReport.self, asked: sort, usual: Self.usualSort) {
        try report.text(format, from: context.source, sort: [$0])
      }
      return .file("campaigns", format, text.answer)
    }
    let (answer, sort) = try ReportOrder.used(CampaignReport.self, asked: sort, usual: Self.usualSort) {
      try report.answer(from: context.source, sort: [$0])
    }
    return .page(
      Page(
        texts.campaignsTitle, scope: texts.campaignsScope(days: days.markup), actions: context.fileLinks,
        body: try
          "\(filters(context, days, answer))\(table(answer, sortedBy: sort, context))\(Panel.notes(answer.notes))"
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

  private func filters(_ context: ScreenContext, _ days: Range<Day>, _ answer: ReportAnswer) throws -> HTML {
    let texts = context.texts
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice(
      "compare", texts.filterCompare, compare == .none ? "" : compare.rawValue,
      [("", texts.filterCompareNothing), ("previous", texts.filterComparePrevious(count: days.length))])
    form.networks(answer.rows, scope, texts)
    form.choice(
      "by", texts.filterBy, by == .campaign ? "" : by.rawValue,
      Grouping.allCases.map { ($0 == .campaign ? "" : $0.rawValue, $0.title(texts)) })
    form.currency(currency, rates: try context.reader.rates(), texts)
    form.choice(
      "digits", texts.filterDigits, digits == .two ? "" : digits.rawValue,
      [("", "2"), ("3", "3"), ("4", "4"), ("all", texts.filterAll), ("tree", texts.filterDigitsTree)])
    form.choice("window", texts.filterWindow, among: ["1", "2", "3"], window.map { ["\($0)"] } ?? [])
    form.search("find", texts.filterFind, find ?? "")
    form.boxes(
      "columns", texts.filterColumns, Set(chosen.map(\.rawValue)),
      CampaignColumn.allCases.map { ($0.rawValue, $0.title(texts)) })
    return form.markup(summary: days.label, dropping: ["page", "last"])
  }

  /// The columns to show: those that were asked for, or the usual ones.
  private var chosen: [CampaignColumn] { columns.isEmpty ? CampaignColumn.usual : columns }

  // MARK: Table

  private func isFound(_ row: NamedCells) -> Bool {
    guard let find = find?.lowercased() else { return true }
    let texts =
      ["campaign", "network", "network-name", "name", "app", by.column].compactMap { row.text($0) }
      + row["name-candidates"].words
    return texts.contains { $0.lowercased().contains(find) }
  }

  private func table(_ answer: ReportAnswer, sortedBy sort: String, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let rows = answer.rows.named.filter(isFound)
    guard !rows.isEmpty else {
      return Panel.empty(
        texts.campaignsNoneTitle, texts.campaignsNoneReason,
        "<a class=\"btn\" href=\"\(PageAddress(Self.path).text)\">\(texts.campaignsNoneAction)</a>")
    }
    let page = Panel.page(page, of: Self.rowsOfPage, rows, context.address, texts)
    let days = span.days(at: context.now)
    let outline = TreeRows(page.rows)
    let source = context.address
    // A total over all rows would not be that of the ones found.
    let total = find == nil ? answer.rows.namedTotal : nil
    let table = ReportTable(answer.rows, page.rows + (total.map { [$0] } ?? []), texts)
    var columns = [
      table.column(by.column, by.title(texts), isNumber: false) { row in
        guard by == .campaign else { return group(row, answer.rows, context) }
        if isTree, let level = row.text("level") {
          return outline.name(CampaignName.markup(row, from: source, level: level, texts), of: row, texts)
        }
        return row.text("campaign") == nil
          ? texts.tableTotal : CampaignName.markup(row, from: source, digits: shownDigits)
      }
    ]
    for column in chosen {
      columns += column.columns(answer.rows, table, texts) { postbacks($0, days, $1, of: source) }
    }
    if compare == .previous, by.isComparable {
      columns.append(table.column("previous-postbacks", texts.columnDaysBefore(count: days.length)))
      columns.append(
        table.column("relative-change-postbacks", texts.columnChange) { row in
          row["relative-change-postbacks"].number.map { OverviewScreen.change($0, texts) }
            ?? Marks.none(texts)
        })
    }
    // Sums of a tree are no campaigns.
    let caption =
      by == .campaign
      ? texts.campaignsCount(count: rows.count { !isTree || !$0["subtotal"].flag })
      : texts.campaignsRows(count: rows.count)
    let body = Panel.table(
      texts.campaignsTitle, columns, sorted: (sort, context.address), hasTotal: total != nil,
      attributes: isTree ? page.rows.map { outline.attributes($0) } : [], texts)
    return Panel.section(
      "campaigns", texts.campaignsTable, note: caption, flush: true, "\(body)\(page.links)")
  }

  /// The first cell of a row that is no campaign.
  private func group(_ row: NamedCells, _ table: Table, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    // The total has none of the dimensions.
    guard row.text("app") != nil || row[by.column] != .none else { return texts.tableTotal }
    let kind = table.header(by.column)?.kind ?? .text
    let sub = by == .app ? nil : row.text("network-name") ?? row.text("network")
    let below: HTML = by == .network ? "" : sub.map { "<span class=\"id\"><bdi>\($0)</bdi></span>" } ?? ""
    let link: HTML = by == .network ? context.address.comparison(of: row, among: table, texts) : ""
    let name: HTML =
      by == .network
      ? "<bdi>\(sub ?? "")</bdi>"
      : row[by.column] == .none
        ? texts.campaignsWithout(what: by.title(texts)) : Marks.cell(row[by.column], kind, texts)
    return "<span class=\"name\"><b>\(name)</b>\(below)</span>\(link)"
  }

  /// The postbacks behind a row; `nil` for a total, or for a row of the tree that is no campaign.
  private func postbacks(
    _ row: NamedCells, _ days: Range<Day>, _ filters: CampaignColumn.Filters, of address: PageAddress
  ) -> PageAddress? {
    guard let campaign = row.text("campaign"), let network = row.text("network") else { return nil }
    // Rows of a tree are of the digits of their level; those without more digits are a campaign of their own.
    let folded = shownDigits ?? ["2-digits": 2, "3-digits": 3][row.text("level") ?? ""]
    return address.postbacks(
      days,
      [
        ("app", row.text("app")), ("network", network), ("campaign", campaign),
        ("digits", folded.map { "\($0)" }),
      ] + filters)
  }
}

/// What the rows of the page of campaigns are about.
enum Grouping: String, CaseIterable, ParameterValue {
  case campaign, name
  case adSet = "ad-set"
  case creative, network, app, publisher, country, week, month

  /// The column of the report that distinguishes the rows.
  var column: String { rawValue }

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

/// A column, or one for each currency, that the table of campaigns can have.
enum CampaignColumn: String, CaseIterable, ParameterValue {
  case conversions, installs, redownloads
  case reengagements = "re-engagements"
  case assists, views, withheld, unmapped, mixed, revenue
  case revenuePerInstall = "revenue-per-install"
  case spend
  case cost = "ecpi"
  case returns = "roas"
  case copies, conflicts

  /// Parameters of an address of postbacks.
  typealias Filters = [(name: String, value: String?)]

  static let usual: [Self] = [
    .conversions, .installs, .withheld, .revenue, .spend, .cost, .returns, .conflicts,
  ]

  func title(_ texts: Texts) -> HTML {
    switch self {
    case .conversions: texts.columnConversions
    case .installs: texts.columnInstalls
    case .redownloads: texts.columnRedownloads
    case .reengagements: texts.columnReEngagements
    case .assists: texts.columnAssists
    case .views: texts.columnViews
    case .withheld: texts.columnWithheld
    case .unmapped: texts.columnUnmapped
    case .mixed: texts.columnMixed
    case .revenue: texts.columnRevenue
    case .revenuePerInstall: texts.columnRevenuePerInstall
    case .spend: texts.columnSpend
    case .cost: texts.columnCost
    case .returns: texts.columnReturn
    case .copies: texts.columnCopies
    case .conflicts: texts.columnConflicts
    }
  }

  /// The columns of a table of the report; none where the data have no such figure.
  ///
  /// - Parameter postbacks: Gives where the postbacks of a row are that further filters leave.
  func columns(
    _ report: Table, _ table: ReportTable, _ texts: Texts,
    postbacks: @escaping (NamedCells, Filters) -> PageAddress?
  ) -> [DataTable.Column] {
    let title = title(texts)
    switch self {
    case .conversions: return [table.counts("postbacks", title) { postbacks($0, []) }]
    case .installs, .redownloads, .reengagements:
      // First postbacks count these.
      let outcome: Outcome =
        self == .installs ? .install : self == .redownloads ? .redownload : .reengagement
      return [
        table.counts(rawValue, title) { postbacks($0, [("outcome", outcome.rawValue), ("window", "1")]) }
      ]
    case .assists: return [table.counts(rawValue, title) { postbacks($0, [("outcome", "assist")]) }]
    case .views, .unmapped, .copies, .conflicts: return [table.column(rawValue, title)]
    case .mixed: return [table.column("decoded-mixed", title)]
    case .withheld:
      return [
        table.column("null-share", title, style: "n wh") {
          Withheld.cell($0, texts, link: postbacks($0, [("value", "none")]))
        }
      ]
    case .revenue:
      // Once for all rows shown, because it looks at every row of the report.
      let scales = Dictionary(
        uniqueKeysWithValues: report.keys(after: "revenue-mid-").map {
          ($0, RevenueCell.scale(report.named, $0))
        })
      return table.currencies("revenue-mid-", title, style: "iv") { row, currency in
        // The total is larger than every row, so it has a scale of its own.
        RevenueCell.markup(
          row, currency, texts, most: row.text("campaign") == nil ? nil : scales[currency] ?? nil)
      }
    case .revenuePerInstall: return table.currencies("revenue-per-install-", title)
    case .spend: return table.currencies("spend-", title)
    case .cost: return table.currencies("ecpi-", title)
    case .returns:
      return table.currencies("roas-mid-", title) { row, currency in
        row["roas-mid-\(currency)"].number.map { Marks.number($0, 2) } ?? Marks.none(texts)
      }
    }
  }
}
