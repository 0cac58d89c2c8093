import Postbacks
import Values

/// Where each campaign and day lies in a list: a table for the days around the installs, a dictionary for others.
struct DayIndex {
  /// Campaigns and days, in the order in which they were met first.
  private(set) var keys: [CampaignDay] = []
  private var table: [Int32]
  private var others: [CampaignDay: Int32] = [:]
  private let first: Int
  private let span: Int

  /// The days that postbacks of one day's conversions come on; no window takes as long as a SKAdNetwork 3 chain.
  private static let longestDelay =
    Int(
      (AppleTimers.longestChain + AppleTimers.departure(version: .v3_0, window: .first).upperBound)
        / Day.seconds) + 1
  /// More places than this are not laid out; then the dictionary alone is used.
  private static let mostPlaces = 1 << 21

  init(_ cohort: Cohort) {
    var range: (first: Int32, last: Int32)?
    for user in cohort.users where user.campaign >= 0 {
      let day = user.day(after: 0)
      range = range.map { (min($0.first, day), max($0.last, day)) } ?? (day, day)
    }
    let days = range.map { Int($0.last) - Int($0.first) + 1 + Self.longestDelay } ?? 0
    let places = days.multipliedReportingOverflow(by: cohort.names.campaigns.count)
    span = places.overflow || places.partialValue > Self.mostPlaces ? 0 : days
    first = Int(range?.first ?? 0)
    table = Array(repeating: -1, count: span * cohort.names.campaigns.count)
  }

  /// Returns the place of a campaign's day, and whether it is a new one, at the end.
  @inline(__always)
  mutating func place(_ campaign: Int32, _ day: Int32) -> (index: Int, isNew: Bool) {
    let offset = Int(day) - first
    guard offset >= 0, offset < span else { return placeOfOther(CampaignDay(campaign, day)) }
    let entry = Int(campaign) * span + offset
    if table[entry] >= 0 { return (Int(table[entry]), false) }
    table[entry] = Int32(keys.count)
    keys.append(CampaignDay(campaign, day))
    return (keys.count - 1, true)
  }

  private mutating func placeOfOther(_ key: CampaignDay) -> (index: Int, isNew: Bool) {
    if let index = others[key] { return (Int(index), false) }
    others[key] = Int32(keys.count)
    keys.append(key)
    return (keys.count - 1, true)
  }
}
