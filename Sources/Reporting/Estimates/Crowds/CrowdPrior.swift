package import Values

/// What the campaigns of one app and version show together, whichever of their days are asked for.
package final class CrowdPrior: Sendable {
  let set: CampaignSet
  let fit: EstimatorFit
  let basis: EstimatedCrowd.Basis

  /// Learns from campaigns.
  ///
  /// - Parameter areMany: Whether draws are made when they are asked for, and intervals are calibrated on some campaigns as
  ///   one cell each.
  /// - Throws: ``EstimationError`` where a fit fails.
  init(
    _ campaigns: [RevealedCounts], worth: CodeWorth, users: [Double]?, by estimator: Estimator, seed: UInt64,
    areMany: Bool
  ) throws(EstimationError) {
    set = try CampaignSet(campaigns: campaigns, worth: worth, firstParty: users)
    fit = try estimator.fit(to: set)
    let model = PredictiveModel(of: set, from: fit, seed: seed)
    var recalibration: Recalibration?
    if model != nil, let pool = UserPool(revealedOf: set) {
      recalibration = try Recalibration.learned(
        for: estimator.fit, on: set, pool: pool, mechanism: nil, areMany: areMany, seed: seed)
    }
    basis = EstimatedCrowd.Basis(
      worth: worth, appMean: set.appMean ?? 0, recalibration: recalibration, model: model,
      drawsLater: areMany)
  }

  /// Learns from very many campaigns, each with all of its postbacks.
  ///
  /// - Throws: ``EstimationError`` where a fit fails.
  package convenience init(
    ofMany campaigns: [(name: String, counts: DayCounts)], worth: CodeWorth, users: [Double]?,
    by estimator: Estimator, seed: UInt64
  ) throws(EstimationError) {
    let counts = campaigns.map {
      RevealedCounts(name: $0.name, revealed: $0.counts.revealed, nulls: $0.counts.nulls)
    }
    try self.init(counts, worth: worth, users: users, by: estimator, seed: seed, areMany: true)
  }

  /// Estimates some days of each of its campaigns, in their order.
  ///
  /// - Parameter parts: What the days consist of; none where campaigns are not divided.
  /// - Returns: The group of each campaign; none of a campaign without days.
  /// - Throws: ``EstimationError`` for counts that are none.
  package func crowds(
    ofDays campaigns: [[Day: DayCounts]], parts: [[Day: [DayCounts]]] = []
  ) throws(EstimationError) -> [[EstimatedCrowd]] {
    let days = campaigns.map { $0.sorted { $0.key < $1.key } }
    let asked = try CampaignSet(
      campaigns: zip(set.campaigns, days).map { whole, days in
        RevealedCounts(
          whole, cells: days.map { CellCounts(revealed: $0.value.revealed, nulls: $0.value.nulls) })
      }, worth: set.worth, firstParty: set.firstParty)
    let found = try crowds(
      days, as: asked, parts: parts.map { $0.sorted { $0.key < $1.key } })
    return zip(days, found).map { $0.isEmpty ? [] : [$1] }
  }

  /// Estimates the groups of a set that has its campaigns, in their order.
  func crowds(
    _ days: [[(key: Day, value: DayCounts)]], as set: CampaignSet,
    parts: [[(key: Day, value: [DayCounts])]]
  ) throws(EstimationError) -> [EstimatedCrowd] {
    let estimates = fit.estimates(of: set)
    let divided = parts.isEmpty ? [] : try DividedCrowd.all(parts, like: set, from: fit, basis)
    return days.indices.map { index in
      let counts = set.campaigns[index]
      return EstimatedCrowd(
        days[index], counts, estimates[index], basis.drawsLater ? nil : basis.model?.draws(of: counts),
        withheld: fit.mix(of: counts, at: index), nullEnds: fit.nullEnds(of: counts, at: index, basis), basis,
        divided: divided.isEmpty ? nil : divided[index])
    }
  }

  /// The memory that it takes, about.
  package var bytes: Int {
    self.set.campaigns.reduce(0) { $0 + Self.bytesOfCampaign + $1.revealed.bytes }
  }

  private static let bytesOfCampaign = 200
}

extension EstimatorFit {
  /// What withheld values of such a campaign are worth at the ends of the values' ranges, where it has any.
  func nullEnds(
    of campaign: RevealedCounts, at index: Int, _ basis: EstimatedCrowd.Basis
  ) -> EstimatedCrowd.NullEnds {
    guard let ends = basis.ends, campaign.cells.contains(where: { $0.nulls > 0 }) else {
      return .init(low: nil, high: nil)
    }
    return .init(
      low: nullWorth(of: campaign, at: index, ends.low), high: nullWorth(of: campaign, at: index, ends.high))
  }
}
