import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Mappings
import MeasuredUsers
import Postbacks
import Values

/// What came of the later windows of installs, and what could be expected, by campaign or network and day of the first
/// postback.
struct LaterWindows {
  struct Campaign: Hashable, Comparable {
    let app: AppID
    let network: String
    /// Last two digits of the source identifier; empty for all of the network.
    let digits: String

    static func < (a: Self, b: Self) -> Bool {
      (a.app.number, a.network, a.digits) < (b.app.number, b.network, b.digits)
    }
  }

  /// What is known of the updates that installs of a day make.
  enum Basis: String {
    case ownUsers = "own-users"
    /// The mapping has no rules for the window, so that no app that follows it updates there.
    case mapping
    /// The share of the app's other networks, which lost postbacks of all networks alike lower.
    case otherNetworks = "other-networks"
  }

  /// The first postbacks of one day.
  private struct FirstDay {
    var withValue = 0.0
    var withoutValue = 0.0
    var assists: Int64 = 0
    /// What own users let expect of each later window; nothing where none followed the mapping version.
    var updates: [ExpectedUpdates?] = ConversionWindow.later.map { _ in nil }
  }

  private var firsts: [Campaign: [Day: FirstDay]] = [:]
  private var seen: [ConversionWindow: [Campaign: [Day: Double]]] = [:]
  private let delays: [ConversionWindow: LaterWindowDelay]
  private let today: Day
  private var own = OwnUpdateShares([], [:])

  /// The fewest first postbacks with a value of other networks that shares are learned from.
  private static let fewestOfOthers = 200.0

