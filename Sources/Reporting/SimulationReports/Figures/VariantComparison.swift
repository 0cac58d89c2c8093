import Simulation
import Values

/// A variant against the first one, on the same users and draws.
struct VariantComparison: Sendable {
  /// The first variant's name as people see it.
  let nameOfA: String
  /// The other's name as people see it.
  let nameOfB: String
  /// `nil` where there is nothing to compare: other currencies, or no campaign with revenue.
  let paired: PairedComparison?
  private let isSameCurrency: Bool

  /// Compares two variants; the first one's seed decides the resampling.
  ///
  /// - Throws: `FileError` where the figures of campaigns cannot be read.
  init(_ a: SimulationReport.Variant, _ b: SimulationReport.Variant) throws {
    nameOfA = printable(a.name)
    nameOfB = printable(b.name)
    isSameCurrency = a.configuration.currency == b.configuration.currency
    paired =
      isSameCurrency
      ? try PairedComparison(a.outcome, b.outcome, seed: a.configuration.seed) : nil
  }

  /// Which of the two is better, and how sure that is.
  var sentence: String {
    guard let paired else {
      return isSameCurrency
        ? "\(nameOfB) is not compared with \(nameOfA): no campaign has revenue."
        : "\(nameOfB) is not compared with \(nameOfA): they measure different currencies."
    }
    let basis = "bootstrap over \(counted(paired.rows.count, "campaign"))"
    guard let interval = paired.interval else {
      return "\(nameOfA) and \(nameOfB) are undecided on campaign revenue error: one campaign is too few."
    }
    func points(_ low: Double, _ high: Double) -> String {
      "95 % interval \(fixed(low * 100, 1)) to \(fixed(high * 100, 1)) (\(basis))"
    }
    switch paired.verdict {
    case .bIsBetter(let gain):
      return
        "\(nameOfB) is better than \(nameOfA) on campaign revenue error by \(fixed(gain * 100, 1)) points, "
        + points(interval.lowerBound, interval.upperBound) + "."
    case .aIsBetter(let gain):
      return
        "\(nameOfA) is better than \(nameOfB) on campaign revenue error by \(fixed(gain * 100, 1)) points, "
        + points(-interval.upperBound, -interval.lowerBound) + "."
    case .noDifference:
      return "\(nameOfA) and \(nameOfB) have no difference that matters on campaign revenue error: below "
        + "\(fixed(PairedComparison.leastThatMatters * 100, 2)) points, "
        + points(interval.lowerBound, interval.upperBound) + "."
    case .undecided:
      return "\(nameOfA) and \(nameOfB) are undecided on campaign revenue error: \(nameOfB)'s is smaller by "
        + "\(fixed(paired.gain * 100, 1)) points, "
        + points(interval.lowerBound, interval.upperBound) + "."
    }
  }

  /// The word for programs.
  var verdict: String {
    switch paired?.verdict {
    case .bIsBetter: "b-is-better"
    case .aIsBetter: "a-is-better"
    case .noDifference: "no-difference"
    case .undecided: "undecided"
    case nil: "not-compared"
    }
  }
}
