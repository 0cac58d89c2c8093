import Arguments
import Markup
import Pages

/// A column, or one for each horizon, that the table of estimates can have.
enum EstimateColumn: String, CaseIterable, ParameterValue {
  case app, network, verdict, installs, withheld, spend
  case leftOut = "left-out"
  case decoded = "decoded-revenue"
  case estimated = "estimated-revenue"
  case shared = "shared-revenue"
  case returns = "estimated-roas"
  case flags

  static let usual: [Self] = [
    .app, .network, .verdict, .installs, .leftOut, .withheld, .decoded, .estimated, .shared, .returns, .flags,
  ]

  func title(_ texts: Texts) -> HTML {
    switch self {
    case .app: texts.filterApp
    case .network: texts.filterNetwork
    case .verdict: texts.estimatesVerdict
    case .installs: texts.columnInstalls
    case .withheld: texts.columnWithheld
    case .spend: texts.columnSpend
    case .leftOut: texts.estimatesLeftOut
    case .decoded: texts.columnRevenue
    case .estimated: texts.columnEstimatedRevenue
    case .shared: texts.estimatesShared
    case .returns: texts.columnReturn
    case .flags: texts.estimatesFlags
    }
  }
}
