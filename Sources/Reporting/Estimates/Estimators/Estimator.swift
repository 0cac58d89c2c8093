/// A way to estimate what withheld values are worth.
package enum Estimator: Equatable, Sendable {
  /// Empirical Bayes on a binary tree of codes with one concentration per depth: the one to use.
  case tree
  /// For networks that hide each value that fewer than some number of users have; the number is at least 2.
  ///
  /// Where values are withheld by another rule it is far too high; ``FewestSharing`` shows which rule is at work.
  case threshold(smallest: Int)

  /// All of them; the threshold as it was seen in the field.
  package static let all: [Self] = [.tree, .threshold(smallest: 5)]

  package var name: String {
    switch self {
    case .tree: "tree"
    case .threshold: "threshold"
    }
  }

  /// Learns from a set.
  ///
  /// - Throws: ``EstimationError`` where a fit fails.
  package func fit(to set: CampaignSet) throws(EstimationError) -> EstimatorFit {
    switch self {
    case .tree: EstimatorFit(try FittedTree(fitting: set))
    case .threshold(let smallest): EstimatorFit(try ThresholdCompletion(set, smallest: smallest))
    }
  }

  /// Returns the estimates of all campaigns of a set, in its order.
  ///
  /// - Throws: ``EstimationError`` where a fit fails.
  package func estimates(of set: CampaignSet) throws(EstimationError) -> [CampaignEstimate] {
    try fit(to: set).estimates(of: set)
  }
}

extension RevealedCounts {
  func flags(worth: CodeWorth, hasEvidence: Bool) -> Set<EstimateFlag> {
    var flags: Set<EstimateFlag> = []
    if nulls > 0, revealedTotal == 0 { flags.insert(.nothingRevealed) }
    if nullShare >= 0.75 { flags.insert(.mostlyHidden) }
    if nulls > 0, !hasEvidence { flags.insert(.noEvidence) }
    if worth.buckets.allSatisfy({ $0.users == 0 }) { flags.insert(.amountsFromMapping) }
    return flags
  }
}
