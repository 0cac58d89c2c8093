import Arguments
import EstimateReports
import Estimates
import Markup
import Pages
import Tables
import Values

/// A column that the table of campaigns can have.
enum EstimateColumn: String, CaseIterable, ParameterValue {
  case spend
  case estimated = "estimated-revenue"
  case returns = "estimated-roas"
  case verdict
  case cost = "ecpi"
  case installs, withheld, conversions
  case decoded = "decoded-revenue"
  case leftOut = "left-out"
  case shared = "shared-revenue"
  case app, network
  case flags

  static let usual: [Self] = [.spend, .estimated, .shared, .returns, .verdict, .cost, .installs, .withheld]

  func title(_ texts: Texts) -> HTML {
    switch self {
    case .app: texts.filterApp
    case .network: texts.filterNetwork
    case .verdict: texts.campaignsPays
    case .installs: texts.columnInstalls
    case .conversions: texts.columnConversions
    case .withheld: texts.columnWithheld
    case .spend: texts.columnSpend
    case .cost: texts.campaignsCost
    case .leftOut: texts.estimatesLeftOut
    case .decoded: texts.columnRevenue
    case .estimated: texts.columnEstimatedRevenue
    case .shared: texts.estimatesShared
    case .returns: texts.campaignsReturn
    case .flags: texts.estimatesFlags
    }
  }

  /// The column of a page's table; `nil` where the answer has no such figure.
  ///
  /// Where apps have different hours each has a column of its own in a file; the page has one, sorted by the first of them.
  func column(
    of answer: ReportAnswer<EstimateReport>, _ cells: MoneyCells, _ called: Called, _ texts: Texts
  ) -> ReportColumn<EstimateReport.Row>? {
    typealias Report = EstimateReport
    let title = title(texts)
    func byHorizon(
      _ family: ColumnFamily<Report.Row, EstimateHorizon>, style: HTML = "n",
      _ cell: @escaping (Report.Row) -> HTML
    ) -> ReportColumn<Report.Row>? {
      let columns = answer.keys(of: family).map { family[$0] }
      return columns.first.map {
        ReportColumn($0, title, shows: columns + [Report.currency], style: style, cell)
      }
    }
    switch self {
    case .app: return answer.has(Report.app) ? .app(Report.app, title, called) : nil
    case .network: return answer.has(Report.network) ? .network(Report.network, title, called) : nil
    case .spend:
      return ReportColumn(
        Report.spend, title, shows: [Report.spend, Report.currency], style: "n", cells.spend)
    case .estimated: return byHorizon(Report.revenue.estimated, cells.revenue)
    case .decoded: return byHorizon(Report.revenue.decoded, cells.decoded)
    case .shared: return byHorizon(Report.sharedRevenue, cells.shared)
    case .returns: return byHorizon(Report.returns, style: "n ret", cells.returns)
    case .verdict:
      return ReportColumn(
        Report.verdict, title, shows: [Report.verdict, Report.daysToDecide], isNumber: false, style: "pb",
        cells.verdict)
    case .cost: return ReportColumn(Report.costPerInstall, title, style: "n opt", cells.costPerInstall)
    case .installs:
      return ReportColumn(Report.installs, title, style: "n opt") { Marks.count(Int64(nearest: $0.installs)) }
    case .conversions:
      return ReportColumn(Report.conversions, title, style: "n opt") {
        Marks.count(Int64(nearest: $0.conversions))
      }
    case .leftOut: return ReportColumn(Report.leftOutPostbacks, title, style: "n opt")
    case .withheld:
      return ReportColumn(Report.nullShare, title, style: "n opt") {
        $0.nullShare?.number.map { Marks.share($0) } ?? Marks.none(texts)
      }
    case .flags:
      return ReportColumn(Report.flags, title, isNumber: false, style: "s") { row in
        row.flags.map { flag -> HTML in "<span class=\"badge\">\(Self.word(of: flag, texts))</span>" }
          .joined(separator: " ")
      }
    }
  }

  /// What to know before using the numbers of a row, in words.
  private static func word(of flag: EstimateFlag, _ texts: Texts) -> HTML {
    switch flag {
    case .nothingRevealed: texts.estimatesFlagNothingRevealed
    case .mostlyHidden: texts.estimatesFlagMostlyWithheld
    case .noEvidence: texts.estimatesFlagNoEvidence
    case .amountsFromMapping: texts.estimatesFlagAmountsFromMapping
    case .openEnded: texts.estimatesFlagOpenEnded
    case .tooManyForRule: texts.estimatesFlagTooManyForRule
    case .leftOut: texts.estimatesFlagLeftOut
    case .oneSided: texts.estimatesFlagOneSided
    }
  }
}
