import Markup
import Pages

/// Where kinds of data are, and what they are called.
enum DataPlace {
  static let words = ["spend", "names", "rates", "totals", "installs", "proceeds", "users"]

  static func path(of word: String) -> String { "/data/\(word)" }

  static func title(of word: String, _ texts: Texts) -> HTML {
    switch word {
    case "spend": texts.dataSpend
    case "names": texts.dataNames
    case "rates": texts.dataRates
    case "totals": texts.dataTotals
    case "installs": texts.dataInstalls
    case "proceeds": texts.dataProceeds
    default: texts.dataUsers
    }
  }

  static func help(of word: String, _ texts: Texts) -> HTML {
    switch word {
    case "spend": texts.dataSpendHelp
    case "names": texts.dataNamesHelp
    case "rates": texts.dataRatesHelp
    case "totals": texts.dataTotalsHelp
    case "installs": texts.dataInstallsHelp
    case "proceeds": texts.dataProceedsHelp
    default: texts.dataUsersHelp
    }
  }

  /// What a field for a parameter is called.
  static func label(of parameter: String, _ texts: Texts) -> HTML {
    switch parameter {
    case "app": texts.filterApp
    case "network": texts.filterNetwork
    case "campaign": texts.columnCampaign
    case "currency": texts.dataCurrency
    case "horizon": texts.dataHorizon
    default: texts.filterEnvironment
    }
  }

  /// Links to all kinds.
  static func tabs(_ context: ScreenContext, _ current: String) -> HTML {
    Panel.tabs(
      context.texts.dataTitle,
      words.map { (address: PageAddress(path(of: $0)), word: title(of: $0, context.texts)) },
      current: path(of: current))
  }
}
