internal import Numerics
internal import System
internal import Values

/// The models of Apple's rule that own postbacks show: of all networks together, and of those that differ from the rest.
struct CrowdFit {
  /// That of all networks first.
  let models: [CampaignPlan.Model]

  /// Days of campaigns above which a sample of campaigns is enough, for all networks and for one.
  private static let (mostDays, mostDaysOfNetwork) = (4_000, 1_500)
  private static let mostNetworks = 8
  /// A threshold whose interval's ends are farther apart is left open.
  private static let widest = 2.0
  /// A hard threshold can lie anywhere between two sizes without a day between them.
  private static let widestGap = 1.25
  /// A smaller difference of a network's threshold, in its logarithm, is none.
  private static let least = 0.1
  /// From this share of coarse values on, the size that shows any value is another one.
  private static let fewCoarse = 0.02
  private static let few = 0.02

  /// Learns from all days of arrival of all campaigns; after a change of the rule, from those since.
  init(_ campaigns: [PlannedCampaign], seed: UInt64) {
    let all = Days(campaigns)
    let since = all.change()
    let days = since.map(all.since) ?? all
    let pooled = CrowdThreshold(days, \.fine, seed: seed, mostDays: Self.mostDays)
    let networks = Set(campaigns.map(\.place.network)).sorted()
    let sizes = networks.map { days.of($0) }
    var own: [String: CrowdThreshold] = [:]
    let tried = sizes.indices.sorted { sizes[$0].count > sizes[$1].count }.prefix(Self.mostNetworks)
    if networks.count > 1 {
      // How rarely one of so many networks of one rule would seem to have another.
      let reach = normalQuantile(1 - 0.005 / Double(tried.count))
      for index in tried {
        guard
          let found = CrowdThreshold(sizes[index], \.fine, seed: seed, mostDays: Self.mostDaysOfNetwork),
          found.ends <= Self.widest
        else { continue }
        if let pooled, pooled.ends <= Self.widest {
          let error = (found.logError * found.logError + pooled.logError * pooled.logError).squareRoot()
          guard abs(naturalLogarithm(found.threshold / pooled.threshold)) > max(Self.least, reach * error)
          else {
            continue
          }
        }
        own[networks[index]] = found
      }
    }
    let rest = own.isEmpty ? days : days.where { own[$0] == nil }
    var models: [CampaignPlan.Model] = []
    if own.count < max(1, networks.count) {
      let found =
        own.isEmpty ? pooled : CrowdThreshold(rest, \.fine, seed: seed, mostDays: Self.mostDays)
      models.append(Self.model(nil, found, rest, since: since, seed: seed))
    }
    for (network, found) in own.sorted(by: { $0.key < $1.key }) {
      models.append(Self.model(network, found, days.of(network), since: since, seed: seed))
    }
    self.models = models
  }

  /// A rule that withholds values that fewer users share.
  init(users: Int, days: Int) {
    models = [
      CampaignPlan.Model(network: nil, sort: .byValue(users: users), any: nil, since: nil, days: days)
    ]
  }

  private static func model(
    _ network: String?, _ found: CrowdThreshold?, _ days: Days, since: Int?, seed: UInt64
  ) -> CampaignPlan.Model {
    let gap = found.map { days.gap(about: $0.threshold) }
    let sort: CampaignPlan.Model.Sort =
      if let found, let gap, found.isHard, gap.high / gap.low > widestGap {
        .open(
          low: .hard(threshold: min(gap.low, found.interval.low)),
          high: .hard(threshold: max(gap.high, found.interval.high)), .wide)
      } else if let found, found.ends <= widest {
        .known(found)
      } else if let found {
        .open(
          low: .soft(threshold: found.interval.low, slope: found.slope),
          high: .soft(threshold: found.interval.high, slope: found.slope), .wide)
      } else {
        open(days)
      }
    let sum = days.sum
    let any =
      sum.coarse > fewCoarse * sum.total
      ? CrowdThreshold(days, { $0.fine + $0.coarse }, seed: seed, mostDays: mostDaysOfNetwork) : nil
    return CampaignPlan.Model(network: network, sort: sort, any: any, since: since, days: days.count)
  }

  /// Two models that days fit which show no threshold: as far apart as what is shown allows.
  private static func open(_ days: Days) -> CampaignPlan.Model.Sort {
    let sum = days.sum
    guard sum.total > 0 else {
      // The sizes that two networks recommend.
      return .open(low: .soft(threshold: 30, slope: 0.35), high: .soft(threshold: 90, slope: 0.35), .noData)
    }
    let withheld = 1 - sum.fine / sum.total
    if withheld < few {
      let least = days.size(above: few)
      return .open(low: .hard(threshold: least / 2), high: .hard(threshold: least), .hardlyAny)
    }
    if withheld > 1 - few {
      let most = days.size(above: 1 - few) + 1
      return .open(low: .hard(threshold: most), high: .hard(threshold: max(3 * most, 120)), .nearlyAll)
    }
    let fitted = ThresholdFit(days.cells(\.fine).flatMap(\.self))?.mechanism
    return .open(
      low: .share(withheld), high: fitted ?? .soft(threshold: 45, slope: 0.35), .notBySize)
  }

  /// The place in the models of the one that a network's campaigns are played with.
  func place(of network: String) -> Int { models.firstIndex { $0.network == network } ?? 0 }
}

