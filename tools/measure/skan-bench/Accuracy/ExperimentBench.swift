import Estimates
import Numerics
import System
import Values

/// Measures how often an experiment stops falsely, and how often it finds what it was planned for.
///
/// One JSON line for each law of users and each season. The same words give the same lines.
struct ExperimentBench {
  /// The first seed.
  let first: Int
  /// How often each experiment is run.
  let runs: Int

  private static let laws: [(name: String, law: ExperimentTrial.ValueLaw)] = [
    ("a share of 10 %", .init([(1, 0.1)])),
    ("light tail", .init((1...40).map { (Double($0), 0.0025) })),
    ("heavy tail", .init(payers: 0.05, median: 5, spread: 1.5, greatest: 2000)),
    ("whales", .init([(5, 0.05), (500, 0.001)])),
  ]

  /// Arms of one mean, of which B has its revenue from fewer users than A.
  private static let pairs:
    [(a: String, b: String, laws: (a: ExperimentTrial.ValueLaw, b: ExperimentTrial.ValueLaw))] = [
      ("10 % pay 10", "1 % pay 100", (.init([(10, 0.1)]), .init([(100, 0.01)]))),
      ("10 % pay 10", "0.5 % pay 200", (.init([(10, 0.1)]), .init([(200, 0.005)]))),
      ("10 % pay 10", "10 % pay 5 and 0.5 % pay 100", (.init([(10, 0.1)]), .init([(5, 0.1), (100, 0.005)]))),
      ("10 % pay 5", "0.5 % pay 100", (.init([(5, 0.1)]), .init([(100, 0.005)]))),
    ]

  func run() {
    for (a, b, laws) in Self.pairs {
      for share in [0.5, 0.2, 0.8] {
        for users in [3000.0, 8000, 20_000] {
          let trial = ExperimentTrial(a: laws.a, b: laws.b, users: users, days: 28, shareB: share)
          showFalseStops("\"kind\":\"tails\",\"a\":\"\(a)\",\"b\":\"\(b)\",\"share_b\":\(share)", trial)
        }
      }
    }
    for (name, law) in Self.laws {
      for season in ExperimentTrial.Season.allCases {
        for users in [3000.0, 20_000] {
          let trial = ExperimentTrial(a: law, b: law, users: users, days: 28, season: season)
          showFalseStops(
            "\"kind\":\"false-stops\",\"law\":\"\(name)\",\"season\":\"\(season.rawValue)\"", trial)
        }
      }
      for lift in [0.1, 0.2, 0.4] {
        for (how, b) in raised(law, by: lift) {
          for share in [0.5, 0.2] { showPower(name, law, how, b, lift, share) }
        }
      }
    }
  }

  /// Laws whose mean is higher by a part of it: more of all users' money, more payers, more of the highest value.
  private func raised(
    _ law: ExperimentTrial.ValueLaw, by lift: Double
  ) -> [(how: String, law: ExperimentTrial.ValueLaw)] {
    let values = zip(law.worths, law.shares).map { (worth: $0, share: $1) }
    guard let top = law.worths.last, law.worths.count > 1 else {
      return [("more users", .init(values.map { ($0.worth, $0.share * (1 + lift)) }))]
    }
    return [
      ("all spend more", .init(values.map { ($0.worth * (1 + lift), $0.share) })),
      ("more users", .init(values.map { ($0.worth, $0.share * (1 + lift)) })),
      (
        "more whales",
        .init(values.dropLast() + [(top, (law.shares.last ?? 0) + lift * law.users.mean / top)])
      ),
    ]
  }

  private func showFalseStops(_ members: String, _ trial: ExperimentTrial) {
    let users = trial.users
    var (stops, fixed, peeks) = (0, 0, 0)
    for run in 0..<runs {
      var random = SplitMix64(seed: UInt64(first + run) &* 0x9E37_79B9 &+ 1)
      let days = trial.arms(&random)
      let result = ExperimentComparison(days, level: 0.95, planned: users)
      stops += result.verdict == .open ? 0 : 1
      fixed += result.fixed.map { !$0.contains(0) } ?? false ? 1 : 0
      let peeked = (4...days.count).contains { end in
        ExperimentComparison(Array(days.prefix(end)), level: 0.95, planned: users).fixed.map {
          !$0.contains(0)
        } ?? false
      }
      peeks += peeked ? 1 : 0
    }
    func part(_ count: Int) -> String { fourDigits(Double(count) / Double(runs)) }
    print(
      """
      {\(members),"users":\(Int(users)),\
      "first_seed":\(first),"runs":\(runs),"sequence":\(part(stops)),"fixed_at_end":\(part(fixed)),\
      "fixed_looked_at_daily":\(part(peeks))}
      """)
  }

  private func showPower(
    _ name: String, _ a: ExperimentTrial.ValueLaw, _ how: String, _ b: ExperimentTrial.ValueLaw,
    _ lift: Double,
    _ share: Double
  ) {
    var request = ExperimentSize.Request(
      difference: b.users.mean - a.users.mean, a: a.users.moments, b: b.users.moments)
    request.shareB = share
    request.greatest = max(a.greatest, b.greatest)
    guard let size = ExperimentSize(request) else { return }
    func power(_ users: Double, _ isFound: (ExperimentComparison) -> Bool) -> String {
      let trial = ExperimentTrial(a: a, b: b, users: users, days: 28, shareB: share)
      let found = (0..<runs).count { run in
        var random = SplitMix64(seed: UInt64(first + run) &* 0x9E37_79B9 &+ 2)
        return isFound(ExperimentComparison(trial.arms(&random), level: 0.95, planned: size.shownAtEnd))
      }
      return fourDigits(Double(found) / Double(runs))
    }
    print(
      """
      {"kind":"power","law":"\(name)","how":"\(how)","lift":\(lift),"share_b":\(share),\
      "users_at_end":\(Int(size.shownAtEnd)),"users_with_looks":\(Int(size.shownWithLooks)),\
      "first_seed":\(first),"runs":\(runs),\
      "with_looks":\(power(size.shownWithLooks) { $0.verdict == .higher }),\
      "at_end":\(power(size.shownAtEnd) { $0.fixed.map { $0.low > 0 } ?? false })}
      """)
  }
}
