import Mappings
public import Postbacks
import Values

/// A simulation of what devices send of a population under a mapping.
///
/// First every cohort's ``crowd(of:)`` is merged, then every cohort is run with the whole ``Crowd``; outcomes are
/// merged. Cohorts can be run on several threads: the result depends on the population, the configuration and the
/// number of the run alone.
public struct Simulator: Sendable {
  public let configuration: SimulationConfiguration
  let mapping: CompiledMapping
  private let worthOfInstalls: WorthTable
  private let worthOfReengagements: WorthTable
  let addsUp: [Bool]

  public init(_ configuration: SimulationConfiguration) {
    self.configuration = configuration
    mapping = CompiledMapping(configuration.mapping)
    worthOfInstalls = WorthTable(configuration.mapping, configuration.currency, .install)
    worthOfReengagements = WorthTable(configuration.mapping, configuration.currency, .reengagement)
    addsUp = ConversionWindow.allCases.map {
      $0 == .first || configuration.mapping.coarse[$0]?.totals == .window
    }
  }

  public var version: ProtocolVersion {
    switch configuration.mapping.device {
    case .skan3: .v3_0
    case .skan4: .v4_0
    case .aak: .adAttributionKit
    }
  }

  /// Sums up the merged counts of the whole population.
  public func crowd(from counts: CrowdCounts) -> Crowd {
    Crowd(counts, model: configuration.crowd, share: configuration.share)
  }

  /// Counts a cohort's part of every group.
  public func crowd(of cohort: Cohort) -> CrowdCounts {
    var replay = self.replay(cohort)
    var needsValues = false
    if case .value = configuration.crowd { needsValues = true }
    let origins = crowdOrigins(of: cohort)
    // By origin, those of users whose origin is not looked at first.
    var days = [[CampaignDay: Int]](repeating: [:], count: origins.count + 1)
    var weeks: [CampaignDay: [Int]] = [:]
    for user in cohort.users where user.campaign >= 0 {
      for start in replay.starts(of: user) {
        let origin = origins.isEmpty ? 0 : Int(user.origin) + 1
        days[origin][CampaignDay(user.campaign, user.day(after: start)), default: 0] += 1
      }
      guard needsValues else { continue }
      replay.replay(user)
      for end in replay.ends {
        let monday = Day(number: user.day(after: end.start)).monday
        let key = CampaignDay(user.campaign, monday.number)
        var values = weeks.removeValue(forKey: key) ?? Array(repeating: 0, count: CrowdCounts.valuePlaces)
        if end.fine >= 0 { values[Int(end.fine)] += 1 }
        if end.coarse >= 0 { values[end.coarsePlace] += 1 }
        weeks[key] = values
      }
    }
    var counts = CrowdCounts()
    for (days, origin) in zip(days, [.unknown] + origins) {
      for (key, count) in days {
        let group = CrowdGroup(campaign: cohort.names.campaigns[key.campaign], origin: origin)
        counts.conversions[group, default: [:]][key.day, default: 0] += count
      }
    }
    for (key, values) in weeks {
      counts.values[cohort.names.campaigns[key.campaign], default: [:]][key.day, default: []].add(values)
    }
    return counts
  }

  /// Runs a cohort.
  ///
  /// - Parameters:
  ///   - crowd: The groups of the whole population, under the model of the configuration.
  ///   - run: The number of the run; other numbers draw other delays and other chances.
  ///   - each: Is called for every postback that is sent, in the order of the users.
  public func run(
    _ cohort: Cohort, crowd: Crowd, run: Int = 0, each: ((SimulatedPostback) -> Void)? = nil
  ) -> SimulationOutcome {
    var work = CohortRun(self, cohort, crowd, run: run)
    var replay = CohortReplay(self, cohort)
    for user in cohort.users { work.add(user, replay.replay(user), replay.ends, each) }
    return work.outcome(replay.others)
  }

  /// Runs a cohort whose users were replayed before.
  func run(_ cohort: Cohort, _ replayed: ReplayedUsers, crowd: Crowd, run: Int) -> CohortRun {
    var work = CohortRun(self, cohort, crowd, run: run)
    for index in cohort.users.indices { work.add(cohort.users[index], replayed.users[index], replayed.ends) }
    return work
  }

  /// What values are worth that come of some kind of conversion.
  @inline(__always)
  func worth(of kind: Postbacks.Outcome) -> WorthTable {
    kind == .reengagement ? worthOfReengagements : worthOfInstalls
  }

  /// What of a cohort's origins separates groups, by their numbers; empty if nothing does.
  ///
  /// Groups of SKAdNetwork 4 have no country, and those of SKAdNetwork 3 are campaigns.
  func crowdOrigins(of cohort: Cohort) -> [UserOrigin] {
    guard case .tiers = configuration.crowd else { return [] }
    return switch configuration.mapping.device {
    case .skan3: []
    case .skan4: cohort.names.origins.map { UserOrigin(sourceApp: $0.sourceApp, country: nil) }
    case .aak: cohort.names.origins.map { UserOrigin(sourceApp: $0.sourceApp, country: $0.country) }
    }
  }

  /// Whether every cohort's ``crowd(of:)`` is the same as under another simulator, whatever the mappings.
  func countsCrowd(as other: Simulator) -> Bool {
    let (mine, theirs) = (configuration, other.configuration)
    for model in [mine.crowd, theirs.crowd] { if case .value = model { return false } }
    // Only AdAttributionKit has several conversions of a user.
    let isOfKit = mine.mapping.device == .aak
    guard isOfKit == (theirs.mapping.device == .aak) else { return false }
    guard !isOfKit || mine.attributionKit == theirs.attributionKit else { return false }
    let needsOrigins = [mine, theirs].map { $0.crowd.isOfTiers && $0.mapping.device != .skan3 }
    return needsOrigins[0] == needsOrigins[1]
  }

  func replay(_ cohort: Cohort, isTracing: Bool = false) -> UserReplay {
    UserReplay(
      mapping, cohort, currency: configuration.currency, rules: configuration.attributionKit,
      horizon: configuration.horizonSeconds,
      losses: UpdateLosses(share: configuration.lostUpdateShare, seed: configuration.seed),
      appOpens: configuration.appOpens, isTracing: isTracing)
  }
}

/// A campaign of a cohort on a day or in a week.
struct CampaignDay: Hashable {
  private let bits: UInt64

  init(_ campaign: Int32, _ day: Int32) {
    bits = UInt64(UInt32(bitPattern: campaign)) << 32 | UInt64(UInt32(bitPattern: day))
  }

  var campaign: Int { Int(bits >> 32) }
  var day: Int32 { Int32(truncatingIfNeeded: bits) }
}

extension CohortUser {
  /// The UTC day that many seconds after the install.
  @inline(__always)
  func day(after seconds: Int64) -> Int32 { (installed + 1000 * seconds).day.number }
}

extension CrowdModel {
  /// Whether groups are those of Apple's tiers.
  fileprivate var isOfTiers: Bool { if case .tiers = self { true } else { false } }
}
