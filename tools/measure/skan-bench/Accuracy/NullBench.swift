import Estimates
import System
import Values

/// Measures how often `skan report nulls` finds changes and thresholds where there are some, and where there are none.
///
/// One JSON line for each law and length. The same words give the same lines.
struct NullBench {
  /// The first seed.
  let first: Int
  /// How often campaigns are generated for the changes: 40 campaigns each time.
  let changeSeeds: Int
  /// How often thresholds are inferred.
  let thresholdSeeds: Int

  private static let hard = NullMechanism.hard(threshold: 30)
  private static let soft = NullMechanism.soft(threshold: 30, slope: 0.35)

  func run() {
    let laws: [(name: String, law: NullMechanism, later: NullMechanism?)] = [
      ("hard 30", Self.hard, nil), ("soft 30", Self.soft, nil), ("30 % at random", .share(0.3), nil),
      ("30 to 60 % at random", .share(0.3), .share(0.6)), ("hard 30 to 60", Self.hard, .hard(threshold: 60)),
      ("hard 30 to 45", Self.hard, .hard(threshold: 45)),
    ]
    for (name, law, later) in laws {
      for days in [14, 30, 60] { showChanges(name, law, later, days) }
    }
    for (name, law, isWeekly) in [
      ("hard 30", Self.hard, false), ("hard 30, weekly season", Self.hard, true),
      ("soft 30", Self.soft, false),
      ("soft 30, weekly season", Self.soft, true), ("30 % at random", .share(0.3), false),
    ] {
      for campaigns in [10, 40] {
        for days in [14, 30, 60] { showThresholds(name, law, isWeekly, campaigns, days) }
      }
    }
  }

  private func showChanges(_ name: String, _ law: NullMechanism, _ later: NullMechanism?, _ days: Int) {
    let trial = NullTrial(law: law, laterLaw: later, campaigns: 40, days: days)
    var sum = (campaigns: 0, changed: 0)
    for seed in first..<(first + changeSeeds) {
      let result = trial.changes(seed: UInt64(seed))
      sum = (sum.campaigns + result.campaigns, sum.changed + result.changed)
    }
    print(
      """
      {"kind":"changes","law":"\(name)","isConstant":\(later == nil),"days":\(days),"first_seed":\(first),\
      "seeds":\(changeSeeds),"campaigns":\(sum.campaigns),\
      "changed":\(fourDigits(Double(sum.changed) / Double(max(1, sum.campaigns))))}
      """)
  }

  private func showThresholds(
    _ name: String, _ law: NullMechanism, _ isWeekly: Bool, _ campaigns: Int, _ days: Int
  ) {
    let trial = NullTrial(law: law, campaigns: campaigns, days: days, isWeekly: isWeekly)
    var visible: [CrowdThreshold] = []
    for seed in first..<(first + thresholdSeeds) {
      if let found = trial.threshold(seed: UInt64(seed)) { visible.append(found) }
    }
    let held = visible.count { $0.interval.contains(30) }
    let count = Double(max(1, visible.count))
    print(
      """
      {"kind":"threshold","law":"\(name)","campaigns":\(campaigns),"days":\(days),"first_seed":\(first),\
      "runs":\(thresholdSeeds),"visible":\(visible.count),"covered":\(fourDigits(Double(held) / count)),\
      "threshold":\(fourDigits(visible.reduce(0) { $0 + $1.threshold } / count)),\
      "width":\(fourDigits(visible.reduce(0) { $0 + $1.interval.width } / count)),\
      "slope":\(fourDigits(visible.reduce(0) { $0 + $1.slope } / count)),"hard":\(visible.count { $0.isHard })}
      """)
  }
}
