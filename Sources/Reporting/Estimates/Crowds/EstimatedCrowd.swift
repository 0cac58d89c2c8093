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
    /// The worths with each user at the low and at the high end of the value's range; `nil` where own users show what values
    /// are worth.
    let ends: (low: CodeWorth, high: CodeWorth)?
    /// The least and the most that a user of any value can be worth.
    let worst: Interval
    private let openCodes: [Bool]

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
      ends = ownUsers > 0 ? nil : (worth.counted(at: \.low), worth.counted(at: \.high))
      worst = worth.ends
      openCodes = worth.buckets.map { !$0.high.isFinite && $0.users == 0 }
    }

    /// Whether values are shown that nothing bounds above and that no own user has.
    func isOpen(_ counts: CellCounts) -> Bool {
      counts.revealed.entries.contains { $0.count > 0 && openCodes[$0.code] }
    }
  }

  /// What a withheld value is worth on average with each user at the low and at the high end; `nil` without evidence.
  struct NullEnds: Sendable {
    let low: Double?
    let high: Double?
  }

  package let days: [Day]
  let cells: [DayCounts]
  let counts: RevealedCounts
  let estimate: CampaignEstimate
  private let nullEnds: NullEnds
  let draws: CellDraws?
  /// Whether its draws are made when they are asked for.
  var drawsLater: Bool { draws == nil && basis.model != nil }
  let withheld: WithheldMix
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
    _ draws: CellDraws?, withheld: WithheldMix, nullEnds: NullEnds, _ basis: Basis,
    divided: DividedCrowd? = nil
  ) {
    self.withheld = withheld
    self.nullEnds = nullEnds
    self.divided = divided
    self.days = days.map(\.key)
    cells = days.map(\.value)
    self.counts = counts
    self.estimate = estimate
    self.draws = draws
    self.basis = basis
  }

  /// The estimated mix of withheld values; empty without evidence.
  ///
  /// - Complexity: It is made each time.
  var mix: [Double] { withheld.shares(by: basis.model?.fitted) }

  /// What a day is worth with each user at the low and at the high end of the value's range; `nil` without evidence, and where
  /// own users show what values are worth.
  func ends(ofDay day: Int) -> Interval? {
    guard let ends = basis.ends else { return nil }
    let cell = counts.cells[day]
    func total(_ worth: CodeWorth, _ nullWorth: Double?) -> Double? {
      let imputed = cell.nulls == 0 ? 0 : nullWorth.map { cell.nulls * $0 }
      return imputed.map { worth.value(of: cell.revealed) + $0 }
    }
    guard let low = total(ends.low, nullEnds.low), let high = total(ends.high, nullEnds.high) else {
      return nil
    }
    return Interval(low: low, high: high)
  }

  /// The memory that it takes beside its counts by day, about.
  package var bytes: Int {
    let numbers = (draws?.values.count ?? 0) + counts.cells.count * Self.numbersOfDay
    return 8 * numbers + counts.revealed.bytes + Self.bytesOfGroup + (divided?.crowd.bytes ?? 0)
  }

  /// What is kept of a day beside draws and counts by code, which are those of its cell.
  private static let numbersOfDay = 14
  private static let bytesOfGroup = 300

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
