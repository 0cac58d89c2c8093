public import Postbacks
public import Values

/// What the rows of a campaign report are distinguished by.
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
  /// What rows are distinguished by, in the order they are sorted; none for one row of all.
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
  /// The first and the last UTC day of arrival that anything was counted on.
  public let days: ClosedRange<Day>
  /// What was counted.
  public let counts: CampaignCounts
}

/// The counts of a campaign report.
public struct CampaignCounts: Hashable, Sendable {
  private var columns: [Int64]
  /// First-window postbacks by the code of the outcome.
  private var outcomes: [Int64]
  /// Winning postbacks by fine value, 0 through 63.
  public private(set) var fine: [Int64]

  init(columns: [Int64], outcomes: [Int64], fine: [Int64]) {
    self.columns = columns
    self.outcomes = outcomes
    self.fine = fine
  }

  private subscript(column: TotalsColumn) -> Int64 { columns[column.place] }
  private subscript(outcome: Outcome) -> Int64 { outcomes[Int(outcome.code)] }

  /// Conversions of every window and outcome, each counted once.
  public var postbacks: Int64 { self[.postbacks] }
  /// Winning first installs, by first-window postbacks.
  public var installs: Int64 { self[.install] }
  /// Winning repeated installs, by first-window postbacks.
  public var redownloads: Int64 { self[.redownload] }
  /// Winning re-engagements, by first-window postbacks.
  public var reengagements: Int64 { self[.reengagement] }
  /// First-window postbacks that did not win.
  public var assists: Int64 { self[.assist] }
  /// Winning first-window postbacks of a conversion type this program does not know.
  public var others: Int64 { self[.other] }
  /// Postbacks of ads that were only seen.
  public var views: Int64 { self[.views] }
  /// Postbacks of ads that were acted upon.
  public var clicks: Int64 { self[.clicks] }
  /// Further valid copies that are the same.
  public var repeats: Int64 { self[.repeats] }
  /// Further valid copies that disagree with the first.
  public var conflicts: Int64 { self[.conflicts] }
  /// Winning postbacks with neither a fine nor a coarse value.
  public var valueNull: Int64 { self[.valueNull] }
  /// Those of ``valueNull`` whose version knows coarse values.
  public var coarseNull: Int64 { self[.coarseNull] }
  /// Winning postbacks whose value Apple's rules make impossible.
  public var valueRejected: Int64 { self[.valueRejected] }
  /// Winning postbacks with that coarse value.
  public func coarse(_ value: CoarseValue) -> Int64 {
    switch value {
    case .low: self[.coarseLow]
    case .medium: self[.coarseMedium]
    case .high: self[.coarseHigh]
    }
  }
  /// Winning postbacks with fine value 0.
  public var fineZero: Int64 { fine[0] }
  /// Winning postbacks with a fine value of 1 through 63.
  public var finePositive: Int64 { fine.dropFirst().reduce(0, +) }
  /// Winning postbacks of every window.
  public var winners: Int64 {
    fine.reduce(0, +) + CoarseValue.allCases.reduce(0) { $0 + coarse($1) } + valueNull + valueRejected
  }

  /// Adds other counts in place.
  public static func += (a: inout Self, b: Self) {
    for index in a.columns.indices { a.columns[index] += b.columns[index] }
    for index in a.outcomes.indices { a.outcomes[index] += b.outcomes[index] }
    for index in a.fine.indices { a.fine[index] += b.fine[index] }
  }

  /// The counts of both together.
  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum += b
    return sum
  }
  /// Nothing counted.
  public static let zero = Self(
    columns: [Int64](repeating: 0, count: TotalsColumn.allCases.count),
    outcomes: [Int64](repeating: 0, count: Outcome.allCases.count), fine: [Int64](repeating: 0, count: 64)
  )
}

/// Winning postbacks that have one value and that the same mappings can decode.
public struct ValueCount: Hashable, Sendable {
  /// The advertised app.
  public let app: AppID
  /// The postbacks' version.
  public let version: ProtocolVersion
  /// The postbacks' window.
  public let window: ConversionWindow
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  /// When they came: a whole UTC day, or one hour of it.
  public let arrival: Range<Instant>
  /// The value; never none and never rejected.
  public let value: ConversionValue
  /// How many.
  public let postbacks: Int64
}

/// Days of an app whose values are counted by the hour of arrival.
public struct HourlyDays: Hashable, Sendable {
  /// The advertised app.
  public let app: AppID
  /// Whether it is about versions with windows.
  public let hasWindows: Bool
  /// The window.
  public let window: ConversionWindow
  /// Numbers of the UTC days.
  public let days: Range<Int32>

  /// Names the days.
  public init(app: AppID, hasWindows: Bool, window: ConversionWindow, days: Range<Int32>) {
    self.app = app
    self.hasWindows = hasWindows
    self.window = window
    self.days = days
  }
}
