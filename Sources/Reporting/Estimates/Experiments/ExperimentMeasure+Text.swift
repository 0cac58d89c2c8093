import Postbacks
package import Values

extension ExperimentMeasure {
  package func sentence(currency: CurrencyCode?) -> String {
    switch self {
    case .revenue: "revenue per install with a shown value\(currency.map { ", in \($0)" } ?? "")"
    case .event(let name): "share of installs with a shown value that did '\(printable(name))'"
    case .nullRate: "share of installs without any value"
    }
  }
}
