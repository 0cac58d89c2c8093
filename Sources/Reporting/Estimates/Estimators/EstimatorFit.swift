/// What an estimator learns from all campaigns of a set together, once for everything that is estimated from it.
package struct EstimatorFit: Sendable {
  let tree: FittedTree?
  let completion: ThresholdCompletion?

  /// Takes the prior of campaigns; `nil` where nothing is known of their mix.
  package init(_ tree: FittedTree?) { (self.tree, completion) = (tree, nil) }

  init(_ completion: ThresholdCompletion?) {
    (tree, self.completion) = (completion?.fitted, completion)
  }

  /// What the mix of a campaign's withheld values follows from.
  ///
  /// - Parameter index: The place of the campaign in the set that was learned from, where it shows `campaign`.
  func mix(of campaign: RevealedCounts, at index: Int) -> WithheldMix {
    guard let completion else { return tree == nil ? .unknown : .given(campaign.revealed) }
    let hidden = completion.campaigns[index].hidden
    let total = hidden.reduce(0, +)
    return .known(total > 0 ? hidden.map { $0 / total } : hidden)
  }

  /// What a withheld value of such a campaign is worth on average; `nil` without evidence.
  func nullWorth(of campaign: RevealedCounts, at index: Int, _ worth: CodeWorth) -> Double? {
    if let completion { return completion.campaigns[index].nullWorth(worth) }
    return tree.map { worth.value(of: $0.mix(given: campaign.revealed)) }
  }

  /// Returns the estimates of the campaigns of the set that was learned from, or of the same ones in other cells.
  ///
  /// - Parameter whole: What the campaigns show as a whole, where the cells of the set do not; `nil` where they do.
  package func estimates(of set: CampaignSet, as whole: CampaignSet? = nil) -> [CampaignEstimate] {
    let worth = set.worth
    return set.campaigns.enumerated().map { index, campaign in
      let nullWorth =
        campaign.cells.contains { $0.nulls > 0 }
        ? nullWorth(of: (whole ?? set).campaigns[index], at: index, worth) : nil
      let more: Set<EstimateFlag> =
        completion?.campaigns[index].isBeyondRule == true ? [.tooManyForRule] : []
      return CampaignEstimate(
        name: campaign.name,
        cells: campaign.cells.map { cell in
          CellEstimate(
            decoded: worth.value(of: cell.revealed),
            imputed: cell.nulls == 0 ? 0 : nullWorth.map { cell.nulls * $0 })
        },
        flags: campaign.flags(worth: worth, hasEvidence: tree != nil).union(more))
    }
  }

  /// How many withheld values of all campaigns are estimated at each code; `nil` without evidence.
  package func withheldByCode(of set: CampaignSet) -> [Double]? {
    guard let tree else { return nil }
    var sums = [Double](repeating: 0, count: set.worth.buckets.count)
    for (index, campaign) in set.campaigns.enumerated() where campaign.nulls > 0 {
      for (code, share) in mix(of: campaign, at: index).shares(by: tree).enumerated() {
        sums[code] += campaign.nulls * share
      }
    }
    return sums
  }
}

/// What the estimated mix of a campaign's withheld values follows from.
///
/// The mix itself has a number for each value, more than a small campaign shows, and is made where it is asked for.
enum WithheldMix: Sendable {
  /// Nothing shows it.
  case unknown
  /// What the campaign shows.
  case given(CodeCounts)
  case known([Double])

  /// The mix, summing to one; empty where it is unknown.
  func shares(by tree: FittedTree?) -> [Double] {
    switch self {
    case .unknown: []
    case .given(let counts): tree?.mix(given: counts) ?? []
    case .known(let mix): mix
    }
  }
}
