package import Values

/// Days of a campaign whose users have one mix of values, estimated together with the app's other campaigns.
package final class EstimatedCrowd: Sendable {
  final class Basis: Sendable {
    let worth: CodeWorth
    let appMean: Double
    let recalibration: Recalibration?
    /// How many of the advertiser's own users the worths come from.
    let ownUsers: Int
    /// What draws are made of; `nil` where there are none.
    let model: PredictiveModel?
    /// Whether draws are made when they are asked for; each group has its draws otherwise.
    let drawsLater: Bool

    init(
      worth: CodeWorth, appMean: Double, recalibration: Recalibration?, model: PredictiveModel?,
      drawsLater: Bool
    ) {
      self.model = model
      self.drawsLater = drawsLater && model != nil
      self.worth = worth
      self.appMean = appMean
      self.recalibration = recalibration
      ownUsers = worth.buckets.reduce(0) { $0 + $1.users }
    }

    /// Whether values are shown that nothing bounds above and that no own user has.
    func isOpen(_ counts: CellCounts) -> Bool {
      zip(counts.revealed, worth.buckets).contains { count, bucket in
        count > 0 && !bucket.high.isFinite && bucket.users == 0
      }
    }
  }

  struct Ends: Sendable {
    let low: CampaignEstimate
    let high: CampaignEstimate

    /// Those of all campaigns of a set; none where own users show what values are worth.
    static func all(
      of set: CampaignSet, from fit: EstimatorFit, _ basis: Basis
    ) -> [Ends] {
      guard basis.ownUsers == 0 else { return [] }
      let low = fit.estimates(of: set, at: set.worth.counted(at: \.low))
      let high = fit.estimates(of: set, at: set.worth.counted(at: \.high))
      return zip(low, high).map { Ends(low: $0, high: $1) }
    }
  }

  package let days: [Day]
  let cells: [DayCounts]
  let counts: RevealedCounts
  let estimate: CampaignEstimate
  /// `nil` where own users show what values are worth.
  let ends: Ends?
  let draws: CellDraws?
  /// Whether its draws are made when they are asked for.
  var drawsLater: Bool { draws == nil && basis.model != nil }
  /// The estimated mix of withheld values.
  let mix: [Double]
  let basis: Basis
  /// The same users with days divided, where that was asked for.
  package let divided: DividedCrowd?

  /// Campaigns of an app and version of which each has draws of its own; the draws of more are made when they are asked
  /// for, and their intervals are calibrated on some of them.
  package static let mostDrawnApart = ManyCampaigns.mostDrawnApart
  /// Simulated campaigns, of more real ones, on which intervals are calibrated.
  package static let calibrationSample = Recalibration.rounds * ManyCampaigns.mostSimulated

  /// Whether its intervals are calibrated on a sample of very many campaigns.
  package var isCalibratedOnSample: Bool {
    basis.drawsLater && basis.recalibration != nil
      && basis.model?.set.campaigns.count ?? 0 > ManyCampaigns.mostSimulated
  }

  init(
    _ days: [(key: Day, value: DayCounts)], _ counts: RevealedCounts, _ estimate: CampaignEstimate,
    _ ends: Ends?, _ draws: CellDraws?, mix: [Double], _ basis: Basis, divided: DividedCrowd? = nil
  ) {
    self.mix = mix
    self.divided = divided
    self.days = days.map(\.key)
    cells = days.map(\.value)
    self.counts = counts
    self.estimate = estimate
    self.ends = ends
    self.draws = draws
    self.basis = basis
  }

  /// The memory that it takes beside its counts by day, about.
  package var bytes: Int {
    let numbers =
      (draws?.values.count ?? 0) + counts.cells.count * Self.numbersOfDay + 3 * counts.revealed.count
    return 8 * numbers + (divided?.crowd.bytes ?? 0)
  }

  /// What is kept of a day beside draws and counts by code, which are those of its cell.
  private static let numbersOfDay = 24

  /// Estimates the campaigns of one app under one version of its mapping.
  ///
  /// - Parameters:
  ///   - campaigns: The campaigns; the draws of one follow from its name and the seed.
  ///   - users: How many of the advertiser's own users have each value; `nil` where none are known.
  ///   - estimator: How withheld values are estimated.
  ///   - parts: For each campaign the parts that it consists of, under the days of install or one for several days of a
  ///     week; none where campaigns are not divided.
  /// - Returns: The groups of each campaign, in the order of the campaigns.
  /// - Throws: ``EstimationError`` where a fit fails.
  package static func estimated(
    _ campaigns: [(name: String, days: [Day: DayCounts])], worth: CodeWorth, users: [Double]?,
    by estimator: Estimator, seed: UInt64, parts: [[Day: [DayCounts]]] = []
  ) throws(EstimationError) -> [[EstimatedCrowd]] {
    let crowds = campaigns.enumerated().flatMap { index, campaign in
      Self.crowds(campaign.days.sorted { $0.key < $1.key }, estimator).map { (campaign: index, days: $0) }
    }
    let counts = crowds.map { crowd in
      RevealedCounts(
        name: campaigns[crowd.campaign].name,
        cells: crowd.days.map { CellCounts(revealed: $0.value.revealed, nulls: $0.value.nulls) })
    }
    let prior = try CrowdPrior(
      counts, worth: worth, users: users, by: estimator, seed: seed,
      areMany: counts.count > mostDrawnApart)
    let found = try prior.crowds(
      crowds.map(\.days), as: prior.set,
      parts: parts.flatMap { Self.crowds($0.sorted { $0.key < $1.key }, estimator) })
    var estimated = [[EstimatedCrowd]](repeating: [], count: campaigns.count)
    for (crowd, found) in zip(crowds, found) { estimated[crowd.campaign].append(found) }
    return estimated
  }

  /// The days whose users are one group: all of a campaign's, or those of a week if values are withheld singly.
  ///
  /// A value that fewer than some number of users have is withheld in one week and shown in another; put together,
  /// weeks would look as if it were never withheld.
  private static func crowds<Content>(
    _ days: [(key: Day, value: Content)], _ estimator: Estimator
  ) -> [[(key: Day, value: Content)]] {
    guard case .threshold = estimator else { return [days] }
    // Weeks from Monday on; 1970-01-01 was a Thursday.
    let weeks = Dictionary(grouping: days) { Int((Double($0.key.number + 3) / 7).rounded(.down)) }
    return weeks.sorted { $0.key < $1.key }.map(\.value)
  }
}
