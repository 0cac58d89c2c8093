import Arguments
import Markup
import Pages

/// A column that the table of withheld values can have, under its name in the report.
enum NullColumn: String, CaseIterable, ParameterValue {
  case app, network, postbacks, nulls
  case share = "null-share"
  case coarse, zeroes, unmapped

  func title(_ texts: Texts) -> HTML {
    switch self {
    case .app: texts.filterApp
    case .network: texts.filterNetwork
    case .postbacks: texts.nullsFirst
    case .nulls: texts.nullsCount
    case .share: texts.columnWithheld
    case .coarse: texts.nullsCoarse
    case .zeroes: texts.nullsZero
    case .unmapped: texts.columnUnmapped
    }
  }
}
