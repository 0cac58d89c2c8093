internal import Numerics
import System
package import Values

/// A law by which values are withheld that looks at a campaign's size and not at its users.
package enum NullMechanism: Equatable, Sendable {
  /// A cell below this many installs hides all its values, any other none.
  case hard(threshold: Double)
  /// Each install of a cell of N is revealed with probability 1 / (1 + exp(−(ln N − ln τ) / s)).
  case soft(threshold: Double, slope: Double)
  /// Each value is withheld with the same probability.
  case share(Double)

  /// Draws how many values of a cell are withheld.
  package func hidden(of installs: Int, _ random: inout SplitMix64) -> Int {
    switch self {
    case .hard(let threshold): Double(installs) < threshold ? installs : 0
    case .soft: random.binomial(installs, 1 - revealing(Double(installs)))
    case .share(let share): random.binomial(installs, share)
    }
  }

  /// From how many installs half of the values are shown; `nil` where it does not look at the size.
  package var threshold: Double? {
    switch self {
    case .hard(let threshold), .soft(let threshold, _): threshold
    case .share: nil
    }
  }

  /// The probability that an install of a cell of some size is revealed.
  package func revealing(_ installs: Double) -> Double {
    switch self {
    case .hard(let threshold): installs < threshold ? 0 : 1
    case .soft(let threshold, let slope): Self.revealing(installs, threshold: threshold, slope: slope)
    case .share(let share): 1 - share
    }
  }

  static func revealing(_ installs: Double, threshold: Double, slope: Double) -> Double {
    guard installs > 0 else { return 0 }
    let power = (naturalLogarithm(installs) - naturalLogarithm(threshold)) / slope
    return 1 / (1 + exponential(-power))
  }
}
