import Estimates
import Ledger
import MappingFormats
import MappingLibrary
import Mappings
import Postbacks
import Values

/// The postbacks of two campaigns by day of arrival, decoded.
struct ExperimentArms {
  /// What an arm is told by.
  struct Name: Hashable, Sendable {
    /// The network, in lower case.
    let network: String
    /// The campaign, folded.
    let campaign: String

    /// As the command line takes it.
    var text: String { "\(network)/\(campaign)" }
  }

  /// How many postbacks of an arm there are, by what they tell.
  struct Counts: Hashable, Sendable {
    /// Winning first postbacks.
    var installs: Int64 = 0
    /// Those with a fine value that the mapping knows.
    var shown: Int64 = 0
    /// Those without any value.
    var nulls: Int64 = 0
    /// Those with a coarse value.
    var coarse: Int64 = 0
    /// Those with a value that no mapping knows.
    var unmapped: Int64 = 0
  }

  let a: Name
  let b: Name
  let measure: ExperimentMeasure
  let digits: Int
  private(set) var counts = (a: Counts(), b: Counts())
  private(set) var apps: Set<AppID> = []
  /// Whether postbacks of both kinds of campaign were counted: `campaign-id` and `source-identifier`.
  var hasBothKinds: Bool { kinds.count > 1 }
  private var kinds: Set<Bool> = []
  private(set) var currencies: Set<CurrencyCode> = []
  private var byDay: [Day: ExperimentComparison.Day] = [:]

  /// Starts without postbacks.
  init(a: Name, b: Name, measure: ExperimentMeasure, digits: Int) {
    self.a = a
    self.b = b
    self.measure = measure
    self.digits = digits
  }

  /// The days with postbacks, in order.
  var days: [(day: Day, users: ExperimentComparison.Day)] {
    byDay.sorted { $0.key < $1.key }.map { (day: $0.key, users: $0.value) }
  }

  /// Adds the postbacks of an hour, if they are of an arm.
  mutating func add(_ row: FirstWindowHour, _ catalog: MappingCatalog, _ timers: DeviceTimers) {
    var campaign = row.campaign.text
    var isSource = false
    if case .sourceIdentifier(let source) = row.campaign {
      campaign = source.shortened(toLast: digits)?.text ?? campaign
      isSource = true
    }
    let name = Name(network: row.network, campaign: campaign)
    guard name == a || name == b else { return }
    let isA = name == a
    apps.insert(row.app)
    kinds.insert(isSource)
    var counts = isA ? self.counts.a : self.counts.b
    counts.installs += row.postbacks
    var worth: (mean: Double, within: Double)?
    switch row.value {
    case .absent:
      counts.nulls += row.postbacks
      if measure == .nullRate { worth = (1, 0) }
    case .coarse:
      counts.coarse += row.postbacks
      if measure == .nullRate { worth = (0, 0) }
    case .rejected:
      counts.unmapped += row.postbacks
      if measure == .nullRate { worth = (0, 0) }
    case .fine:
      let expectation = catalog.histories[row.app]?.expectation(
        of: row.value, version: row.version, window: .first, timers: timers,
        arrival: row.hour.followingHour)
      if let expectation, expectation.status == .decoded {
        counts.shown += row.postbacks
        if measure == .revenue { currencies.formUnion(expectation.revenue.map(\.currency)) }
        worth = measure.worth(expectation)
      } else {
        counts.unmapped += row.postbacks
        if measure == .nullRate { worth = (0, 0) }
      }
    }
    if isA { self.counts.a = counts } else { self.counts.b = counts }
    guard let worth else { return }
    var day = byDay[row.hour.day] ?? ExperimentComparison.Day()
    if isA {
      day.a.add(worth.mean, within: worth.within, users: Double(row.postbacks))
    } else {
      day.b.add(worth.mean, within: worth.within, users: Double(row.postbacks))
    }
    byDay[row.hour.day] = day
  }
}
