internal import Numerics
internal import System
import Values

/// The installs that are expected of each day of campaigns, found from days of arrival.
struct DailyMeans {
  /// Of each campaign, from the day before its first day of arrival: half of what is expected of a day arrives on the day
  /// itself, and half on the next one.
  let means: [[Double]]
  /// The deviation of a day's logarithm about its mean, beyond chance.
  let shock: Double
  let season: WeeklySeason

  /// Takes the arrivals of each day of each campaign: a week's mean around a day is what is expected of it.
  init(_ arrivals: [(first: Int, days: [Double])]) {
    let season = WeeklySeason(arrivals)
    self.season = season
    var (excess, scale) = (0.0, 0.0)
    means = arrivals.map { first, days in
      let smooth = days.indices.map { day in
        let week = max(0, day - 3)..<min(days.count, day + 4)
        let usual = week.reduce(0) { $0 + season.ofArrivals(first + $1) }
        let level = days[week].reduce(0, +) / usual
        let mean = level * season.ofArrivals(first + day)
        let own = 1 - 1 / Double(week.count)
        excess += (days[day] - mean) * (days[day] - mean) - own * days[day]
        // Two days of installs in one of arrival halve the variance of their shocks.
        scale += 0.5 * mean * mean * own
        return level
      }
      return (smooth.prefix(1) + smooth).enumerated().map { $1 * season.ofInstalls(first + $0 - 1) }
    }
    let variance = scale > 0 ? min(1, max(0, excess / scale)) : 0
    shock = naturalLogarithm(1 + variance).squareRoot()
  }

  /// Draws a factor of mean 1 by which a day differs from what is expected of it.
  func shocked(_ random: inout SplitMix64) -> Double {
    exponential(shock * random.normal() - shock * shock / 2)
  }

  /// The fits of simulated days of arrival, one for each seed with which values are partly withheld.
  func fits(under law: NullMechanism, _ seeds: [UInt64]) -> [ThresholdFit] {
    seeds.compactMap { seed in
      var random = SplitMix64(seed: seed)
      var pools = ThresholdFit.Pools()
      for days in means {
        // What arrives of the installs of the day before.
        var late: (shown: Int, hidden: Int)?
        for mean in days {
          let installs = random.poisson(mean * shocked(&random))
          let hidden = law.hidden(of: installs, &random)
          let early = (
            shown: random.binomial(installs - hidden, 0.5), hidden: random.binomial(hidden, 0.5)
          )
          if let late {
            let shown = early.shown + late.shown
            pools.add(.init(total: Double(shown + early.hidden + late.hidden), revealed: Double(shown)))
          }
          late = (installs - hidden - early.shown, hidden - early.hidden)
        }
      }
      return ThresholdFit(pools)
    }
  }
}
