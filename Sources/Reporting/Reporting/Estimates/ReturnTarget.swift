package import Arguments
import Estimates
import Values

/// The return on spend that a campaign should reach: 1 pays for itself.
package struct ReturnTarget: ParameterValue, Hashable {
  package static let kind = ValueKind.form("a number above 0, such as 1 or 1.2")
  package static let placeholder = "RETURN"

  package let parameterText: String
  package let ratio: Double

  package init?(parameter text: String) {
    guard let amount = try? Amount(decimal: text), amount > .zero, amount.micros <= 1_000_000_000 else {
      return nil
    }
    parameterText = text
    ratio = Double(amount.micros) / 1e6
  }

  /// Spends what it earns.
  package static let one = ReturnTarget(parameterText: "1", ratio: 1)

  private init(parameterText: String, ratio: Double) {
    (self.parameterText, self.ratio) = (parameterText, ratio)
  }
}

/// Whether a campaign's return reaches a target, as far as its interval shows.
package enum ReturnVerdict: String, CaseIterable, ParameterValue {
  /// The whole interval is below the target.
  case below
  /// The whole interval reaches it.
  case above
  case unsure = "not-sure"

  /// - Parameter canRise: Whether revenue is still to come, which leaves no return surely below the target.
  init(_ interval: Interval, _ target: ReturnTarget, canRise: Bool) {
    self =
      interval.low >= target.ratio ? .above : interval.high < target.ratio && !canRise ? .below : .unsure
  }
}
