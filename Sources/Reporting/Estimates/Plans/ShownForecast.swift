internal import Numerics
internal import System
internal import Values

/// The last days of campaigns, played again and again as they may come next.
///
/// A draw has a law of its own, a level of each campaign, and the chance of each day. A campaign's days depend on the seed, the
/// number of the draw and its name alone: a campaign is the same by itself and in a group, so that what a change gains is
/// seen draw by draw.
struct ShownForecast {
  /// How many draws there are.
  static let draws = 120

  let days: Int
  let means: DailyMeans
  /// What is expected of each campaign on each of the days.
  private let expected: [[Double]]
  /// The installs of each campaign that the level rests on.
  private let seen: [Double]
  private let names: [UInt64]
  private let seed: UInt64
  /// The deviation by which a campaign's level moves from one period to the next.
  private let drift: Double

  init(_ campaigns: [PlannedCampaign], days: Int, seed: UInt64) {
    // The first and the last day have half of a day's installs.
    let means = DailyMeans(
      campaigns.map { campaign in
        (campaign.firstDay + 1, campaign.arrivals.dropFirst().dropLast().map(\.total))
      })
    let end = campaigns.map { $0.firstDay + $0.played.upperBound }.max() ?? 0
    let span = max(1, campaigns.map(\.played.count).max() ?? 1)
    let window = (end - span)..<end
    let factors = window.map { means.season.ofInstalls($0 - 1) }
    let levels = zip(campaigns, means.means).map { campaign, means in
      zip(window, factors).map { day, factor in
        let place = day - campaign.firstDay - 1
        return means.indices.contains(place) ? means[place] / factor : 0
      }
    }
    let last = levels.map { zip(Self.steadied($0, means.shock), factors).map(*) }
    // Whole weeks keep their place where days are played more than once.
    expected = zip(campaigns, last).map { campaign, own in
      let played = (0..<days).map { days <= span ? own[span - days + $0] : own[$0 % span] }
      // Days are smoothed, and still have the installs of the campaign.
      let sum = played.reduce(0, +)
      let scale = sum > 0 ? campaign.installsADay * Double(days) / sum : 1
      return played.map { scale * $0 }
    }
    self.means = means
    self.days = days
    self.seed = seed
    seen = campaigns.map(\.inPlay.total)
    names = campaigns.map { campaign in
      let place = campaign.place
      return PredictiveModel.hash("\(place.app) \(place.network) \(place.kind) \(place.digits)")
    }
    drift = Self.drift(levels, means.shock)
  }

  /// Draws days towards their mean by what chance makes of them: a week's installs scatter, and played once more they would
  /// scatter twice.
  ///
  /// Source: James and Stein, "Estimation with quadratic loss", 1961.
  private static func steadied(_ days: [Double], _ shock: Double) -> [Double] {
    let mean = days.reduce(0, +) / Double(max(1, days.count))
    // Of seven days of arrivals.
    let noise = mean / 7 + shock * shock * mean * mean / 14
    let variance = days.variance
    // A month has but four weeks, whose variance is twice as large in one of eleven of them by chance.
    let kept = variance > 2 * noise ? 1 - 2 * noise / variance : 0
    return days.map { mean + kept * ($0 - mean) }
  }

  /// How far levels move beyond chance from the first half of the days to the second; half of its square is that of one
  /// period to the next, for what is expected is of the middle.
  private static func drift(_ levels: [[Double]], _ shock: Double) -> Double {
    var (excess, count) = (0.0, 0)
    for days in levels where days.count >= 4 {
      let middle = days.count / 2
      let (early, late) = (days[..<middle].reduce(0, +), days[middle...].reduce(0, +))
      guard early >= 50, late >= 50 else { continue }
      let change = naturalLogarithm(late / early * Double(middle) / Double(days.count - middle))
      excess += change * change - 1 / early - 1 / late - 4 * shock * shock / Double(days.count)
      count += 1
    }
    return count > 2 ? min(0.25, max(0, excess / Double(count) / 2)).squareRoot() : 0
  }

  /// Plays a campaign with so many times its installs.
  func sizes(of index: Int, times factor: Double) -> [Int32] {
    let expected = expected[index]
    let shape = seen[index] + 0.5
    let spread = (means.shock * means.shock / Double(max(1, days)) + drift * drift).squareRoot()
    var sizes: [Int32] = []
    sizes.reserveCapacity(Self.draws * days)
    for draw in 0..<Self.draws {
      var random = SplitMix64(seed: PredictiveModel.seed(seed ^ names[index], UInt64(draw)))
      let chance = random.normal()
      let level = random.gamma(shape: shape) / shape * exponential(spread * chance - spread * spread / 2)
      // Further installs have a stream of their own, so that the others stay.
      var further = SplitMix64(seed: random.next())
      for day in 0..<days {
        let mean = expected[day] * level * means.shocked(&random)
        let installs = random.poisson(min(1, factor) * mean) + further.poisson((factor - 1) * mean)
        sizes.append(Int32(clamping: installs))
      }
    }
    return sizes
  }

