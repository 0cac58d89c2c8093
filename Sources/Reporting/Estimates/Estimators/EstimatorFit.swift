/// What an estimator learns from all campaigns of a set together, once for everything that is estimated from it.
struct EstimatorFit: Sendable {
  let tree: FittedTree?
  let completion: ThresholdCompletion?
  /// The estimated mix of each campaign's withheld values, summing to one; empty for an estimator that has none.
  let mixes: [[Double]]

  /// - Throws: ``EstimationError`` where a fit fails.
  init(_ estimator: Estimator, to set: CampaignSet) throws(EstimationError) {
    guard let mix = set.mix else {
      (tree, completion, mixes) = (nil, nil, [])
      return
    }
    if case .threshold(let smallest) = estimator {
      let completion = try ThresholdCompletion(set, smallest: smallest)
      self.completion = completion
      tree = completion.fitted
      mixes = completion.campaigns.map { campaign in
        let total = campaign.hidden.reduce(0, +)
        return total > 0 ? campaign.hidden.map { $0 / total } : campaign.hidden
      }
    } else {
      let fitted = try estimator.fittedTree(for: set, mix: mix)
      (tree, completion) = (fitted, nil)
      mixes = fitted.map { fitted in set.campaigns.map { fitted.mix(given: $0.revealed) } } ?? []
    }
  }
}
