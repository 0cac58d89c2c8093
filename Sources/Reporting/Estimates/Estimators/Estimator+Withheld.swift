extension Estimator {
  /// How many withheld values of all campaigns are estimated at each code; `nil` without evidence, or for an estimator
  /// that does not estimate single codes.
  ///
  /// - Throws: ``EstimationError`` where a fit fails.
  package func withheldByCode(of set: CampaignSet) throws(EstimationError) -> [Double]? {
    guard let mix = set.mix, let fitted = try fittedTree(for: set, mix: mix) else { return nil }
    var sums = [Double](repeating: 0, count: mix.count)
    for campaign in set.campaigns where campaign.nulls > 0 {
      for (code, share) in fitted.mix(given: campaign.revealed).enumerated() {
        sums[code] += campaign.nulls * share
      }
    }
    return sums
  }
}
