package import Simulation

/// What a draft would show of the users, beside the mapping in force on the same users with the same draws.
package struct TrialResult: Hashable, Sendable {
  /// The sample's name.
  package let sample: String
  /// Users of the sample, organic ones too.
  package let users: Int
  /// Users of the file, of which those of the sample may be a part.
  package let usersOfFile: Int
  package let events: Int
  /// Under what both were tried.
  package let settings: TrialSettings
  package let draft: TrialFigures
  /// The mapping in force; `nil` where there is none.
  package let inForce: TrialFigures?
  /// How the errors compare, the mapping in force as A and the draft as B; `nil` where no campaign has revenue.
  package let comparison: PairedComparison?

  /// The word for which of the two is better, at 95 %.
  package var verdict: Verdict {
    guard let comparison else { return .notCompared }
    return switch comparison.verdict {
    case .aIsBetter: .worse
    case .bIsBetter: .better
    case .noDifference: .noDifference
    case .undecided: .undecided
    }
  }

  /// By how much the draft's mean error is smaller, with the 95 % interval where there is one; negative where it is larger.
  package var gain: (mean: Double, interval: ClosedRange<Double>?)? {
    comparison.map { ($0.gain, $0.interval) }
  }

  /// How the draft compares with the mapping in force; the raw value is the word for programs.
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case better, worse, undecided
    case noDifference = "no-difference"
    case notCompared = "not-compared"
  }
}
