import Arguments
import Markup
import Pages
import Tables

/// A column, or one for each currency, that the table of campaigns can have.
enum CampaignColumn: String, CaseIterable, ParameterValue {
  case app, network, conversions, installs, redownloads
  case reengagements = "re-engagements"
  case assists, views, withheld, unmapped, mixed, revenue
  case revenuePerInstall = "revenue-per-install"
  case spend
  case cost = "ecpi"
  case returns = "roas"
  case copies, conflicts

  static let usual: [Self] = [
    .app, .network, .conversions, .installs, .withheld, .revenue, .spend, .cost, .returns, .conflicts,
  ]

  func title(_ texts: Texts) -> HTML {
    switch self {
    case .app: texts.filterApp
    case .network: texts.filterNetwork
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
  /// Conversions alone lead to their postbacks; the page of the campaign has the links of other counts. A hundred rows with
  /// all of them would be twice as long.
  ///
  /// - Parameter postbacks: Gives where the postbacks of a row are.
  func columns(
    _ report: Table, _ table: ReportTable, _ context: ScreenContext,
    postbacks: @escaping (NamedCells) -> PageAddress?
  ) -> [DataTable.Column] {
    let texts = context.texts
    let title = title(texts)
    switch self {
    case .app: return report.header("app") == nil ? [] : [table.app(title, context.called)]
    case .network: return report.header("network") == nil ? [] : [table.network(title, context.called)]
    case .conversions: return [table.counts("postbacks", title, link: postbacks)]
    case .installs, .redownloads, .reengagements, .assists, .views, .unmapped, .copies, .conflicts:
      return [table.column(rawValue, title)]
    case .mixed: return [table.column("decoded-mixed", title)]
    case .withheld:
      return [
        table.column("null-share", title) { Withheld.cell($0, texts, hasBar: false) }
      ]
    case .revenue:
      return table.currencies(
        "revenue-mid-", title, fields: ["revenue-low-", "revenue-mid-", "revenue-high-"]
      ) { RevenueCell.amounts($0, $1, texts) ?? Marks.none(texts) }
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
