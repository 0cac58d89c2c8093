package import Arguments
import Values

/// The part of installs that an app lets show whether another source attributes them.
package struct OverlapPart: Equatable, Sendable, ParameterValue {
  package static let all = OverlapPart(micros: 1_000_000)

  /// Millionths of all, at least 1.
  private let micros: Int64

  package static let kind = ValueKind.form(Sentence("a number above 0 and up to 1, such as 0.1"))
  package static let placeholder = "PART"

  private init(micros: Int64) { self.micros = micros }

  package init?(parameter text: String) {
    guard let amount = try? Amount(decimal: text), (1...1_000_000).contains(amount.micros) else { return nil }
    self.init(micros: amount.micros)
  }

  package var parameterText: String { Amount(micros: micros).description }

  /// Above 0, up to 1.
  var part: Double { Double(micros) / 1e6 }
}
