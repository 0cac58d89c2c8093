public import Platform
public import Postbacks
public import Verification

/// What the rows of a campaign report are told apart by.
public enum CampaignDimension: String, Hashable, Sendable, CaseIterable {
  case day, app, network, campaign, version, window
}

/// A question about campaign totals.
public struct CampaignQuery: Sendable {
  /// Whose keys signed the postbacks; figures of different environments are never added up.
  public var environment: Environment
  /// The first UTC day of arrival that counts; `nil` for no bound.
  public var from: Day?
  /// The first UTC day of arrival that no longer counts; `nil` for no bound.
  public var to: Day?
  /// The advertised apps that count; none for all.
  public var apps: [AppID]
  /// The networks that count; none for all.
  public var networks: [AdNetworkID]
  /// What rows are told apart by, in the order they are sorted; none for one row of all.
  public var dimensions: [CampaignDimension]
  /// How many last digits of a source identifier are kept, 2 through 4; `nil` for those that came.
  public var digits: Int?

  /// Asks for production totals by app, network and campaign.
  public init(
    environment: Environment = .production, from: Day? = nil, to: Day? = nil, apps: [AppID] = [],
    networks: [AdNetworkID] = [], dimensions: [CampaignDimension] = [.app, .network, .campaign],
    digits: Int? = nil
  ) {
    self.environment = environment
    self.from = from
    self.to = to
    self.apps = apps
    self.networks = networks
    self.dimensions = dimensions
    self.digits = digits
  }
}

/// One row of a campaign report; a dimension that was not asked for is `nil`.
public struct CampaignRow: Hashable, Sendable {
  /// UTC day of arrival.
  public let day: Day?
  /// The advertised app.
  public let app: AppID?
  /// The network, in lower case.
  public let network: String?
  /// The campaign, in the network's numbering.
  public let campaign: Campaign?
  /// The postbacks' version.
  public let version: ProtocolVersion?
  /// The postbacks' window.
  public let window: ConversionWindow?
  /// What was counted.
  public let counts: CampaignCounts
}

/// The counts of a campaign report.
public struct CampaignCounts: Hashable, Sendable {
  private let columns: [Int64]

  init(columns: [Int64]) { self.columns = columns }

  /// Conversions of every window and outcome, each counted once.
  public var postbacks: Int64 { columns[TotalsColumn.postbacks] }
  /// Winning first installs, by first-window postbacks.
  public var installs: Int64 { columns[TotalsColumn.installs] }
  /// Winning repeated installs, by first-window postbacks.
  public var redownloads: Int64 { columns[TotalsColumn.redownloads] }
  /// Winning re-engagements, by first-window postbacks.
  public var reengagements: Int64 { columns[TotalsColumn.reengagements] }
  /// Postbacks that did not win.
  public var assists: Int64 { columns[TotalsColumn.assists] }
  /// Winning first-window postbacks of a conversion type this program does not know.
  public var others: Int64 { columns[TotalsColumn.others] }
  /// Postbacks of ads that were only seen.
  public var views: Int64 { columns[TotalsColumn.views] }
  /// Postbacks of ads that were acted upon.
  public var clicks: Int64 { columns[TotalsColumn.clicks] }
  /// Further valid copies that say the same.
  public var repeats: Int64 { columns[TotalsColumn.repeats] }
  /// Further valid copies that contradict the first.
  public var conflicts: Int64 { columns[TotalsColumn.conflicts] }
  /// Winning postbacks with neither a fine nor a coarse value.
  public var valueNull: Int64 { columns[TotalsColumn.valueNull] }
  /// Those of ``valueNull`` whose version knows coarse values.
  public var coarseNull: Int64 { columns[TotalsColumn.coarseNull] }
  /// Winning postbacks whose value Apple's rules make impossible.
  public var valueRefused: Int64 { columns[TotalsColumn.valueRefused] }
  /// Winning postbacks with a coarse value of `low`, `medium` and `high`.
  public func coarse(_ value: CoarseValue) -> Int64 {
    switch value {
    case .low: columns[TotalsColumn.coarseLow]
    case .medium: columns[TotalsColumn.coarseMedium]
    case .high: columns[TotalsColumn.coarseHigh]
    }
  }
  /// Winning postbacks by fine value, 0 through 63.
  public var fine: ArraySlice<Int64> { columns[TotalsColumn.fine...] }
  /// Winning postbacks with fine value 0.
  public var fineZero: Int64 { columns[TotalsColumn.fine] }
  /// Winning postbacks with a fine value of 1 through 63.
  public var finePositive: Int64 { columns[(TotalsColumn.fine + 1)...].reduce(0, +) }
  /// Winning postbacks of every window.
  public var winners: Int64 {
    fine.reduce(0, +) + CoarseValue.allCases.reduce(0) { $0 + coarse($1) } + valueNull + valueRefused
  }

  /// The counts of both together.
  public static func + (a: Self, b: Self) -> Self { Self(columns: zip(a.columns, b.columns).map(+)) }
  /// Nothing counted.
  public static let zero = Self(columns: [Int64](repeating: 0, count: TotalsColumn.names.count))
}
