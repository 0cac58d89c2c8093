public import Postbacks
import SQLite
public import Values

/// Winning first-window postbacks of all campaigns of an app that came in one hour with one value, or with none.
public struct FirstWindowArrivals: Hashable, Sendable {
  public let app: AppID
  public let version: ProtocolVersion
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  /// Whether their network is one of those that were asked for.
  public let isOfNetworks: Bool
  public let hour: Instant
  public let value: ConversionValue
  public let postbacks: Int64
}

/// First-window postbacks of everything that is stored, without their campaigns.
public struct FirstWindowSummary: Hashable, Sendable {
  /// The postbacks, sorted by app, version, outcome, network and hour.
  public let arrivals: [FirstWindowArrivals]
  /// How many campaigns have any; those of source identifiers are distinguished by their last two digits.
  public let campaigns: Int
  /// From the first through the last UTC day of arrival.
  public let days: Int
}

extension LedgerReader {
  /// Winning first-window postbacks of all days, by hour of arrival.
  ///
  /// - Parameters:
  ///   - environment: Whose keys signed them.
  ///   - networks: The networks whose postbacks are distinguished from those of others; none for all.
  public func firstWindowSummary(
    _ environment: Environment, of networks: [AdNetworkID]
  ) throws(LedgerError) -> FirstWindowSummary {
    let query = CampaignQuery(environment: environment)
    let plan = CampaignPlan(query, networks: nil)
    return try asLedger { () throws(SQLiteError) in
      try firstWindowSummary(plan, of: networks, countedFrom: bestSources(plan, query))
    }
  }

  /// The same, with what it is counted from chosen; all give the same.
  func firstWindowSummary(
    _ plan: CampaignPlan, of wanted: [AdNetworkID], countedFrom sources: CampaignSources
  ) throws(SQLiteError) -> FirstWindowSummary {
    var sum = FirstWindowSum(rows(of: wanted).map { $0.some.map { Set($0) } } ?? [])
    switch sources {
    case .totals:
      try connection.prepare(plan.firstWindowHours).forEachRow { row in
        sum.add(
          app: row.count(0), network: row.count(1), version: row.count(3), outcome: row.count(8),
          ShortText((row.text(2) ?? "").utf8), hour: row.count(4) * 24 + row.count(5), slot: row.count(6),
          count: row.count(7))
      }
    case .postbacks, .postbacksAndCopies:
      try PostbackScan.forEach(plan, on: connection) { postback, source, slot in
        guard source.window == .first, source.outcome != .assist else { return }
        let arrival = Instant(milliseconds: postback.receivedAt)
        let codes = source.codes
        sum.add(
          app: codes.app, network: codes.network, version: codes.version, outcome: codes.outcome,
          postback.campaign, hour: Int64(arrival.day.number) * 24 + arrival.hourOfDay, slot: slot, count: 1)
      }
    }
    return sum.summary()
  }
}

/// Adds up first-window postbacks, some together, because looks at memory for one then do not wait for those for another.
private struct FirstWindowSum {
  private static let atOnce = 512

  /// The rows of the networks that were asked for; `nil` for all.
  private let networks: Set<Int64>?
  private var keys = NumberedKeys(width: 6)
  private var counts = CountRows(width: 1)
  private var campaigns = NumberedKeys(width: 4)
  private var waiting: [Int64] = []
  private var waitingKeys: [Int64] = []
  private var waitingCampaigns: [Int64] = []
  private var numbers: [Int] = []

  init(_ networks: Set<Int64>?) { self.networks = networks }

  mutating func add(
    app: Int64, network: Int64, version: Int64, outcome: Int64, _ campaign: ShortText, hour: Int64,
    slot: Int64, count: Int64
  ) {
    let isOfNetworks = networks?.contains(network) ?? true
    let isSource = version >= ProtocolVersion.v4_0.code
    waitingKeys.append(app)
    waitingKeys.append(version)
    waitingKeys.append(outcome)
    waitingKeys.append(isOfNetworks ? 1 : 0)
    waitingKeys.append(hour)
    waitingKeys.append(slot)
    waitingCampaigns.append(app)
    waitingCampaigns.append(network)
    waitingCampaigns.append(isSource ? 1 : 0)
    waitingCampaigns.append(isSource ? campaign.number(ofLast: 2) : campaign.number)
    waiting.append(count)
    if waiting.count == Self.atOnce { addWaiting() }
  }

  private mutating func addWaiting() {
    campaigns.find(waitingCampaigns, &numbers)
    keys.find(waitingKeys, &numbers)
    while counts.rows < keys.count { counts.appendRow() }
    for (number, count) in zip(numbers, waiting) { counts.add(count, row: number, column: 0) }
    waiting.removeAll(keepingCapacity: true)
    waitingKeys.removeAll(keepingCapacity: true)
    waitingCampaigns.removeAll(keepingCapacity: true)
  }

  mutating func summary() -> FirstWindowSummary {
    addWaiting()
    let arrivals = keys.sorted.compactMap(arrivals)
    let hours = arrivals.lazy.map(\.hour)
    var days = 0
    if let first = hours.min(), let last = hours.max() {
      days = Int(last.day.number - first.day.number) + 1
    }
    return FirstWindowSummary(arrivals: arrivals, campaigns: campaigns.count, days: days)
  }

  /// The postbacks of a key in words; `nil` for codes that this program does not know.
  private func arrivals(_ number: Int) -> FirstWindowArrivals? {
    guard let app = AppID(keys[number, 0]),
      let version: ProtocolVersion = decoded(keys[number, 1], by: { $0.code }),
      let outcome: Outcome = decoded(keys[number, 2], by: { $0.code }),
      let value = ConversionValue(slot: keys[number, 5])
    else { return nil }
    return FirstWindowArrivals(
      app: app, version: version, outcome: outcome, isOfNetworks: keys[number, 3] == 1,
      hour: Instant(milliseconds: keys[number, 4] * Hour.milliseconds), value: value,
      postbacks: counts[number, 0])
  }
}
