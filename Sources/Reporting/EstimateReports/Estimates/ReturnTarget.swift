package import Arguments
import Estimates
import Values

/// The return on spend that a campaign should reach: 1 pays for itself.
package struct ReturnTarget: ParameterValue, Equatable {
  package static let kind = ValueKind.form(Sentence("a number above 0, such as 1 or 1.2"))
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

/// Whether a return reaches a target, as far as its 90 % interval shows.
///
/// Each of ``yes`` and ``no`` is wrong at most as often as a truth is beyond one end of the interval: in 5 % of cases.
package enum ReturnVerdict: String, CaseIterable, ParameterValue {
  /// The whole interval reaches the target.
  case yes
  /// The whole interval is below it.
  case no
  /// The interval includes it, or is below it while postbacks are still to come.
  case undecided

  /// - Parameter canRise: Whether revenue is still to come, which leaves no return surely below the target.
  init(_ interval: Interval, _ target: ReturnTarget, canRise: Bool) {
    self =
      interval.low >= target.ratio ? .yes : interval.high < target.ratio && !canRise ? .no : .undecided
  }
}
