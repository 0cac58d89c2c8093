import Estimates
import Numerics
import System
import Values

/// Campaigns whose values are withheld by a known law, to see how often changes and thresholds are found where they are.
///
/// Sizes are lognormal about 25 installs a day; with odd seeds a day's size is also shocked by 20 %. Each install has its
/// own second of the day and a delay of 72 to 96 hours, so that nothing of it is what the engine assumes but the law.
struct NullTrial {
  let law: NullMechanism
  /// The law from the middle day of installs on, where it changes.
  var laterLaw: NullMechanism?
  let campaigns: Int
  let days: Int
  /// Whether weekends have half as many installs again as other days.
  var isWeekly = false

  /// The days of arrival of each campaign.
  func cells(_ random: inout SplitMix64, isShocked: Bool) -> [[ThresholdFit.Cell]] {
    (0..<campaigns).map { _ in
      let daily = 25 * exponential(1.1 * random.normal())
      var counts = [(total: Int, nulls: Int)](repeating: (0, 0), count: days + 1)
      for day in 0..<days {
        let shock = isShocked ? exponential(0.2 * random.normal() - 0.02) : 1
        let season = !isWeekly ? 1 : day % 7 < 5 ? 0.9 : 1.35
        let installs = random.poisson(daily * season * shock)
        let law = day >= days / 2 ? laterLaw ?? law : law
        let hidden = law.hidden(of: installs, &random)
        for install in 0..<installs {
          let arrival = day + (random.fraction() + random.fraction() < 1 ? 0 : 1)
          counts[arrival].total += 1
          if install < hidden { counts[arrival].nulls += 1 }
        }
      }
      return counts.map { ThresholdFit.Cell(total: Double($0.total), revealed: Double($0.total - $0.nulls)) }
    }
  }

  /// How many campaigns that are partly withheld there are, and in how many of them a change is found.
  func changes(seed: UInt64) -> (campaigns: Int, changed: Int) {
    var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(days))
    var result = (campaigns: 0, changed: 0)
    for cells in cells(&random, isShocked: seed % 2 == 1) {
      let (total, shown) = cells.dropFirst().dropLast().reduce((0, 0)) {
        ($0.0 + $1.total, $0.1 + $1.revealed)
      }
      guard total >= 20, (0.02...0.98).contains(shown / total) else { continue }
      result.campaigns += 1
      let days = cells.map { (count: $0.total - $0.revealed, total: $0.total) }
      if !ChangePoint.find(in: days, seed: seed).isEmpty { result.changed += 1 }
    }
    return result
  }

  /// The threshold that is inferred; nil where none is visible, and where no or all values are withheld.
  func threshold(seed: UInt64) -> CrowdThreshold? {
    var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(1000 * campaigns + days))
    return CrowdThreshold(cells(&random, isShocked: seed % 2 == 1), seed: seed)
  }
}
