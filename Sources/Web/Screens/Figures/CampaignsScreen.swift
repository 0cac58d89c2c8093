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
  var sort = "-postbacks"
  var columns: [CampaignColumn] = []
  var digits: Digits?
  var window: Int?
  var campaign: String?
  var find: String?
  var page = 1
  var format: Format?

  static let path = "/campaigns"
  static let place: NavigationPlace? = NavigationPlace(.measure, 2)
  /// Rows of a page, which has to stay small.
  static let rowsOfPage = 100
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("compare", \.compare, "What figures are compared with."),
      .init("sort", \.sort, "Column to sort by."),
      .init("columns", \.columns, "Columns to show."),
      .init("digits", \.digits, "Last digits of a source identifier, or a tree of them."),
      .init("window", \.window, "Conversion window.", in: 1...3),
      .init("campaign", \.campaign, "Digits of the campaign to show.") { (screen) throws(ParameterError) in
        guard let campaign = screen.campaign, Int64(campaign) == nil else { return }
        throw ParameterError("campaign", "found '\(printable(campaign))'; use the digits of a campaign.")
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
      return .file(
        name: "campaigns.\(format.fileEnding)", contentType: format.fileType,
        text: try report.text(format, from: context.source, sort: [sort]))
    }
    let answer = try report.answer(from: context.source, sort: [sort])
    var page = Page(
      texts.campaignsTitle, scope: texts.campaignsScope(days: days.markup),
      body: try "\(filters(context, days, answer))\(table(answer, context))\(Panel.notes(answer.notes))")
    page.actions = context.fileLinks
    return .page(page)
  }

  private func report(_ context: ScreenContext, _ days: Range<Day>) -> CampaignReport {
    var conditions = window.map { ["window=\($0)"] } ?? []
    if let campaign { conditions.append("campaign=\(campaign)") }
    var report = context.campaigns(
      days, scope, by: [.stored(.app), .stored(.network), .stored(.campaign)], where: conditions)
    report.digits = digits?.number
    report.tree = digits == .tree
    report.compare = compare == .previous ? .previous : nil
    return report
  }

  // MARK: Filters

  private func filters(_ context: ScreenContext, _ days: Range<Day>, _ answer: ReportAnswer) throws -> HTML {
    let texts = context.texts
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice(
      "compare", texts.filterCompare, compare == .none ? "" : compare.rawValue,
      [("", texts.filterCompareNothing), ("previous", texts.filterComparePrevious(count: days.length))])
    let networks = Set(answer.rows.named.compactMap { $0.text("network") }).sorted()
    form.choice(
      "network", texts.filterNetwork, scope.networks.map(\.parameterText).joined(separator: ","),
      [("", texts.filterAll)] + ScreenContext.choices(networks, scope.networks.map(\.parameterText)))
    form.choice(
      "digits", texts.filterDigits, digits?.rawValue ?? "",
      [("", texts.filterAll), ("tree", texts.filterDigitsTree), ("2", "2"), ("3", "3"), ("4", "4")])
    form.choice(
      "window", texts.filterWindow, window.map { "\($0)" } ?? "",
      [("", texts.filterAll), ("1", "1"), ("2", "2"), ("3", "3")])
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
      ["campaign", "network", "network-name", "name", "app"].compactMap { row.text($0) }
      + row["name-candidates"].words
    return texts.contains { $0.lowercased().contains(find) }
  }

  private func table(_ answer: ReportAnswer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let rows = answer.rows.named.filter(isFound)
    guard !rows.isEmpty else {
      return Panel.empty(
        texts.campaignsNoneTitle, texts.campaignsNoneReason,
        "<a class=\"btn\" href=\"\(PageAddress(Self.path).text)\">\(texts.campaignsNoneAction)</a>")
    }
    let pages = TablePages(rows.count, of: Self.rowsOfPage, page)
    let shown = rows[pages.range]
    let days = span.days(at: context.now)
    let outline = TreeRows(shown)
    let source = context.address
    var columns: [TableView<NamedCells>.Column] = [
      .init(texts.columnCampaign, help: help(answer, "campaign"), sort: "campaign", isNumber: false) {
        row -> HTML in
        if digits == .tree, let level = row.text("level") {
          return outline.name(CampaignName.markup(row, from: source, level: level, texts), of: row, texts)
        }
        return row.text("campaign") == nil ? texts.tableTotal : CampaignName.markup(row, from: source)
      }
    ]
    for column in chosen {
      columns +=
        column.columns(answer.rows, texts) { row, filters in postbacks(row, days, filters, of: source) }
    }
    if compare == .previous { columns += compared(answer.rows, days, texts) }
    let view = TableView(
      texts.campaignsTitle, columns, texts: texts, address: context.address.without(["page"]), sort: sort)
    // A total over all rows would not be that of the ones found.
    let total = find == nil ? answer.rows.namedTotal : nil
    // Sums of a tree are no campaigns.
    let caption = texts.campaignsCount(count: rows.count { digits != .tree || !$0["subtotal"].flag })
    let body = view.markup(
      Array(shown), total: total, attributes: digits == .tree ? { outline.attributes($0) } : nil)
    return Panel.section(
      "campaigns", texts.campaignsTable, note: caption, flush: true,
      "\(body)\(pages.markup(context.address, texts))")
  }

  /// The postbacks behind a row; `nil` for a total, or for a row of the tree that is no campaign.
  private func postbacks(
    _ row: NamedCells, _ days: Range<Day>, _ filters: CampaignColumn.Filters, of address: PageAddress
  ) -> PageAddress? {
    guard let campaign = row.text("campaign"), let network = row.text("network") else { return nil }
    // Rows of a tree are of the digits of their level; those without more digits are a campaign of their own.
    let folded = digits?.number ?? ["2-digits": 2, "3-digits": 3][row.text("level") ?? ""]
    return address.postbacks(
      days,
      [
        ("app", row.text("app")), ("network", network), ("campaign", campaign),
        ("digits", folded.map { "\($0)" }),
      ] + filters)
  }

  private func compared(
    _ table: Table, _ days: Range<Day>, _ texts: Texts
  ) -> [TableView<NamedCells>.Column] {
    [
      .init(
        texts.columnDaysBefore(count: days.length), help: "\(table.header("previous-postbacks")?.help ?? "")",
        sort: "previous-postbacks"
      ) { Marks.cell($0["previous-postbacks"], .count, texts) },
      .init(
        texts.columnChange, help: "\(table.header("relative-change-postbacks")?.help ?? "")",
        sort: "relative-change-postbacks"
      ) { row in
        guard let change = row["relative-change-postbacks"].number else { return Marks.none(texts) }
        let amount: HTML = "<data value=\"\(trimmed(change, 4))\">\(percent(change.magnitude, 0))</data>"
        return change < 0 ? texts.compareLess(share: amount) : texts.compareMore(share: amount)
      },
    ]
  }

  private func help(_ answer: ReportAnswer, _ name: String) -> HTML? {
    answer.rows.header(name).map { "\($0.help)" }
  }
}

