/// What an estimator learns from all campaigns of a set together, once for everything that is estimated from it.
package struct EstimatorFit: Sendable {
  let tree: FittedTree?
  let completion: ThresholdCompletion?
  /// The estimated mix of each campaign's withheld values, summing to one; empty without evidence.
  let mixes: [[Double]]

  /// Takes the prior of a set's campaigns; `nil` where nothing is known of their mix.
  package init(_ tree: FittedTree?, of set: CampaignSet) {
    (self.tree, completion) = (tree, nil)
    mixes = tree.map { tree in set.campaigns.map { tree.mix(given: $0.revealed) } } ?? []
  }

  init(_ completion: ThresholdCompletion?) {
    (tree, self.completion) = (completion?.fitted, completion)
    mixes =
      completion?.campaigns.map { campaign in
        let total = campaign.hidden.reduce(0, +)
        return total > 0 ? campaign.hidden.map { $0 / total } : campaign.hidden
      } ?? []
  }

  /// Returns the estimates of the campaigns of the set that was learned from, or of the same ones in other cells.
  ///
  /// - Parameter worth: What mixes of values are counted at; `nil` for the worths of the set.
  package func estimates(of set: CampaignSet, at worth: CodeWorth? = nil) -> [CampaignEstimate] {
    let worth = worth ?? set.worth
    return set.campaigns.enumerated().map { index, campaign in
      let completed = completion?.campaigns[index]
      let nullWorth =
        completed.map { $0.nullWorth(worth) } ?? (mixes.isEmpty ? nil : worth.value(of: mixes[index]))
      let more: Set<EstimateFlag> = completed?.isBeyondRule == true ? [.tooManyForRule] : []
      return CampaignEstimate(
        name: campaign.name,
        cells: campaign.cells.map { cell in
          CellEstimate(
            decoded: worth.value(of: cell.revealed),
            imputed: cell.nulls == 0 ? 0 : nullWorth.map { cell.nulls * $0 })
        },
        flags: campaign.flags(worth: worth, hasEvidence: nullWorth != nil).union(more))
    }
  }

  /// How many withheld values of all campaigns are estimated at each code; `nil` without evidence.
  package func withheldByCode(of set: CampaignSet) -> [Double]? {
    guard !mixes.isEmpty else { return nil }
    var sums = [Double](repeating: 0, count: set.worth.buckets.count)
    for (campaign, mix) in zip(set.campaigns, mixes) where campaign.nulls > 0 {
      for (code, share) in mix.enumerated() { sums[code] += campaign.nulls * share }
    }
    return sums
  }
}
