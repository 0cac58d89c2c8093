import Estimates
import System
import Values

/// Campaigns whose values are withheld by the size of a day of installs, as their postbacks arrive.
struct SmearedNulls {
  /// The law by which values are withheld, from the first day.
  var law: NullMechanism
  /// The law from the middle day on.
  var laterLaw: NullMechanism?
  var campaigns = 40
  var days = 30
  /// The spread of a campaign's days, as the deviation of their logarithm.
  var dayShock = 0.0
  /// Whether two days of seven have half as many installs again as the others.
  var isWeekly = false

  /// Makes the days of arrival of each campaign; a postback arrives 3 or 4 days after its install, as often as not.
  func cells(_ random: inout SplitMix64) -> [[ThresholdFit.Cell]] {
    (0..<campaigns).map { _ in
      let daily = 25 * exponential(1.1 * random.normal())
      var totals = [Int](repeating: 0, count: days + 1)
      var nulls = totals
      for day in 0..<days {
        let shock = exponential(dayShock * random.normal() - dayShock * dayShock / 2)
        let season = !isWeekly ? 1 : day % 7 < 5 ? 0.9 : 1.35
        let installs = random.poisson(daily * season * shock)
        let law = day >= days / 2 ? laterLaw ?? law : law
        let hidden = law.hidden(of: installs, &random)
        let early = (nulls: random.binomial(hidden, 0.5), shown: random.binomial(installs - hidden, 0.5))
        nulls[day] += early.nulls
        totals[day] += early.nulls + early.shown
        nulls[day + 1] += hidden - early.nulls
        totals[day + 1] += installs - early.nulls - early.shown
      }
      return zip(totals, nulls).map {
        ThresholdFit.Cell(total: Double($0), revealed: Double($0 - $1))
      }
    }
  }
}
