internal import Numerics
internal import System
internal import Values

/// The law of amounts beyond the highest that are known: Pareto's, cut off.
///
/// The exponent is Hill's over the 12 highest amounts; its error is a gamma law of as many degrees. A mean is cut off at
/// three times the highest amount, since without an end it can be infinite. An amount that is drawn is cut off at ten times:
/// one of as many other users pays more than three times the highest amount in a fifth of all cases if the exponent is 1.3,
/// so that intervals that end there miss as many truths.
/// Source: Hill, "A simple general approach to inference about the tail of a distribution", 1975.
package struct ParetoTail: Equatable, Sendable {
  /// How many amounts the exponent comes from.
  private let count: Int
  /// The sum of the logarithms of their ratios to the next lower one.
  private let logarithms: Double
  private let highest: Double

  private static let most = 12
  private static let exponents = 0.3...50.0
  /// Where the law ends, by the highest amount, or by where it begins if that is higher.
  private static let (endOfMean, endOfAmounts) = (3.0, 10.0)
  /// How many of the highest amounts it takes to fit the law.
  package static let fewestAmounts = most + 1

  /// Fits known amounts; `nil` where fewer than two are above 0.
  ///
  /// - Parameter amounts: What users are worth, or at least the ``fewestAmounts`` highest of it.
  package init?(_ amounts: [Double]) {
    let highest = amounts.filter { $0.isFinite && $0 > 0 }.sorted().suffix(Self.fewestAmounts)
    guard let least = highest.first, let most = highest.last, highest.count > 1 else { return nil }
    count = highest.count - 1
    logarithms = highest.reduce(0) { $0 + naturalLogarithm($1 / least) }
    self.highest = most
  }

  package var exponent: Double { held(Double(count) / max(logarithms, 1e-12)) }

  func exponent(_ random: inout SplitMix64) -> Double {
    held(random.gamma(shape: Double(count)) / max(logarithms, 1e-12))
  }

  private func held(_ exponent: Double) -> Double {
    min(Self.exponents.upperBound, max(Self.exponents.lowerBound, exponent))
  }

  /// The mean of the law from some amount on, which is above 0.
  package func mean(from low: Double, exponent: Double) -> Double {
    let ratio = naturalLogarithm(Self.endOfMean * max(highest, low) / low)
    let scale = 1 - System.exponential(-exponent * ratio)
    let rest = exponent - 1
    let integral = abs(rest) < 1e-6 ? ratio : (1 - System.exponential(-rest * ratio)) / rest
    return low * exponent * integral / scale
  }

  /// Draws an amount of the law from some amount on, which is above 0.
  func amount(from low: Double, exponent: Double, _ random: inout SplitMix64) -> Double {
    let end = Self.endOfAmounts * max(highest, low)
    let beyond = System.exponential(-exponent * naturalLogarithm(end / low))
    let rest = 1 - random.fraction() * (1 - beyond)
    return min(end, low * System.exponential(-naturalLogarithm(rest) / exponent))
  }
}
