import Estimates
import Values

/// What a test looked at, as lines that a network can compare with its own figures.
struct PatternEvidence {
  private let app: PatternLedger.App
  private let campaigns: [PatternCampaign]

  private static let week = 7
  private static let mostPublishers = 10

  /// - Parameter campaigns: Those of the network or campaign.
  init(_ app: PatternLedger.App, _ campaigns: [PatternCampaign]) {
    (self.app, self.campaigns) = (app, campaigns)
  }

  /// Winning postbacks of the days that are judged.
  var installs: Double { recent { $0.winners } }
  /// Those of ads that were only seen.
  var views: Double { recent { $0.views } }

  func lines(of test: PatternTest) -> [String] {
    switch test {
    case .viewShare: weeks("by views", { $0.views }, of: { $0.views + $0.clicks })
    case .assistShare: weeks("won by another network", { $0.assists }, of: { $0.assists + $0.winners })
    case .viewRhythm: days()
    case .viewMix: values()
    case .viewOrigin: []
    case .publisherMix: publishers()
    }
  }

  private func recent(_ count: (PatternCampaign.Day) -> Double) -> Double {
    campaigns.reduce(0) { $0 + $1.days.suffix(app.counts.recentDays).reduce(0) { $0 + count($1) } }
  }

  private func sum(_ day: Int, _ count: (PatternCampaign.Day) -> Double) -> Double {
    campaigns.reduce(0) { $0 + count($1.days[day]) }
  }

  private func weeks(
    _ words: String, _ count: (PatternCampaign.Day) -> Double, of all: (PatternCampaign.Day) -> Double
  ) -> [String] {
    let days = app.counts.dayCount
    return stride(from: days % Self.week, to: days, by: Self.week).map { start in
      let week = start..<min(days, start + Self.week)
      let (part, whole) = (
        week.reduce(0) { $0 + sum($1, count) }, week.reduce(0) { $0 + sum($1, all) }
      )
      let isJudged = start >= days - app.counts.recentDays
      return "\(day(start)), 7 days: \(number(part)) of \(number(whole)) \(words)"
        + (whole > 0 ? ", \(percent(part / whole))" : "") + (isJudged ? "" : " (before)")
    }
  }

  private func days() -> [String] {
    let others = campaigns.first.flatMap { app.counts.installsOfOthers()[$0.network] }
    let words = app.knowsAllInstalls ? "other installs of the app" : "installs of other networks"
    return (0..<app.counts.dayCount).suffix(app.counts.recentDays).map { place in
      "\(day(place)): \(number(sum(place) { $0.views })) by views, \(number(sum(place) { $0.clicks })) by clicks, "
        + (others.flatMap { $0[place] }.map { number($0) } ?? "unknown") + " \(words)"
    }
  }

  private func values() -> [String] {
    let own = app.counts.ownUsers
    let views = Self.added(campaigns.map(\.viewValues))
    let clicks = Self.added(campaigns.map(\.clickValues))
    let sums = [views, clicks, own].map { max(1, $0.reduce(0, +)) }
    return views.indices.compactMap { value in
      let counts = [views, clicks, own].map { $0.indices.contains(value) ? $0[value] : 0 }
      guard counts.contains(where: { $0 > 0 }) else { return nil }
      let shares = zip(counts, sums).map { percent($0 / $1) }
      return "value \(value): \(shares[0]) of views, \(shares[1]) of clicks, \(shares[2]) of own users"
    }
  }

  private func publishers() -> [String] {
    var all: [String: [Double]] = [:]
    for campaign in campaigns {
      for (publisher, values) in campaign.publishers {
        all[publisher] = Self.added([all[publisher] ?? [], values])
      }
    }
    let counts = all.mapValues { $0.reduce(0, +) }
    guard let concentration = PublisherConcentration(counts) else { return [] }
    let first =
      "\(counted(counts.count, "publisher")), as concentrated as \(fixed(concentration.effectiveNumber, 1)) of equal size; "
      + "the largest has \(percent(concentration.largestShare)) of the postbacks with a fine value"
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostPublishers)
    return [first]
      + sorted.filter { $0.value > 0 }.map { publisher, count in
        "publisher \(printable(publisher)): \(number(count)), of which "
          + "\(percent(1 - (all[publisher]?.first ?? 0) / count)) have a value above 0"
      }
  }

  private func day(_ place: Int) -> Day { Day(number: app.firstDay.number + Int32(place)) }

  private func number(_ count: Double) -> String { grouped(Int64(nearest: count)) }

  private static func added(_ lists: [[Double]]) -> [Double] {
    var sum = [Double](repeating: 0, count: lists.map(\.count).max() ?? 0)
    for list in lists { for (place, count) in list.enumerated() { sum[place] += count } }
    return sum
  }
}
