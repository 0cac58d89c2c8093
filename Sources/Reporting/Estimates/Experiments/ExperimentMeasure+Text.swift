import Postbacks
package import Values

extension ExperimentMeasure {
  package func sentence(currency: CurrencyCode?) -> Sentence {
    switch self {
    case .revenue:
      currency.map { Sentence("decoded revenue per conversion with a shown value, in \($0)") }
        ?? Sentence("decoded revenue per conversion with a shown value")
    case .event(let name): Sentence("share of conversions with a shown value that did '\(name: name)'")
    case .nullRate: Sentence("share of conversions without any value")
    }
  }
}