extension CampaignPlan.Model {
  /// The laws of one model, drawn as they are uncertain, or those of two.
  var laws: [[NullMechanism]] {
    switch sort {
    case .known(let threshold): [threshold.draws]
    case .open(let low, let high, _): [[low], [high]]
    case .byValue: [[]]
    }
  }
}

extension CrowdThreshold {
  fileprivate init?(
    _ days: CrowdFit.Days, _ shown: (PlannedCampaign.Arrived) -> Double, seed: UInt64, mostDays: Int
  ) {
    self.init(days.cells(shown), from: days.campaigns.map(\.first), seed: seed, mostDays: mostDays)
  }

  /// The upper end of its interval by the lower one.
  fileprivate var ends: Double { interval.high / max(1, interval.low) }

  /// The deviation of the threshold's logarithm.
  fileprivate var logError: Double {
    draws.map { naturalLogarithm($0.threshold ?? 1) }.variance.squareRoot()
  }
}

extension CrowdFit {
  /// Days of arrival of campaigns.
  fileprivate struct Days {
    var campaigns: [(network: String, first: Int, days: ArraySlice<PlannedCampaign.Arrived>)]

    /// The fewest days on either side of a change, and the days between two that are tried at first.
    private static let (fewest, step) = (14, 7)
    /// How much likelier a change has to make what is shown, by the scatter about one rule.
    ///
    /// Simulated rules that stay reach 26, those that halve their threshold 160 and more.
    private static let surely = 60.0

    init(_ all: [PlannedCampaign]) {
      campaigns = all.map { ($0.place.network, $0.firstDay, $0.arrivals[...]) }
    }

    var count: Int { campaigns.reduce(0) { $0 + $1.days.count } }

    var sum: PlannedCampaign.Arrived {
      campaigns.reduce(into: PlannedCampaign.Arrived()) { sum, campaign in
        for day in campaign.days {
          sum.total += day.total
          sum.fine += day.fine
          sum.coarse += day.coarse
        }
      }
    }

    func `where`(_ isIncluded: (String) -> Bool) -> Self {
      var some = self
      some.campaigns.removeAll { !isIncluded($0.network) }
      return some
    }

    func of(_ network: String) -> Self { self.where { $0 == network } }

    func since(_ day: Int) -> Self {
      var later = self
      later.campaigns = campaigns.map { network, first, days in
        let kept = days.dropFirst(max(0, day - first))
        return (network, max(first, day), kept)
      }
      return later
    }

    func cells(_ shown: (PlannedCampaign.Arrived) -> Double) -> [[ThresholdFit.Cell]] {
      campaigns.map { $0.days.map { ThresholdFit.Cell(total: $0.total, revealed: shown($0)) } }
    }

    /// The sizes next to a threshold: one more than the largest below, and the smallest of the others.
    func gap(about threshold: Double) -> Interval {
      // The first and the last day have half of a day's installs.
      let sizes = campaigns.flatMap { $0.days.dropFirst().dropLast().map(\.total) }.filter { $0 > 0 }
      return Interval(
        low: (sizes.filter { $0 < threshold }.max() ?? 0) + 1,
        high: sizes.filter { $0 >= threshold }.min() ?? .infinity)
    }

    /// The size of the days below which some share of all postbacks arrived.
    func size(above share: Double) -> Double {
      let sizes = campaigns.flatMap { $0.days.map(\.total) }.filter { $0 > 0 }.sorted()
      var left = share * sizes.reduce(0, +)
      return sizes.first {
        left -= $0
        return left < 0
      } ?? sizes.last ?? 1
    }

    /// The first day of arrival that a change of the rule leaves untouched; `nil` where one rule explains all days.
    ///
    /// Days of arrival have a fit that is none of the rule itself, but as long as the rule stays, the fits of two periods
    /// are alike.
    func change() -> Int? {
      guard let first = campaigns.map(\.first).min(),
        let end = campaigns.map({ $0.first + $0.days.count }).max(), end - first >= 2 * Self.fewest
      else { return nil }
      var days = [[ThresholdFit.Cell]](repeating: [], count: end - first)
      for campaign in campaigns {
        for (place, day) in campaign.days.enumerated() where day.total > 0 {
          days[campaign.first - first + place].append(.init(total: day.total, revealed: day.fine))
        }
      }
      func fit(_ span: Range<Int>) -> ThresholdFit? {
        var pools = ThresholdFit.Pools()
        for cell in days[span].joined() { pools.add(cell) }
        return ThresholdFit(pools)
      }
      guard let whole = fit(days.indices) else { return nil }
      func gain(at cut: Int) -> (cut: Int, gain: Double) {
        // All or nothing shown is certain by its own law.
        let parts = [0..<cut, cut..<days.count].reduce(0) { $0 + (fit($1)?.likelihood ?? 0) }
        return (cut, 2 * (parts - whole.likelihood) / whole.dispersion)
      }
      let cuts = Self.fewest...(days.count - Self.fewest)
      let rough = stride(from: cuts.lowerBound, through: cuts.upperBound, by: Self.step).map(gain)
      guard let best = rough.max(by: { $0.gain < $1.gain }), best.gain > Self.surely else { return nil }

      let near = (best.cut - Self.step + 1...best.cut + Self.step - 1).clamped(to: cuts).map(gain)
      // A day's postbacks arrive on two days.
      return near.max { $0.gain < $1.gain }.map { first + $0.cut + 2 }
    }
  }
}
