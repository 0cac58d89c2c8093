public import Postbacks
import SQLite
public import Values

/// A campaign with winning first-window postbacks.
public struct FirstWindowCampaign: Hashable, Sendable {
  public let app: AppID
  /// The network, in lower case.
  public let network: String
  /// The campaign, by the last digits of its source identifier that were asked for.
  public let campaign: Campaign
  /// Whether postbacks had more digits.
  public let isShortened: Bool
}

/// What winning first-window postbacks of any campaign of an app can have in common.
public struct FirstWindowKind: Hashable, Sendable {
  public let app: AppID
  public let version: ProtocolVersion
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  /// When the hour of arrival begins.
  public let hour: Instant
  public let value: ConversionValue

  public init(
    app: AppID, version: ProtocolVersion, outcome: Outcome, hour: Instant, value: ConversionValue
  ) {
    (self.app, self.version, self.outcome) = (app, version, outcome)
    (self.hour, self.value) = (hour, value)
  }
}

/// Winning first-window postbacks by campaign and kind, in four bytes each: there are ten million of a hundred thousand
/// campaigns.
public struct FirstWindowCounts: Sendable {
  /// The campaigns, in no order that means anything.
  public let campaigns: [FirstWindowCampaign]
  public let kinds: [FirstWindowKind]
  /// Where the postbacks of each campaign begin, and the end of the last one's.
  private let starts: [Int]
  /// The kinds of the postbacks, one campaign after the other.
  private let kindNumbers: [UInt32]
  /// How many postbacks each is; empty where each is one.
  private let counts: [UInt32]

  fileprivate init(
    campaigns: [FirstWindowCampaign], kinds: [FirstWindowKind], starts: [Int], kindNumbers: [UInt32],
    counts: [UInt32]
  ) {
    (self.campaigns, self.kinds) = (campaigns, kinds)
    (self.starts, self.kindNumbers, self.counts) = (starts, kindNumbers, counts)
  }

  /// Visits the postbacks of a campaign; those of one kind can come apart.
  ///
  /// - Parameters:
  ///   - visit: Takes the place of a kind, and how many postbacks.
  public func forEach(ofCampaign campaign: Int, _ visit: (Int, Int64) -> Void) {
    for place in starts[campaign]..<starts[campaign + 1] {
      visit(Int(kindNumbers[place]), counts.isEmpty ? 1 : Int64(counts[place]))
    }
  }
}

extension LedgerReader {
  /// Winning first-window postbacks by campaign, hour of arrival and value.
  ///
  /// - Parameters:
  ///   - query: Their environment, days in UTC, apps and networks; its other conditions and its dimensions do not count.
  ///   - digits: The last digits of a source identifier that distinguish campaigns; `nil` for all.
  /// - Complexity: Linear in the campaigns' values by the hour, or in the postbacks of the days, whichever is less.
  public func firstWindowCounts(
    _ query: CampaignQuery, digits: Int?
  ) throws(LedgerError) -> FirstWindowCounts {
    try firstWindowCounts(query, digits: digits, countedFrom: nil)
  }

  /// The same, with what it is counted from chosen; all give the same.
  func firstWindowCounts(
    _ query: CampaignQuery, digits: Int?, countedFrom sources: CampaignSources?
  ) throws(LedgerError) -> FirstWindowCounts {
    var fold = FirstWindowAggregation(digits: digits)
    guard let networkRows = rows(of: query.networks) else { return fold.counts([:]) }
    let plan = CampaignPlan(query, networks: networkRows.some)
    try asLedger { () throws(SQLiteError) in
      let sources = if let sources { sources } else { try bestSources(plan, query) }
      switch sources {
      case .totals:
        try connection.prepare(plan.firstWindowHours).forEachRow { row in
          fold.add(
            app: row.count(0), network: row.count(1), version: row.count(3), outcome: row.count(8),
            ShortText((row.text(2) ?? "").utf8), hour: row.count(4) * 24 + row.count(5), slot: row.count(6),
            count: row.count(7))
        }
      case .postbacks, .postbacksAndCopies:
        let (first, end) = (query.from?.number ?? .min, query.to?.number ?? .max)
        try PostbackScan.forEach(plan, on: connection) { postback, source, slot in
          guard source.window == .first, source.outcome != .assist else { return }
          let arrival = Instant(milliseconds: postback.receivedAt)
          let day = arrival.day.number
          guard day >= first, day < end else { return }
          let codes = source.codes
          fold.add(
            app: codes.app, network: codes.network, version: codes.version, outcome: codes.outcome,
            postback.campaign, hour: Int64(day) * 24 + arrival.hourOfDay, slot: slot, count: 1)
        }
      }
    }
    return fold.counts(networks)
  }
}

/// Adds up first-window postbacks, some together, because looks at memory for one then do not wait for those for another.
private struct FirstWindowAggregation {
  private static let atOnce = 512