  /// Gathers all networks of a ledger, because each is compared with the others.
  ///
  /// - Parameters:
  ///   - byCampaign: Whether campaigns are kept apart; of very many, networks alone are far fewer.
  ///   - from: The first day of arrival to look at; `nil` for all.
  init(
    _ reader: LedgerReader, _ scope: Scope, byCampaign: Bool, from: Day? = nil, now: Instant
  ) throws(LedgerError) {
    today = now.day
    delays = Dictionary(
      uniqueKeysWithValues: ConversionWindow.later.map { ($0, LaterWindowDelay($0)) })
    try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      own = OwnUpdateShares(try reader.windowUpdates(), catalog.histories)
      try gather(reader, catalog, own, scope, byCampaign, from: from)
    }
  }

  private mutating func gather(
    _ reader: LedgerReader, _ catalog: MappingCatalog, _ own: OwnUpdateShares, _ scope: Scope,
    _ byCampaign: Bool, from: Day?
  ) throws(LedgerError) {
    var users: [Int: [ExpectedUpdates?]] = [:]
    let campaign: [CampaignDimension] = byCampaign ? [.campaign] : []
    let counted = try reader.campaigns(
      CampaignQuery(
        environment: scope.environment, from: from, apps: scope.apps,
        dimensions: [.day, .app, .network] + campaign + [.version, .window], digits: 2),
      decodingFor: catalog.apps
    ) { row, count in
      guard count.window == .first, let value = Self.place(of: count.value) else { return }
      let install = Self.install(of: count.arrival.lowerBound.day)
      for (place, window) in ConversionWindow.later.enumerated() {
        guard let shares = own.shares(count.app, window, install: install) else { continue }
        var updates = users[row]?[place] ?? ExpectedUpdates()
        updates.add(Double(count.postbacks), value: value, shares)
        users[row, default: FirstDay().updates][place] = updates
      }
    }
    for (index, row) in counted.rows.enumerated() {
      guard let arrival = row.day, let window = row.window, let app = row.app, let network = row.network,
        row.version?.hasWindows ?? false
      else { continue }
      let campaign = Campaign(app: app, network: network, digits: row.campaign?.text ?? "")
      guard window == .first else {
        seen[window, default: [:]][campaign, default: [:]][arrival, default: 0] += Double(row.counts.winners)
        continue
      }
      var day = firsts[campaign]?[arrival] ?? FirstDay()
      day.withValue += Double(row.counts.winners - row.counts.valueNull)
      day.withoutValue += Double(row.counts.valueNull)
      day.assists += row.counts.assists
      for (place, updates) in (users[index] ?? []).enumerated() {
        if let updates { day.updates[place] = day.updates[place]?.adding(updates) ?? updates }
      }
      firsts[campaign, default: [:]][arrival] = day
    }
  }

  private static func place(of value: ConversionValue) -> Int? {
    switch value {
    case .fine(let fine): Int(fine.number)
    case .coarse(let coarse):
      CoarseValue.allCases.firstIndex(of: coarse).map { ValueWorthRow.firstCoarseValue + $0 }
    default: nil
    }
  }

  /// The day of an install whose first postback came on a day, by the middle of Apple's delays.
  private static func install(of arrival: Day) -> Day {
    Day(number: arrival.number - Int32(CohortReport.daysBefore(.first)))
  }

  /// Which share of installs with a value updates a window in the app's other networks, by app and network.
  private func sharesOfOthers(_ window: ConversionWindow) -> [Campaign: UpdateShares] {
    guard let delay = delays[window] else { return [:] }
    var sums: [Campaign: (due: Double, seen: Double)] = [:]
    // In their order, because sums of fractions depend on it.
    for (campaign, days) in firsts.sorted(by: { $0.key < $1.key }) {
      let network = Campaign(app: campaign.app, network: campaign.network, digits: "")
      for (day, first) in days.sorted(by: { $0.key < $1.key }) {
        sums[network, default: (0, 0)].due += first.withValue * arrived(delay, of: day)
      }
      sums[network]?.seen += arrivals(window, campaign).reduce(0) { $0 + $1.count }
    }
    let sorted = sums.sorted { $0.key < $1.key }
    var shares: [Campaign: UpdateShares] = [:]
    for network in sums.keys {
      let rest = sorted.filter { $0.key.app == network.app && $0.key.network != network.network }
      let (due, seen) = (rest.reduce(0) { $0 + $1.value.due }, rest.reduce(0) { $0 + $1.value.seen })
      guard due >= Self.fewestOfOthers else { continue }
      // Of all values alike: postbacks of two windows cannot be joined.
      shares[network] = UpdateShares([(users: due, updated: min(seen, due))])
    }
    return shares
  }

  /// The share of the postbacks of a day's installs that have arrived before today, of which not all has.
  private func arrived(_ delay: LaterWindowDelay, of day: Day) -> Double {
    delay.arrived(within: Int(today.number - day.number) - 1)
  }

  /// The installs of one day of a campaign, with what came of one window.
  struct DayShortfall {
    /// The day of the installs, by the middle of Apple's delays.
    let install: Day
    let shortfall: LaterWindowShortfall
    let basis: Basis?
    /// First postbacks of another network's win.
    let assists: Int64
    /// The share of the window's postbacks that should have arrived.
    let arrived: Double
  }

  func days(_ window: ConversionWindow) -> [(campaign: Campaign, days: [DayShortfall])] {
    guard let delay = delays[window] else { return [] }
    let others = sharesOfOthers(window)
    let place = window.rawValue - 1
    return Set(firsts.keys).union((seen[window] ?? [:]).keys).sorted().map { campaign in
      let days = firsts[campaign] ?? [:]
      let shared = share(arrivals(window, campaign), of: days, delay)
      let ofOthers = others[Campaign(app: campaign.app, network: campaign.network, digits: "")]
      let found = Set(days.keys).union(shared.keys).sorted().map { day -> DayShortfall in
        let first = days[day] ?? FirstDay()
        var updates = first.updates[place]
        var basis: Basis? = updates == nil ? nil : .ownUsers
        if updates == nil, let ofOthers {
          var expected = ExpectedUpdates()
          expected.add(first.withValue, value: 0, ofOthers)
          (updates, basis) = (expected, .otherNetworks)
        }
        if !own.hasRules(campaign.app, window, install: Self.install(of: day)) {
          (updates, basis) = (ExpectedUpdates(), .mapping)
        }
        var shortfall = LaterWindowShortfall()
        shortfall.add(
          withValue: first.withValue, withoutValue: first.withoutValue, updates,
          arrived: arrived(delay, of: day))
        shortfall.seen = shared[day] ?? 0
        return DayShortfall(
          install: Self.install(of: day), shortfall: shortfall, basis: basis, assists: first.assists,
          arrived: arrived(delay, of: day))
      }
      return (campaign, found)
    }
  }

  /// The last install day of whose postbacks of a window at least some share should have arrived before today.
  func lastInstall(arrived share: Double, _ window: ConversionWindow) -> Day {
    guard let delay = delays[window] else { return today }
    let behind = (0...delay.first + delay.probabilities.count).first { delay.arrived(within: $0) >= share }
    let days = Int32((behind ?? 0) + 1)
    return Self.install(of: Day(number: today.number - days))
  }

  /// What arrived before today, of which not all has, by day.
  private func arrivals(
    _ window: ConversionWindow, _ campaign: Campaign
  ) -> [(day: Day, count: Double)] {
    (seen[window]?[campaign] ?? [:]).filter { $0.key < today }.sorted { $0.key < $1.key }.map {
      (day: $0.key, count: $0.value)
    }
  }

  /// Shares what arrived out over the days of first postbacks that it can belong to, by their sizes and Apple's delays;
  /// what belongs to none is of the day that is most likely.
  private func share(
    _ seen: [(day: Day, count: Double)], of days: [Day: FirstDay], _ delay: LaterWindowDelay
  ) -> [Day: Double] {
    var shared: [Day: Double] = [:]
    for (arrival, count) in seen {
      var weights: [(day: Day, weight: Double)] = []
      for (offset, probability) in delay.probabilities.enumerated() {
        let day = Day(number: arrival.number - Int32(delay.first + offset))
        guard let first = days[day] else { continue }
        weights.append((day, first.withValue * probability))
      }
      let sum = weights.reduce(0) { $0 + $1.weight }
      guard sum > 0 else {
        shared[Day(number: arrival.number - Int32(delay.likeliest)), default: 0] += count
        continue
      }
      for (day, weight) in weights { shared[day, default: 0] += count * weight / sum }
    }
    return shared
  }
}

