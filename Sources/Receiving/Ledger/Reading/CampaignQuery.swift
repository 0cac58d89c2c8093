public import Postbacks
public import Values

/// A question about campaign totals.
public struct CampaignQuery: Sendable {
  /// Whose keys signed the postbacks; figures of different environments are never added up.
  public var environment: Environment
  /// The first day of arrival that counts, by ``zone``; `nil` for no bound.
  public var from: Day?
  /// The first day of arrival that no longer counts, by ``zone``; `nil` for no bound.
  public var to: Day?
  /// The clock that divides arrivals into days.
  public var zone: ReportingZone
  /// The advertised apps that count; none for all.
  public var apps: [AppID]
  /// The networks that count; none for all.
  public var networks: [AdNetworkID]
  /// What counts besides; a postback has to meet all of them.
  public var conditions: [CampaignCondition]
  /// What rows are distinguished by, in the order they are sorted; none for one row of all.
  public var dimensions: [CampaignDimension]
  /// How many last digits of a source identifier are kept, 2 through 4; `nil` for those that came.
  public var digits: Int?

  public init(
    environment: Environment = .production, from: Day? = nil, to: Day? = nil, zone: ReportingZone = .utc,
    apps: [AppID] = [], networks: [AdNetworkID] = [], conditions: [CampaignCondition] = [],
    dimensions: [CampaignDimension] = [.app, .network, .campaign], digits: Int? = nil
  ) {
    self.environment = environment
    self.from = from
    self.to = to
    self.zone = zone
    self.apps = apps
    self.networks = networks
    self.conditions = conditions
    self.dimensions = dimensions
    self.digits = digits
  }

  public var namedDimensions: Set<CampaignDimension> { Set(dimensions + conditions.map(\.dimension)) }

  /// Whether it takes a look at every postback, because the totals by campaign and UTC day do not suffice.
  public var looksAtPostbacks: Bool { !zone.isUTC || namedDimensions.contains(where: \.isOfPostbacks) }
}

/// What came of a question about campaign totals.
public struct CampaignAnswer: Sendable {
  /// How many postbacks have a dimension that not all have.
  public struct Coverage: Equatable, Sendable {
    public internal(set) var carrying: Int64 = 0
    /// All of the period, apps and networks, whatever the other conditions.
    public internal(set) var postbacks: Int64 = 0
  }

  /// The rows, sorted by their dimensions.
  public let rows: [CampaignRow]
  /// The coverage of each dimension of single postbacks that rows or conditions name.
  public let coverage: [CampaignDimension: Coverage]
}

/// Winning postbacks that have one value and that the same mappings can decode.
public struct ValueCount: Hashable, Sendable {
  public let app: AppID
  public let version: ProtocolVersion
  public let window: ConversionWindow
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  /// When they came: a whole UTC day, or one hour of it; or a day that stands for all that decode alike.
  public let arrival: Range<Instant>
  /// The value; never none and never rejected.
  public let value: ConversionValue
  public let postbacks: Int64
  /// A small number for what all of these have but the row and how many they are; others are of another answer.
  public let kind: Int
}

extension CampaignQuery {
  /// No clock is further from UTC.
  private static let widestOffset = 26 * Hour.milliseconds

  /// The moments of arrival, in milliseconds, that can be of the days by any clock.
  var moments: Range<Int64> {
    let from = from.map { $0.start.milliseconds - Self.widestOffset } ?? .min
    return from..<max(from, to.map { $0.start.milliseconds + Self.widestOffset } ?? .max)
  }
}
