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
  public let traits: FirstWindowTraits
}

/// What distinguishes postbacks of one campaign, where it was asked for.
public struct FirstWindowTraits: Hashable, Sendable {
  /// `nil` where it was not asked for.
  public let outcome: Outcome?
  /// The App Store number or the domain; `nil` also where postbacks do not show it.
  public let publisher: String?
  /// Two letters, or `other`; `nil` also where postbacks do not show it.
  public let country: String?

  public init(outcome: Outcome? = nil, publisher: String? = nil, country: String? = nil) {
    (self.outcome, self.publisher, self.country) = (outcome, publisher, country)
  }
}

/// What winning first-window postbacks of any campaign of an app can have in common besides the hour of their arrival.
public struct FirstWindowKind: Equatable, Sendable {
  public let app: AppID
  public let version: ProtocolVersion
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  public let value: ConversionValue
  /// Arrivals in which the value means the same: an hour, or a day that stands for others too; `nil` for an app whose
  /// values are not decoded.
  public let arrival: Range<Instant>?

  public init(
    app: AppID, version: ProtocolVersion, outcome: Outcome, value: ConversionValue, arrival: Range<Instant>?
  ) {
    (self.app, self.version, self.outcome) = (app, version, outcome)
    (self.value, self.arrival) = (value, arrival)
  }
}

/// Winning first-window postbacks by campaign, kind and hour of arrival.
public struct FirstWindowCounts: Sendable {
  /// The campaigns, in no order that means anything; each once for all traits that were asked for.
  public let campaigns: [FirstWindowCampaign]
  /// What postbacks are of; several can be equal.
  public let kinds: [FirstWindowKind]
  /// How many UTC days of arrival there are from the first through the last.
  public let days: Int
  private let groups: [Int]
  private let runs: FactRuns

  /// - Parameter sum: One whose groups are distinguished by app, network and campaign at least.
  fileprivate init(_ sum: FactSum) {
    // What this program does not know has no place.
    let known = (0..<sum.groups.count).compactMap { group in
      Self.campaign(group, sum).map { (group: group, campaign: $0) }
    }
    groups = known.map(\.group)
    campaigns = known.map(\.campaign)
    kinds = (0..<sum.kinds.count).map { FirstWindowKind(sum.kinds[$0]) }
    runs = sum.runs
    let (first, last) = (
      groups.map { sum.arrivalDays[$0].first }.min(), groups.map { sum.arrivalDays[$0].last }.max()
    )
    days = first.flatMap { first in last.map { Int($0 - first) + 1 } } ?? 0
  }

  /// None at all.
  fileprivate init() { (campaigns, kinds, days, groups, runs) = ([], [], 0, [], FactRuns()) }

  private static func campaign(_ group: Int, _ sum: FactSum) -> FirstWindowCampaign? {
    let row = sum.row(group)
    guard let app = row.app, let campaign = row.campaign else { return nil }
    return FirstWindowCampaign(
      app: app, network: row.network ?? "", campaign: campaign, isShortened: sum.areShortened[group],
      traits: FirstWindowTraits(
        outcome: row.outcome, publisher: row.publisher, country: row[.country]?.text))
  }

  /// Visits the postbacks of a campaign; those of one kind and hour can come apart.
  ///
  /// - Parameters:
  ///   - visit: Takes the place of a kind, the hour of arrival, and how many postbacks.
  public func forEach(ofCampaign campaign: Int, _ visit: (Int, Instant, Int64) -> Void) {
    runs.forEach(of: groups[campaign]) { visit(Int($0), Instant(hour: Int64($1)), $2) }
  }

  /// Visits the postbacks of a campaign as lists, which takes less time than one by one.
  ///
  /// - Parameters:
  ///   - visit: Takes places of kinds, the hours of arrival since 1970, UTC, and how many postbacks each is; no counts
  ///     where each is one.
  public func forEachList(
    ofCampaign campaign: Int,
    _ visit: (_ kinds: Span<UInt32>, _ hours: Span<Int32>, _ counts: Span<UInt32>) -> Void
  ) {
    runs.forEachList(of: groups[campaign], visit)
  }
}

extension FirstWindowKind {
  fileprivate init(_ kind: FactKind) {
    self.init(
      app: kind.app, version: kind.version, outcome: kind.outcome, value: kind.value, arrival: kind.arrival)
  }
}

extension LedgerReader {
  /// Winning first-window postbacks by campaign, hour of arrival and value.
  ///
  /// - Parameters:
  ///   - query: Their environment, days in UTC, apps and networks; its other conditions and its dimensions do not count.
  ///   - digits: The last digits of source identifiers that distinguish campaigns; `nil` for all.
  ///   - apps: The apps whose values are decoded.
  ///   - hourly: The days on which the hour of arrival decides what a value means.
  ///   - traits: What distinguishes postbacks of a campaign besides: `outcome`, `publisher` and `country`.
  /// - Complexity: Linear in the postbacks of the days.
  public func firstWindowCounts(
    _ query: CampaignQuery, digits: Int?, decodingFor apps: [AppID], hourly: [HourlyDays],
    by traits: [CampaignDimension] = []
  ) throws(LedgerError) -> FirstWindowCounts {
    let asked = CampaignQuery(
      environment: query.environment, from: query.from, to: query.to, apps: query.apps,
      networks: query.networks, dimensions: [.app, .network, .campaign] + traits, digits: digits)
    let decoded = DecodedDays(apps, hourly, isDaily: false)
    guard
      let (sum, _) = try counted(asked, ofFirstWindows: true, keepingHours: true, .decoding(decoded))
    else { return FirstWindowCounts() }
    return FirstWindowCounts(sum)
  }
}