/// Which share of own users updates later windows, by version of the mapping.
private struct OwnUpdateShares {
  private struct Version {
    let from: Day
    let shares: UpdateShares?
    let hasRules: Bool
  }

  private var versions: [AppID: [ConversionWindow: [Version]]] = [:]

  init(_ rows: [WindowUpdateRow], _ histories: [AppID: MappingHistory]) {
    let places = ValueWorthRow.firstCoarseValue + CoarseValue.allCases.count
    for (app, history) in histories {
      for window in ConversionWindow.later {
        versions[app, default: [:]][window] = history.versions.map { version in
          var counts = (0..<places).map { _ in (users: 0.0, updated: 0.0) }
          for row in rows
          where row.app == app && row.window == window && row.effectiveFrom == version.effectiveFrom
            && counts.indices.contains(row.value)
          {
            counts[row.value] = (Double(row.users), Double(row.updated))
          }
          return Version(
            from: version.effectiveFrom.day, shares: UpdateShares(counts),
            hasRules: !(version.coarse[window]?.rules ?? []).isEmpty)
        }
      }
    }
  }

  /// The shares of the version in force on a day; nothing before the first one, and where no own user followed it.
  func shares(_ app: AppID, _ window: ConversionWindow, install: Day) -> UpdateShares? {
    version(app, window, install)?.shares
  }

  /// Whether the version in force on a day has rules for a window; no version can be known to have none.
  func hasRules(_ app: AppID, _ window: ConversionWindow, install: Day) -> Bool {
    version(app, window, install)?.hasRules ?? true
  }

  private func version(_ app: AppID, _ window: ConversionWindow, _ install: Day) -> Version? {
    versions[app]?[window]?.last { $0.from <= install }
  }
}