  private let digits: Int?
  private var kinds = NumberedKeys(width: 5)
  private var campaigns = NumberedKeys(width: 4)
  /// Whether a campaign has postbacks of more digits than distinguish it.
  private var areShortened: [Bool] = []
  private var waitingKinds: [Int64] = []
  private var waitingCampaigns: [Int64] = []
  private var waiting: [(count: Int64, isShortened: Bool)] = []
  private var kindNumbers: [Int] = []
  private var campaignNumbers: [Int] = []
  /// The numbers of campaign and kind of all postbacks.
  private var entries: [SIMD2<UInt32>] = []
  /// How many postbacks each entry is; empty while each is one.
  private var entryCounts: [UInt32] = []

  init(digits: Int?) { self.digits = digits }

  mutating func add(
    app: Int64, network: Int64, version: Int64, outcome: Int64, _ campaign: ShortText, hour: Int64,
    slot: Int64, count: Int64
  ) {
    let isSource = version >= ProtocolVersion.v4_0.code
    let isShortened = isSource && digits.map { campaign.count > $0 } ?? false
    waitingKinds.append(app)
    waitingKinds.append(version)
    waitingKinds.append(outcome)
    waitingKinds.append(hour)
    waitingKinds.append(slot)
    waitingCampaigns.append(app)
    waitingCampaigns.append(network)
    waitingCampaigns.append(isSource ? 1 : 0)
    waitingCampaigns.append(isShortened ? campaign.number(ofLast: digits ?? 0) : campaign.number)
    waiting.append((count, isShortened))
    if waiting.count == Self.atOnce { addWaiting() }
  }

  private mutating func addWaiting() {
    kinds.find(waitingKinds, &kindNumbers)
    campaigns.find(waitingCampaigns, &campaignNumbers)
    while areShortened.count < campaigns.count { areShortened.append(false) }
    for (place, one) in waiting.enumerated() {
      if one.isShortened { areShortened[campaignNumbers[place]] = true }
      var left = one.count
      while left > 0 {
        let part = UInt32(min(left, Int64(UInt32.max)))
        if part != 1, entryCounts.isEmpty { entryCounts = [UInt32](repeating: 1, count: entries.count) }
        if part != 1 || !entryCounts.isEmpty { entryCounts.append(part) }
        entries.append(SIMD2(UInt32(campaignNumbers[place]), UInt32(kindNumbers[place])))
        left -= Int64(part)
      }
    }
    waiting.removeAll(keepingCapacity: true)
    waitingKinds.removeAll(keepingCapacity: true)
    waitingCampaigns.removeAll(keepingCapacity: true)
  }

  mutating func counts(_ networks: [Int64: String]) -> FirstWindowCounts {
    addWaiting()
    // What this program does not know has no place.
    var (known, places) = ([FirstWindowCampaign](), [Int]())
    for number in 0..<campaigns.count {
      let campaign = campaign(number, networks)
      places.append(campaign == nil ? -1 : known.count)
      if let campaign { known.append(campaign) }
    }
    var (knownKinds, kindPlaces) = ([FirstWindowKind](), [Int]())
    for number in 0..<kinds.count {
      let kind = kind(number)
      kindPlaces.append(kind == nil ? -1 : knownKinds.count)
      if let kind { knownKinds.append(kind) }
    }
    var starts = [Int](repeating: 0, count: known.count + 1)
    for entry in entries where places[Int(entry.x)] >= 0 && kindPlaces[Int(entry.y)] >= 0 {
      starts[places[Int(entry.x)] + 1] += 1
    }
    for place in known.indices { starts[place + 1] += starts[place] }
    var next = starts
    var sorted = [UInt32](repeating: 0, count: starts.last ?? 0)
    var sortedCounts = entryCounts.isEmpty ? [] : sorted
    for (index, entry) in entries.enumerated() {
      let (campaign, kind) = (places[Int(entry.x)], kindPlaces[Int(entry.y)])
      guard campaign >= 0, kind >= 0 else { continue }
      sorted[next[campaign]] = UInt32(kind)
      if !entryCounts.isEmpty { sortedCounts[next[campaign]] = entryCounts[index] }
      next[campaign] += 1
    }
    return FirstWindowCounts(
      campaigns: known, kinds: knownKinds, starts: starts, kindNumbers: sorted, counts: sortedCounts)
  }

  private func campaign(_ number: Int, _ networks: [Int64: String]) -> FirstWindowCampaign? {
    let text = ShortText.text(campaigns[number, 3])
    let campaign: Campaign? =
      campaigns[number, 2] == 1
      ? SourceIdentifier(text).map { .sourceIdentifier($0) }
      : Int64(text).flatMap { CampaignID($0) }.map { .campaignID($0) }
    guard let app = AppID(campaigns[number, 0]), let campaign else { return nil }
    return FirstWindowCampaign(
      app: app, network: networks[campaigns[number, 1]] ?? "", campaign: campaign,
      isShortened: areShortened[number])
  }

  private func kind(_ number: Int) -> FirstWindowKind? {
    guard let app = AppID(kinds[number, 0]),
      let version: ProtocolVersion = decoded(kinds[number, 1], by: { $0.code }),
      let outcome: Outcome = decoded(kinds[number, 2], by: { $0.code }),
      let value = ConversionValue(slot: kinds[number, 4])
    else { return nil }
    return FirstWindowKind(
      app: app, version: version, outcome: outcome,
      hour: Instant(milliseconds: kinds[number, 3] * Hour.milliseconds), value: value)
  }
}
