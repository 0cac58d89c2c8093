import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

/// First-window postbacks of a ledger, as tests of whether installs look earned need them.
struct PatternLedger {
  /// An app, with what its days and values are of.
  struct App {
    var counts: PatternApp
    /// The first day of arrival.
    let firstDay: Day
    /// Since when values count: the days to judge, without those of users of an earlier mapping version.
    let valuesFrom: Day
    /// Whether the installs of others are all installs of the app, by the advertiser's own count.
    var knowsAllInstalls: Bool { !counts.allInstalls.isEmpty }
  }

  private(set) var apps: [AppID: App] = [:]

  private static let values = 64
  /// Apple's timers from an install to the arrival of its first postback, from SKAdNetwork 4 on: 72 to 96 hours, which
  /// are three days of the calendar, or four.
  private static let daysToArrive: [Int32] = [3, 4]
  /// The share of postbacks that has to come by these timers, so that own installs can be laid beside arrivals.
  private static let leastWithWindows = 0.9

  private struct Place: Hashable {
    let app: AppID
    let network: String
    let campaign: String

    func isBefore(_ other: Self) -> Bool {
      (app.number, network, campaign) < (other.app.number, other.network, other.campaign)
    }
  }

  /// Gathers the days before one, of all networks, because each is compared with the others.
  ///
  /// - Parameters:
  ///   - end: The first day of arrival that does not count.
  ///   - days: How many days are judged.
  ///   - baselineDays: How many days before them they are compared with.
  init(
    _ reader: LedgerReader, _ scope: Scope, end: Day, days: Int, baselineDays: Int
  ) throws(LedgerError) {
    try reader.consistently { () throws(LedgerError) in
      try gather(reader, scope, end, days, baselineDays)
    }
  }

  private mutating func gather(
    _ reader: LedgerReader, _ scope: Scope, _ end: Day, _ days: Int, _ baselineDays: Int
  ) throws(LedgerError) {
    let first = Day(number: end.number - Int32(days + baselineDays))
    let recent = Day(number: end.number - Int32(days))
    let catalog = try MappingCatalog(from: reader)
    let worths = try reader.valueWorth()
    var query = CampaignQuery(
      environment: scope.environment, from: first, to: end, apps: scope.apps,
      conditions: [
        CampaignCondition(.window, ["1"]),
        CampaignCondition(.outcome, isExcluded: true, [Outcome.reengagement.rawValue]),
      ], dimensions: [.day, .app, .network, .campaign, .version, .interaction], digits: 2)
    var campaigns: [Place: PatternCampaign] = [:]
    var versions: [AppID: (withWindows: Int64, all: Int64)] = [:]
    for row in try reader.campaigns(query) {
      guard let day = row.day, let place = Self.place(of: row) else { continue }
      let app = apps[place.app] ?? Self.app(place.app, catalog, worths, first, recent, end, days)
      apps[place.app] = app
      var campaign =
        campaigns[place]
        ?? PatternCampaign(
          network: place.network, campaign: place.campaign,
          days: Array(repeating: .init(), count: days + baselineDays),
          viewValues: Array(repeating: 0, count: Self.values),
          clickValues: Array(repeating: 0, count: Self.values))
      campaign.add(row, day: Int(day.number - first.number), withValues: day >= app.valuesFrom)
      campaigns[place] = campaign
      let winners = row.counts.winners
      versions[place.app, default: (0, 0)].all += winners
      if row.version?.hasWindows == true { versions[place.app]?.withWindows += winners }
    }
    query.dimensions = [.app, .network, .campaign, .publisher]
    query.conditions.append(CampaignCondition(.publisher, isExcluded: true, [CampaignDimension.none]))
    for (from, apps) in Dictionary(grouping: apps, by: \.value.valuesFrom) where from < end {
      query.from = from
      query.apps = apps.map(\.key).sorted()
      for row in try reader.campaigns(query) {
        guard let place = Self.place(of: row), let publisher = row.publisher else { continue }
        // There are many publishers with few values each.
        let last = (0..<Self.values).last { row.counts.fine[$0] > 0 } ?? -1
        campaigns[place]?.publishers[publisher] = (0...max(0, last)).map { Double(row.counts.fine[$0]) }
      }
    }
    for (place, campaign) in campaigns.sorted(by: { $0.key.isBefore($1.key) }) {
      apps[place.app]?.counts.campaigns.append(campaign)
    }
    let own = Dictionary(grouping: try reader.ownInstalls(from: nil, to: end), by: \.app)
    for (app, versions) in versions {
      guard let rows = own[app], Double(versions.withWindows) >= Self.leastWithWindows * Double(versions.all)
      else { continue }
      apps[app]?.counts.allInstalls = Self.arrivals(rows, days: first..<end)
    }
  }

  private static func place(of row: CampaignRow) -> Place? {
    guard let app = row.app, let network = row.network, let campaign = row.campaign else { return nil }
    return Place(app: app, network: network, campaign: campaign.text)
  }

  /// An app without campaigns yet: its own users, and since when values mean what theirs do.
  private static func app(
    _ app: AppID, _ catalog: MappingCatalog, _ worths: [ValueWorthRow], _ first: Day, _ recent: Day,
    _ end: Day, _ days: Int
  ) -> App {
    var counts = PatternApp(campaigns: [], recentDays: days)
    guard let version = catalog.histories[app]?.versions.last(where: { $0.effectiveFrom.day < end }) else {
      return App(counts: counts, firstDay: first, valuesFrom: recent)
    }
    let rows = worths.filter {
      $0.app == app && $0.effectiveFrom == version.effectiveFrom && $0.value < values
    }
    // Users of a longer horizon are those of a shorter one who have been there for so long.
    if let horizon = rows.map(\.horizon).min() {
      counts.ownUsers = Array(repeating: 0, count: values)
      for row in rows where row.horizon == horizon { counts.ownUsers[row.value] += Double(row.users) }
    }
    // Until then users of the version before arrive.
    let begin = version.effectiveFrom.day.number + (daysToArrive.last ?? 0) + 1
    return App(counts: counts, firstDay: first, valuesFrom: max(recent, Day(number: begin)))
  }

  /// Own installs by the days on which postbacks of them arrive.
  private static func arrivals(_ rows: [OwnInstallsRow], days: Range<Day>) -> [Double?] {
    let counts = Dictionary(rows.map { ($0.day, Double($0.installs)) }, uniquingKeysWith: +)
    return (days.lowerBound.number..<days.upperBound.number).map { number in
      var sum = 0.0
      for delay in daysToArrive {
        guard let count = counts[Day(number: number - delay)] else { return nil }
        sum += count / Double(daysToArrive.count)
      }
      return sum
    }
  }
}

extension PatternCampaign {
  fileprivate mutating func add(_ row: CampaignRow, day: Int, withValues: Bool) {
    guard days.indices.contains(day) else { return }
    let winners = Double(row.counts.winners)
    days[day].winners += winners
    days[day].assists += Double(row.counts.assists)
    guard case .interaction(let interaction)? = row[.interaction] else { return }
    switch interaction {
    case .view: days[day].views += winners
    case .click: days[day].clicks += winners
    }
    guard withValues else { return }
    for value in viewValues.indices {
      let count = Double(row.counts.fine[value])
      guard count > 0 else { continue }
      switch interaction {
      case .view: viewValues[value] += count
      case .click: clickValues[value] += count
      }
    }
  }
}
