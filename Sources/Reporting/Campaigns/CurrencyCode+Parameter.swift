package import Arguments
package import Values

extension CurrencyCode: ParameterValue {
  package static var kind: ValueKind { .form(Sentence("a currency code of ISO 4217, such as USD")) }
  package static var placeholder: String { "CODE" }
  package init?(parameter text: String) { self.init(anyCase: text) }
  package var parameterText: String { text }
}
