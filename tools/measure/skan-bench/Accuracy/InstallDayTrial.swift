import Estimates
import Numerics
import System
import Values

/// Daily installs found again from the hours in which postbacks arrive.
///
/// 56 days with a weekly pattern and a random walk, two and a half times the installs on day 30 and half of them on the
/// days 40 to 43; hours of install and of the last rise are those of the app's users. SKAdNetwork 3 sends 24 to 48 hours
/// after the last rise, whose day r the value has; version 4's first postback comes 72 to 96 hours after the install.
struct InstallDayTrial: Sendable {
  static let days = 56
  static let spike = 30
  static let dip = 40...43

  /// The ways to find days, each with its error.
  enum Way: String, CaseIterable, Sendable {
    case shift = "SKAN 3, arrival less 2 days"
    case shiftByValue = "SKAN 3, arrival less 2 days less r"
    case inferred = "SKAN 3, inferred per r"
    case inferredOfNulls = "SKAN 3, inferred without r"
    case firstWindowShift2 = "SKAN 4, arrival less 2 days"
    case firstWindowShift3 = "SKAN 4, arrival less 3 days"
    case firstWindowShift4 = "SKAN 4, arrival less 4 days"
    case firstWindowInferred = "SKAN 4, inferred"
  }

  /// Errors of one seed, in parts of the installs: of all days, and of the spike's.
  struct Result: Sendable {
    var all: [Way: Double] = [:]
    var spike: [Way: Double] = [:]
  }

  let users: [AppUsers.User]
  /// Installs a day.
  let daily: Double
  private let byRise: [DelayKernel]
  private let anyRise: DelayKernel
  private let firstWindow: DelayKernel

  /// Learns the kernels from the app's own users; nil where there are none.
  init?(_ users: [AppUsers.User], daily: Double) {
    guard !users.isEmpty else { return nil }
    var hours = [Double](repeating: 0, count: DelayKernel.binsPerDay)
    var rises = [[Double]](repeating: [Double](repeating: 0, count: 72), count: 3)
    for user in users {
      hours[user.secondOfDay / (3600 * DelayKernel.binHours)] += 1
      rises[user.lastRise / 86_400][user.lastRise / 3600] += 1
    }
    self.users = users
    self.daily = daily
    let kernels = rises.map { DelayKernel(lastRises: $0, hours: hours) }
    byRise = kernels
    anyRise = .mixture(zip(kernels, rises).map { ($0, $1.reduce(0, +)) })
    firstWindow = DelayKernel(longest: 96, hours: hours) { min(1, max(0, ($0 - 72) / 24)) }
  }

  /// Runs one seed.
  func run(seed: Int) -> Result {
    var random = SplitMix64(seed: UInt64(seed) &* 7_368_787 &+ UInt64(daily))
    let bins = (Self.days + 7) * DelayKernel.binsPerDay
    var truth = [Double](repeating: 0, count: Self.days)
    var arrivals = [[Double]](repeating: [Double](repeating: 0, count: bins), count: 4)
    var found: [Way: [Double]] = [:]
    for way in Way.allCases { found[way] = [Double](repeating: 0, count: Self.days) }
    func shift(_ way: Way, _ day: Int) {
      // What would lie before the first day belongs to it; no estimate looks for installs of a campaign not begun.
      found[way]?[min(Self.days - 1, max(0, day))] += 1
    }
    var level = 0.0
    for day in 0..<Self.days {
      level += 0.08 * random.normal()
      let week = [1, 0.92, 0.9, 0.95, 1.05, 1.2, 1.15][day % 7]
      let event = day == Self.spike ? 2.5 : Self.dip.contains(day) ? 0.5 : 1
      let installs = random.poisson(daily * week * event * exponential(level))
      truth[day] = Double(installs)
      for _ in 0..<installs {
        let user = users[random.number(below: users.count)]
        let start = Double(day * 86_400 + user.secondOfDay)
        let third = start + Double(user.lastRise) + 86_400 * (1 + random.fraction())
        let rise = user.lastRise / 86_400
        arrivals[rise][Int(third) / (3600 * DelayKernel.binHours)] += 1
        shift(.shift, Int(third) / 86_400 - 2)
        shift(.shiftByValue, Int(third) / 86_400 - 2 - rise)
        let fourth = start + 86_400 * (3 + random.fraction())
        arrivals[3][Int(fourth) / (3600 * DelayKernel.binHours)] += 1
        shift(.firstWindowShift2, Int(fourth) / 86_400 - 2)
        shift(.firstWindowShift3, Int(fourth) / 86_400 - 3)
        shift(.firstWindowShift4, Int(fourth) / 86_400 - 4)
      }
    }
    let parts = (0..<3).map { infer(arrivals[$0], byRise[$0]) }
    found[.inferred] = truth.indices.map { day in parts.reduce(0) { $0 + $1[day] } }
    let all = (0..<bins).map { arrivals[0][$0] + arrivals[1][$0] + arrivals[2][$0] }
    found[.inferredOfNulls] = infer(all, anyRise)
    found[.firstWindowInferred] = infer(arrivals[3], firstWindow)

    var result = Result()
    let total = max(1, truth.reduce(0, +))
    for (way, days) in found {
      result.all[way] = zip(days, truth).reduce(0) { $0 + abs($1.0 - $1.1) } / total
      result.spike[way] = abs(days[Self.spike] - truth[Self.spike]) / max(1, truth[Self.spike])
    }
    return result
  }

  private func infer(_ arrivals: [Double], _ kernel: DelayKernel) -> [Double] {
    InstallDays(
      arrivals: arrivals, kernel: kernel, days: 0..<Self.days, rounds: InstallDays.rounds(forDaily: daily)
    ).daily
  }
}
