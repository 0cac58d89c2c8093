import Campaigns
import EstimateReports
import Estimates
import EventFiles
import Ledger
import Mappings
import Pages
import Postbacks
import Simulation
import Tables
import Values

/// What an app's own postbacks show that a simulation of its users needs.
struct AppEvidence {
  /// The size of a campaign's day of installs from which values are shown.
  struct Threshold: Sendable {
    /// The size at which half of the values are shown.
    let installs: Double
    /// Its 90 % interval.
    let interval: Interval
    let model: CrowdModel
  }

  let app: AppID
  let context: ScreenContext

  /// The days whose postbacks show a threshold, and those that show how many installs there are now.
  private static let (days, recentDays) = (Int32(90), Int32(28))
  /// The fewest days of both users and postbacks that are compared; with less, their means are.
  private static let fewest: Int32 = 7
  /// From this share on, users are taken for all of the app's: what lies between is chance.
  private static let whole = 0.95
  private static let keptSeconds: Int64 = 3600

  /// The threshold that the app's postbacks show; `nil` where they are too few, or show none.
  func threshold() throws -> Threshold? {
    try context.remembered("own-threshold \(app.number)", forSeconds: Self.keptSeconds) {
      let today = context.now.day
      var report = NullReport()
      (report.period.from, report.period.to) = (Day(number: today.number - Self.days), today)
      report.scope.apps = [app]
      guard let found = try report.threshold(from: context.reader, now: context.now) else { return nil }
      guard let model = try? CrowdModel(found.modelText) else { return nil }
      return Threshold(installs: found.threshold, interval: found.interval, model: model)
    }
  }

  /// The installs a week of the app's campaigns, as a plan would have them; none without campaigns.
  func sizes() throws -> [Int] {
    try context.remembered("own-sizes \(app.number)", forSeconds: Self.keptSeconds) {
      var report = PlanReport()
      report.scope.apps = [app]
      return try report.sizes(from: context.source)
    }
  }

  /// The share of the app's users that a file's are, by the installs that postbacks show; `nil` where they are all, or
  /// where nothing shows how many there are.
  ///
  /// - Parameter mapping: Whose timers decide after how many days a postback arrives.
  func share(of users: UserSample, under mapping: Mapping) throws -> Double? {
    let ofFile = users.isPart ? Double(users.users) / Double(users.usersOfFile) : nil
    let installs = users.installs
    // Where no campaign is named, organic users are among them.
    guard !users.isOneCampaign, let first = installs.keys.min(), let last = installs.keys.max() else {
      return ofFile
    }
    let delay: Int32 = mapping.device.hasWindows ? 3 : 1
    let today = context.now.day.number
    let from = Day(number: min(first.number + delay, today - Self.recentDays))
    let arrived = try context.remembered("own-arrivals \(app.number) \(from)", forSeconds: Self.keptSeconds) {
      var scope = Scope()
      scope.apps = [app]
      let rows = try context.campaigns(
        from..<context.now.day, scope, by: [.stored(.day)], where: ["window=1"]
      ).answer(from: context.source).rows
      return rows.byDay.mapValues { $0.counts.installs + $0.counts.redownloads }.filter { $0.value > 0 }
    }
    guard let firstKnown = arrived.keys.min(), let lastKnown = arrived.keys.max() else { return ofFile }
    let begin = max(first.number, firstKnown.number - delay)
    let end = min(last.number, lastKnown.number - delay)
    func number(_ some: some Sequence<(key: Day, value: Int64)>, _ days: ClosedRange<Int32>) -> Double {
      some.reduce(0) { days.contains($1.key.number) ? $0 + Double($1.value) : $0 }
    }
    let own = installs.mapValues { Int64($0) }
    let share: Double
    if end - begin + 1 >= Self.fewest {
      share = number(own, begin...end) / max(1, number(arrived, begin + delay...end + delay))
    } else {
      let recent = max(firstKnown.number, lastKnown.number - Self.recentDays + 1)...lastKnown.number
      let daily = number(arrived, recent) / Double(recent.count)
      share = number(own, first.number...last.number) / Double(last.number - first.number + 1) / max(1, daily)
    }
    return share < Self.whole ? max(0.001, (share * 1000).rounded() / 1000) : ofFile
  }
}
