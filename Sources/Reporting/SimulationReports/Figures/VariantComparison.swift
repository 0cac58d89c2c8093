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
  var sentence: Sentence {
    guard let paired else {
      return isSameCurrency
        ? Sentence("\(name: nameOfB) is not compared with \(name: nameOfA): no campaign has revenue.")
        : Sentence(
          "\(name: nameOfB) is not compared with \(name: nameOfA): they measure different currencies.")
    }
    guard let interval = paired.interval else {
      return Sentence(
        "\(name: nameOfA) and \(name: nameOfB) are undecided on campaign revenue error: one campaign is too few."
      )
    }
    func points(_ part: Double, _ decimals: Int = 1) -> String { fixed(part * 100, decimals) }
    func basis(_ low: Double, _ high: Double) -> Sentence {
      Sentence(
        "95 % interval \(number: points(low)) to \(number: points(high)) "
          + "(bootstrap over \(paired.rows.count, "campaign"))")
    }
    switch paired.verdict {
    case .bIsBetter(let gain):
      return Sentence(
        "\(name: nameOfB) is better than \(name: nameOfA) on campaign revenue error by \(number: points(gain)) points, "
          + "\(basis(interval.lowerBound, interval.upperBound)).")
    case .aIsBetter(let gain):
      return Sentence(
        "\(name: nameOfA) is better than \(name: nameOfB) on campaign revenue error by \(number: points(gain)) points, "
          + "\(basis(-interval.upperBound, -interval.lowerBound)).")
    case .noDifference:
      return Sentence(
        "\(name: nameOfA) and \(name: nameOfB) have no difference that matters on campaign revenue error: below "
          + "\(number: points(PairedComparison.leastThatMatters, 2)) points, "
          + "\(basis(interval.lowerBound, interval.upperBound)).")
    case .undecided:
      return Sentence(
        "\(name: nameOfA) and \(name: nameOfB) are undecided on campaign revenue error: \(name: nameOfB)'s is smaller by "
          + "\(number: points(paired.gain)) points, \(basis(interval.lowerBound, interval.upperBound)).")
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
