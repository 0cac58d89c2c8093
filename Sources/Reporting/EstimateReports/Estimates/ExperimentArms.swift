package import Estimates
package import Ledger
package import Mappings
package import Postbacks
package import Values

/// The postbacks of two arms by day of arrival, decoded.
package struct ExperimentArms: Sendable {
  /// How many postbacks of an arm there are, by what their values are.
  package struct Counts: Equatable, Sendable {
    /// Winning first postbacks: installs, redownloads and re-engagements.
    package var conversions: Int64 = 0
    /// Those with a fine value that the mapping knows.
    package var shown: Int64 = 0
    /// Those without any value.
    package var nulls: Int64 = 0
    package var coarse: Int64 = 0
    /// Those with a value that no mapping knows.
    package var unmapped: Int64 = 0
  }

  package let a: ExperimentArm
  package let b: ExperimentArm
  package let measure: ExperimentMeasure
  package let digits: Int
  package private(set) var counts = (a: Counts(), b: Counts())
  package private(set) var apps: Set<AppID> = []
  /// Whether postbacks of both kinds of campaign were counted for arms that name campaigns: `campaign-id` and
  /// `source-identifier`.
  package var hasBothKinds: Bool { kinds.count > 1 }
  private var kinds: Set<Bool> = []
  package private(set) var currencies: Set<CurrencyCode> = []
  private var byDay: [Day: ExperimentComparison.Day] = [:]
  /// The most that any value of each version of an app's mapping is worth.
  private var greatest: [AppID: [Double]] = [:]

  /// Starts without postbacks.
  package init(a: ExperimentArm, b: ExperimentArm, measure: ExperimentMeasure, digits: Int) {
    self.a = a
    self.b = b
    self.measure = measure
    self.digits = digits
  }

  /// The days with postbacks, in order.
  package var days: [(day: Day, users: ExperimentComparison.Day)] {
    byDay.ordered { $0.key < $1.key }.map { (day: $0.key, users: $0.value) }
  }

  package mutating func add(
    _ row: FirstWindowHour, _ histories: [AppID: MappingHistory], _ timers: DeviceTimers
  ) {
    var campaign = row.campaign.text
    var isSource = false
    if case .sourceIdentifier(let source) = row.campaign {
      campaign = source.shortened(toLast: digits)?.text ?? campaign
      isSource = true
    }
    let partOfA = a.part(row.network, campaign)
    guard let part = partOfA ?? b.part(row.network, campaign) else { return }
    let isA = partOfA != nil
    apps.insert(row.app)
    if part.campaign != nil { kinds.insert(isSource) }
    var counts = isA ? self.counts.a : self.counts.b
    counts.conversions += row.postbacks
    var worth: (mean: Double, within: Double, greatest: Double)?
    switch row.value {
    case .absent:
      counts.nulls += row.postbacks
      if measure == .nullRate { worth = (1, 0, 1) }
    case .coarse:
      counts.coarse += row.postbacks
      if measure == .nullRate { worth = (0, 0, 1) }
    case .rejected:
      counts.unmapped += row.postbacks
      if measure == .nullRate { worth = (0, 0, 1) }
    case .fine:
      let expectation = histories[row.app]?.expectation(
        of: row.value, version: row.version, window: .first, timers: timers,
        arrival: row.hour.followingHour, type: row.outcome.conversionType)
      if let expectation, expectation.status == .decoded {
        counts.shown += row.postbacks
        if measure == .revenue { currencies.formUnion(expectation.revenue.map(\.currency)) }
        let (mean, within) = measure.worth(expectation)
        worth = (mean, within, greatest(of: expectation, row.app, histories))
      } else {
        counts.unmapped += row.postbacks
        if measure == .nullRate { worth = (0, 0, 1) }
      }
    }
    if isA { self.counts.a = counts } else { self.counts.b = counts }
    guard let worth else { return }
    var day = byDay[row.hour.day] ?? ExperimentComparison.Day(greatest: 0)
    day.greatest = max(day.greatest, worth.greatest)
    if isA {
      day.a.add(worth.mean, within: worth.within, users: Double(row.postbacks))
    } else {
      day.b.add(worth.mean, within: worth.within, users: Double(row.postbacks))
    }
    byDay[row.hour.day] = day
  }
  /// The most that a value of the versions that are possible is worth, whether or not anyone has it.
  private mutating func greatest(
    of expectation: Expectation, _ app: AppID, _ histories: [AppID: MappingHistory]
  ) -> Double {
    let versions =
      greatest[app] ?? histories[app].map { $0.versions.map { measure.greatest(of: $0) } } ?? []
    greatest[app] = versions
    return expectation.readings.reduce(measure.worth(expectation).mean) { most, reading in
      versions.indices.contains(reading.version) ? max(most, versions[reading.version]) : most
    }
  }
}