  /// The days of campaigns that are played as one.
  static func union(_ plays: [[Int32]]) -> [Int32] {
    plays.dropFirst().reduce(into: plays.first ?? []) { sum, play in
      for (place, size) in play.enumerated() { sum[place] &+= size }
    }
  }

  /// Plays a campaign that is expected to have the same number of installs every day, one of several.
  func flat(_ size: Double, number: Int = 0) -> [Int32] {
    var random = SplitMix64(seed: PredictiveModel.seed(seed, UInt64(number)))
    return (0..<Self.draws * days).map { _ in
      Int32(clamping: random.poisson(size * means.shocked(&random)))
    }
  }

  /// The values that played days show under a law, by draw.
  ///
  /// - Parameter first: The first campaign of the group, from whose name chance follows.
  func shown(_ sizes: [Int32], under laws: [ShownLaw], _ first: Int) -> Shown {
    var shown = Shown(values: [], installs: [])
    for draw in 0..<Self.draws {
      let law = laws[draw % laws.count]
      var (mean, variance, all) = (0.0, 0.0, 0.0)
      for start in stride(from: draw * days, to: (draw + 1) * days, by: law.days) {
        let group = sizes[start..<min(start + law.days, (draw + 1) * days)]
        let size = group.reduce(0.0) { $0 + Double($1) }
        guard size > 0 else { continue }
        // A few days at the end are a part of a week.
        let part = Double(group.count) / Double(law.days)
        let own = law.shown(size / part)
        all += size
        mean += part * own.mean
        variance += part * own.variance
      }
      if variance > 1e-6 {
        var random = SplitMix64(
          seed: PredictiveModel.seed(
            seed ^ (names.indices.contains(first) ? names[first] : 0) ^ 1, UInt64(draw)))
        mean = min(all, max(0, mean + variance.squareRoot() * random.normal()))
      }
      shown.values.append(mean)
      shown.installs.append(all)
    }
    return shown
  }
}

/// What days show, by draw.
struct Shown {
  var values: [Double]
  var installs: [Double]

  static let nothing = Self(
    values: [Double](repeating: 0, count: ShownForecast.draws),
    installs: [Double](repeating: 0, count: ShownForecast.draws))

  static func + (a: Self, b: Self) -> Self {
    Self(values: zip(a.values, b.values).map(+), installs: zip(a.installs, b.installs).map(+))
  }

  /// What turns the mean of the played installs into so many, so that chance shows no more values than there are installs.
  func scale(to installs: Double) -> Double {
    let played = self.installs.reduce(0, +) / Double(max(1, self.installs.count))
    return played > 0 ? installs / played : 1
  }

  /// The share of values; `nil` where nothing is installed in any draw.
  var share: CampaignPlan.Predicted? {
    let all = installs.reduce(0, +)
    guard all > 0 else { return nil }
    let shares = zip(values, installs).compactMap { $1 > 0 ? $0 / $1 : nil }
    return CampaignPlan.Predicted(shares, mean: values.reduce(0, +) / all, within: 0...1)
  }
}

extension CampaignPlan.Predicted {
  /// The mean of draws, and the interval that holds nine of ten further ones.
  ///
  /// - Parameter limits: What no draw can pass. Of an interval that ends there only the other end can be missed, as often as
  ///   both of another one.
  init(_ draws: [Double], mean: Double? = nil, within limits: ClosedRange<Double>? = nil) {
    let middle = mean ?? draws.reduce(0, +) / Double(max(1, draws.count))
    let sorted = draws.sorted()
    guard let least = sorted.first, let most = sorted.last else {
      self.init(mean: middle, interval: Interval(low: middle, high: middle))
      return
    }
    func beyond(_ share: Double) -> Int { max(0, Int(share * Double(sorted.count + 1)) - 1) }
    var (low, high) = (sorted[beyond(0.05)], sorted[sorted.count - 1 - beyond(0.05)])
    if let limits, high >= limits.upperBound, least < high { low = sorted[beyond(0.1)] }
    if let limits, low <= limits.lowerBound, most > low { high = sorted[sorted.count - 1 - beyond(0.1)] }
    // A skewed law's mean may lie beyond.
    self.init(mean: middle, interval: Interval(low: min(middle, low), high: max(middle, high)))
  }
}