/// The digits of source identifiers that rows are by.
enum Digits: String, CaseIterable, ParameterValue {
  /// Those of two digits with their parts behind them.
  case tree
  case two = "2"
  case three = "3"
  case four = "4"

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
  /// - Parameters:
  ///   - texts: The words of the page's language.
  ///   - postbacks: Gives where the postbacks of a row are that further filters leave.
  func columns(
    _ table: Table, _ texts: Texts, postbacks: @escaping @Sendable (NamedCells, Filters) -> PageAddress?
  ) -> [TableView<NamedCells>.Column] {
    switch self {
    case .conversions: [count("postbacks", table, texts) { postbacks($0, []) }]
    case .installs: [outcome(.install, table, texts, postbacks)]
    case .redownloads: [outcome(.redownload, table, texts, postbacks)]
    case .reengagements: [outcome(.reengagement, table, texts, postbacks)]
    case .assists: [count(rawValue, table, texts) { postbacks($0, [("outcome", "assist")]) }]
    case .views, .unmapped, .copies, .conflicts: [count(rawValue, table, texts)]
    case .mixed: [count("decoded-mixed", table, texts)]
    case .withheld:
      [
        .init(title(texts), help: help(table, "null-share"), sort: "null-share", style: "n wh") {
          Withheld.cell($0, texts, link: postbacks($0, [("value", "none")]))
        }
      ]
    case .revenue:
      table.keys(after: "revenue-mid-").map { currency in
        let most = RevenueCell.scale(table.named, currency)
        return .init(
          "\(title(texts)), \(currency)", help: help(table, "revenue-mid-\(currency)"),
          sort: "revenue-mid-\(currency)", style: "iv"
        ) { row in
          // The total is larger than every row, so it has a scale of its own.
          RevenueCell.markup(row, currency, texts, most: row.text("campaign") == nil ? nil : most)
        }
      }
    case .revenuePerInstall: money("revenue-per-install-", table, texts)
    case .spend: money("spend-", table, texts)
    case .cost: money("ecpi-", table, texts)
    case .returns:
      table.keys(after: "roas-mid-").map { currency in
        .init(
          "\(title(texts)), \(currency)", help: help(table, "roas-mid-\(currency)"),
          sort: "roas-mid-\(currency)"
        ) { row in
          row["roas-mid-\(currency)"].number.map {
            "<data value=\"\(trimmed($0, 4))\">\(fixed($0, 2))</data>"
          }
            ?? Marks.none(texts)
        }
      }
    }
  }

  private func count(
    _ name: String, _ table: Table, _ texts: Texts,
    link: @escaping @Sendable (NamedCells) -> PageAddress? = { _ in nil }
  ) -> TableView<NamedCells>.Column {
    .init(title(texts), help: help(table, name), sort: name) { row in
      let count = Marks.cell(row[name], .count, texts)
      guard row.count(name) > 0, let target = link(row) else { return count }
      return "<a href=\"\(target.text)\">\(count)</a>"
    }
  }

  /// Winning conversions of one sort, which first postbacks count.
  private func outcome(
    _ outcome: Outcome, _ table: Table, _ texts: Texts,
    _ postbacks: @escaping @Sendable (NamedCells, Filters) -> PageAddress?
  ) -> TableView<NamedCells>.Column {
    count(rawValue, table, texts) { postbacks($0, [("outcome", outcome.rawValue), ("window", "1")]) }
  }

  private func money(_ prefix: String, _ table: Table, _ texts: Texts) -> [TableView<NamedCells>.Column] {
    table.keys(after: prefix).filter { !$0.contains("-") }.map { currency in
      let name = prefix + currency
      return .init("\(title(texts)), \(currency)", help: help(table, name), sort: name) { row in
        row[name].micros.map { Marks.money($0) } ?? Marks.none(texts)
      }
    }
  }

  private func help(_ table: Table, _ name: String) -> HTML? { table.header(name).map { "\($0.help)" } }
}
