internal import Numerics
internal import System
internal import Values

/// The size of a campaign's day of installs from which values are shown, inferred from days of arrival.
///
/// Postbacks of one day of installs arrive on two days, so that a ``ThresholdFit`` of days of arrival is biased.
/// Indirect inference mends that: campaigns of the same sizes are generated, their values withheld by a threshold and a
/// slope, their postbacks delayed, and both numbers moved until the fit of the simulated days is the fit of the data. The
/// error is the spread of 60 simulated fits; where the data scatter more than all of these, it is as much larger; 0.3 %
/// is added in square for what the delays may be. Simulated days have the weekly season of the data. The first and the last day, which hold half a day of installs, are
/// left out.
///
/// The delays are those of SKAdNetwork 4's first window: 3 or 4 days, as often as not.
/// Source: Gouriéroux, Monfort and Renault, "Indirect inference", 1993.
package struct CrowdThreshold: Equatable, Sendable {
  /// The size at which half of the values are shown; of a hard threshold the least size that is shown, a whole number.
  package let threshold: Double
  /// Its 90 % interval; its ends are whole numbers for a hard threshold.
  package let interval: Interval
  /// How gradual it is: the odds of being shown grow by the power 1 / slope of the size.
  package let slope: Double
  /// Pearson's dispersion of the days of arrival about their own fit.
  package let dispersion: Double
  /// Laws that scatter about the inferred one as it may be wrong, both numbers together.
  package let draws: [NullMechanism]

  /// The largest slope that still is a threshold: from one value in ten to nine in ten, the size grows by a factor of 81.
  private static let mostSlope = 1.0
  private static let hardSlope = 0.1

  /// Infers a threshold; nil where none is visible, because no values or all are withheld, or not by size.
  ///
  /// - Parameters:
  ///   - campaigns: The consecutive days of arrival of each campaign, those without postbacks included.
  ///   - firstDays: The number of the first day of each; without any, all begin on the same day.
  ///   - seed: The random seed of what is generated.
  ///   - mostDays: Campaigns' days above which a sample of campaigns is enough.
  package init?(
    _ campaigns: [[ThresholdFit.Cell]], from firstDays: [Int] = [], seed: UInt64 = 1, mostDays: Int = 10_000
  ) {
    var random = SplitMix64(seed: seed)
    let dated = campaigns.enumerated().map {
      (first: firstDays.indices.contains($0) ? firstDays[$0] : 0, cells: $1)
    }
    let campaigns = Self.sample(
      dated.filter { $0.cells.count > 2 }.map {
        (first: $0.first + 1, cells: $0.cells[1..<($0.cells.count - 1)])
      },
      mostDays, &random)
    var pools = ThresholdFit.Pools()
    for cell in campaigns.flatMap(\.cells) { pools.add(cell) }
    let sizes = campaigns.flatMap(\.cells).map(\.total).filter { $0 > 0 }
    guard let observed = ThresholdFit(pools), observed.slope <= 2 * Self.mostSlope,
      let least = sizes.min(), let most = sizes.max()
    else { return nil }
    let simulated = DailyMeans(campaigns.map { (first: $0.first, days: $0.cells.map(\.total)) })
    let target = LogThreshold(observed)
    var law = target
    let seeds = (0..<8).map { _ in random.next() }
    for round in 0..<8 {
      // The same seeds in every round, so that only the law moves the fits.
      let fits = simulated.fits(under: law.mechanism, seeds)
      guard fits.count * 2 > seeds.count else { return nil }
      law.move(from: Mean(fits.map(LogThreshold.init)).center, to: target, by: round < 3 ? 1 : 0.7)
    }
    let fits = simulated.fits(under: law.mechanism, (0..<60).map { _ in random.next() })
    guard fits.count > 30 else { return nil }
    let made = Mean(fits.map(LogThreshold.init))
    let z = Interval.normalReach
    let place = law.place + target.place - made.center.place
    let scatter = fits.map(\.dispersion)
    let excess =
      observed.dispersion > scatter.max() ?? .infinity
      ? observed.dispersion * Double(scatter.count) / scatter.reduce(0, +) : 1
    let error = (excess * made.variance.place + 0.003 * 0.003).squareRoot()
    let mostSlope = exponential(law.slope + z * (excess * made.variance.slope).squareRoot())
    guard mostSlope <= Self.mostSlope, (least...most).contains(exponential(place)) else { return nil }
    slope = exponential(law.slope)
    let isHard = slope <= Self.hardSlope
    draws = fits.map { fit in
      var drawn = law
      drawn.move(from: LogThreshold(fit), to: made.center, by: excess.squareRoot())
      drawn.place += place - law.place + 0.003 * random.normal()
      return isHard ? .hard(threshold: exponential(drawn.place)) : drawn.mechanism
    }
    dispersion = observed.dispersion
    let (low, high) = (exponential(place - z * error), exponential(place + z * error))
    if slope <= Self.hardSlope {
      // Where 29 are withheld and 30 are shown, every number between the two fits.
      threshold = exponential(place).rounded(.up)
      let from = low.rounded(.down) + 1
      interval = Interval(low: from, high: max(from, high.rounded(.up)))
    } else {
      threshold = exponential(place)
      interval = Interval(low: low, high: high)
    }
  }

  /// Whether all values of a day are shown or all are withheld, as far as the days of arrival show it.
  package var isHard: Bool { slope <= Self.hardSlope }

  /// The words for it in options of commands.
  package var modelText: String {
    isHard
      ? "hard:\(max(1, Int(threshold)))" : "logistic:\(fixed(threshold, 1)),\(fixed(slope, 2))"
  }

  /// So many campaigns, taken at random, as have enough days together.
  private static func sample(
    _ campaigns: [(first: Int, cells: ArraySlice<ThresholdFit.Cell>)], _ mostDays: Int,
    _ random: inout SplitMix64
  ) -> [(first: Int, cells: ArraySlice<ThresholdFit.Cell>)] {
    guard campaigns.reduce(0, { $0 + $1.cells.count }) > mostDays else { return campaigns }
    var days = 0
    return campaigns.shuffled(using: &random).prefix { campaign in
      defer { days += campaign.cells.count }
      return days < mostDays
    }
  }

  private struct LogThreshold {
    var place: Double
    var slope: Double

    init(place: Double, slope: Double) { (self.place, self.slope) = (place, slope) }

    init(_ fit: ThresholdFit) {
      self.init(place: naturalLogarithm(fit.threshold), slope: naturalLogarithm(fit.slope))
    }

    var mechanism: NullMechanism { .soft(threshold: exponential(place), slope: exponential(slope)) }

    /// Goes some part of the way by which fits miss what was observed.
    mutating func move(from fitted: Self, to observed: Self, by part: Double) {
      place += part * (observed.place - fitted.place)
      slope += part * (observed.slope - fitted.slope)
      slope = min(naturalLogarithm(5), max(naturalLogarithm(0.01), slope))
    }
  }

  private struct Mean {
    let center: LogThreshold
    let variance: LogThreshold

    init(_ all: [LogThreshold]) {
      let count = Double(all.count)
      let center = LogThreshold(
        place: all.reduce(0) { $0 + $1.place } / count, slope: all.reduce(0) { $0 + $1.slope } / count)
      func square(_ a: Double, _ b: Double) -> Double { (a - b) * (a - b) }
      self.center = center
      variance = LogThreshold(
        place: all.reduce(0) { $0 + square($1.place, center.place) } / (count - 1),
        slope: all.reduce(0) { $0 + square($1.slope, center.slope) } / (count - 1))
    }
  }
}
