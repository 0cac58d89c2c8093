import Postbacks
package import Values

extension ExperimentMeasure {
  package func sentence(currency: CurrencyCode?) -> Sentence {
    switch self {
    case .revenue:
      currency.map { Sentence("revenue per install with a shown value, in \($0)") }
        ?? Sentence("revenue per install with a shown value")
    case .event(let name): Sentence("share of installs with a shown value that did '\(name: name)'")
    case .nullRate: Sentence("share of installs without any value")
    }
  }
}
