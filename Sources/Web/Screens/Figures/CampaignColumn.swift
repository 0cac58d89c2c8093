import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Tables
import Values

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
  /// - Parameters:
  ///   - found: All rows of the table, those of other pages too.
  ///   - postbacks: Gives where the postbacks of a row are.
  func columns(
    of answer: ReportAnswer<CampaignReport>, found: [CampaignTable.Line], _ context: ScreenContext,
    postbacks: @escaping (CampaignTable.Line) -> PageAddress?
  ) -> [ReportColumn<CampaignTable.Line>] {
    typealias Report = CampaignReport
    let texts = context.texts
    let title = title(texts)
    func amounts(
      _ family: ColumnFamily<CampaignTable.Line, CurrencyCode>
    ) -> [ReportColumn<CampaignTable.Line>] {
      ReportColumn.currencies(family, title, of: answer, found: found)
    }
    switch self {
    case .app:
      let app = Report.column(of: .app)
      return answer.has(app) ? [.app(app, title, context.called)] : []
    case .network:
      let network = Report.column(of: .network)
      return answer.has(network) ? [.network(network, title, context.called)] : []
    case .conversions: return [.counts(Report.postbacks, title, texts, link: postbacks)]
    case .installs: return [ReportColumn(Report.installs, title)]
    case .redownloads: return [ReportColumn(Report.redownloads, title)]
    case .reengagements: return [ReportColumn(Report.reengagements, title)]
    case .assists: return [ReportColumn(Report.assists, title)]
    case .views: return [ReportColumn(Report.views, title)]
    case .unmapped: return [ReportColumn(Report.unmapped, title)]
    case .copies: return [ReportColumn(Report.copies, title)]
    case .conflicts: return [ReportColumn(Report.conflicts, title)]
    case .mixed: return [ReportColumn(Report.mixed, title)]
    case .withheld:
      return [ReportColumn(Report.nullShare, title) { Withheld.cell($0, texts, hasBar: false) }]
    case .revenue:
      return ReportColumn.currencies(
        Report.revenueMid, title, shows: [Report.revenueLow, Report.revenueMid, Report.revenueHigh],
        of: answer, found: found
      ) { RevenueCell.amounts($0, $1, texts) ?? Marks.none(texts) }
    case .revenuePerInstall: return amounts(Report.revenuePerInstall)
    case .spend: return amounts(Report.spend)
    case .cost: return amounts(Report.costPerInstall)
    case .returns:
      return ReportColumn.currencies(Report.returns, title, of: answer, found: found) { row, currency in
        row.efficiency(currency)?.representative.map { Marks.number($0.units, 2) } ?? Marks.none(texts)
      }
    }
  }
}
