import Arguments
import Values

/// A share that an address has as a percentage, such as `2.5`.
struct PercentText: ParameterValue, Equatable {
  static let kind = ValueKind.form(Sentence("a number from 0 to 1000"))
  static let placeholder = "PERCENT"

  let parameterText: String
  /// From 0 through 10.
  let share: Double

  init?(parameter text: String) {
    guard let percent = try? Amount(decimal: text), (0...1_000_000_000).contains(percent.micros) else {
      return nil
    }
    parameterText = text
    share = Double(percent.micros) / 100_000_000
  }
}
