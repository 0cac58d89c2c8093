public import Postbacks
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

/// Winning first-window postbacks by campaign and kind.
public struct FirstWindowCounts: Sendable {
  /// The campaigns, in no order that means anything.
  public let campaigns: [FirstWindowCampaign]
  public let kinds: [FirstWindowKind]
  private let groups: [Int]
  /// The places among ``kinds`` of what was counted.
  private let places: [Int]
  private let runs: FactRuns

  fileprivate init(_ sum: FactSum, _ codes: CampaignCodes) {
    // What this program does not know has no place.
    let known = (0..<sum.groups.count).compactMap { group in
      Self.campaign(group, sum, codes).map { (group: group, campaign: $0) }
    }
    groups = known.map(\.group)
    campaigns = known.map(\.campaign)
    var (kinds, numbers, places) = ([FirstWindowKind](), [FirstWindowKind: Int](), [Int]())
    for number in 0..<sum.kinds.count {
      let kind = FirstWindowKind(sum.kinds[number])
      let place = numbers[kind] ?? kinds.count
      if place == kinds.count { kinds.append(kind) }
      numbers[kind] = place
      places.append(place)
    }
    (self.kinds, self.places, runs) = (kinds, places, sum.runs)
  }

  /// None at all.
  fileprivate init() { (campaigns, kinds, groups, places, runs) = ([], [], [], [], FactRuns()) }

  private static func campaign(_ group: Int, _ sum: FactSum, _ codes: CampaignCodes) -> FirstWindowCampaign? {
    guard let app = AppID(sum.groups.code(group, 0)),
      let campaign = CampaignCodes.campaign(sum.groups.code(group, 2))
    else { return nil }
    return FirstWindowCampaign(
      app: app, network: codes.networks[sum.groups.code(group, 1)] ?? "", campaign: campaign,
      isShortened: sum.areShortened[group])
  }

  /// Visits the postbacks of a campaign; those of one kind can come apart.
  ///
  /// - Parameters:
  ///   - visit: Takes the place of a kind, and how many postbacks.
  public func forEach(ofCampaign campaign: Int, _ visit: (Int, Int64) -> Void) {
    runs.forEach(of: groups[campaign]) { visit(places[Int($0)], $1) }
  }
}

extension FirstWindowKind {
  fileprivate init(_ kind: FactKind) {
    self.init(
      app: kind.app, version: kind.version, outcome: kind.outcome,
      hour: kind.arrival?.lowerBound ?? Instant(milliseconds: 0), value: kind.value)
  }
}

extension LedgerReader {
  /// Winning first-window postbacks by campaign, hour of arrival and value.
  ///
  /// - Parameters:
  ///   - query: Their environment, days in UTC, apps and networks; its other conditions and its dimensions do not count.
  ///   - digits: The last digits of source identifiers that distinguish campaigns; `nil` for all.
  /// - Complexity: Linear in the postbacks of the days.
  public func firstWindowCounts(
    _ query: CampaignQuery, digits: Int?
  ) throws(LedgerError) -> FirstWindowCounts {
    let asked = CampaignQuery(
      environment: query.environment, from: query.from, to: query.to, apps: query.apps,
      networks: query.networks, digits: digits)
    guard let (sum, codes) = try counted(asked, ofFirstWindows: true, .hours) else {
      return FirstWindowCounts()
    }
    return FirstWindowCounts(sum, codes)
  }
}
