package import Simulation

/// What a draft would show of the users, beside the mapping in force on the same users with the same draws.
package struct TrialResult: Equatable, Sendable {
  /// How many users there are, organic ones too.
  package let users: Int
  package let events: Int
  /// Whether their file names no campaign, so that all are taken as those of one.
  package let isOneCampaign: Bool
  package let seed: UInt64
  package let draft: TrialFigures
  /// The mapping in force; `nil` where there is none.
  package let inForce: TrialFigures?
  /// How the errors compare, the mapping in force as A and the draft as B; `nil` where no campaign has revenue.
  package let comparison: PairedComparison?
}
