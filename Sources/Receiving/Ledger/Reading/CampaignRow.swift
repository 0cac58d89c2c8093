public import Postbacks
public import Values

/// One row of a campaign report; a dimension that was not asked for, or that its postbacks do not have, is `nil`.
public struct CampaignRow: Hashable, Sendable {
  public var day: Day?
  public var app: AppID?
  /// The network, in lower case.
  public var network: String?
  public var campaign: Campaign?
  public var version: ProtocolVersion?
  public var window: ConversionWindow?
  /// The first and the last UTC day of arrival that anything was counted on.
  public var days: ClosedRange<Day>
  public var counts: CampaignCounts
  /// The Monday of the ISO week of arrival.
  public var week: Day?
  /// The first day of the month of arrival.
  public var month: Day?
  public var outcome: Outcome?
  /// Whether the ad was seen or acted upon.
  public var interaction: AdInteraction?
  /// The App Store number or the domain of the publisher.
  public var publisher: String?
  /// Two letters, or `other`.
  public var country: String?
  public var marketplace: String?
  /// The tier that the fields of the postbacks are of; see ``PostbackTier``.
  public var tier: PostbackTier?
}

extension CampaignRow {
  /// A row without counts, and of no day.
  package init(uncounted campaign: Campaign?, app: AppID?, network: String?) {
    let day = Day(number: 0)
    self.init(
      day: nil, app: app, network: network, campaign: campaign, version: nil, window: nil, days: day...day,
      counts: .zero)
  }
}

public struct CampaignCounts: Hashable, Sendable {
  /// Conversions of every window and outcome, each counted once.
  public internal(set) var postbacks: Int64 = 0
  /// Winning first installs, by first-window postbacks.
  public internal(set) var installs: Int64 = 0
  /// Winning repeated installs, by first-window postbacks.
  public internal(set) var redownloads: Int64 = 0
  /// Winning re-engagements, by first-window postbacks.
  public internal(set) var reengagements: Int64 = 0
  /// First-window postbacks that did not win.
  public internal(set) var assists: Int64 = 0
  /// Winning first-window postbacks of a conversion type this program does not know.
  public internal(set) var others: Int64 = 0
  /// Postbacks of ads that were only seen.
  public internal(set) var views: Int64 = 0
  /// Postbacks of ads that were acted upon.
  public internal(set) var clicks: Int64 = 0
  /// Further valid copies that are the same; `nil` where rows are by what is not counted of copies.
  public internal(set) var repeats: Int64? = 0
  /// Further valid copies that disagree with the first; `nil` as with ``repeats``.
  public internal(set) var conflicts: Int64? = 0
  /// Winning postbacks with neither a fine nor a coarse value.
  public internal(set) var valueNull: Int64 = 0
  /// Those of ``valueNull`` whose version knows coarse values.
  public internal(set) var coarseNull: Int64 = 0
  /// Winning postbacks whose value Apple's rules make impossible.
  public internal(set) var valueRejected: Int64 = 0
  private var coarseLow: Int64 = 0
  private var coarseMedium: Int64 = 0
  private var coarseHigh: Int64 = 0
  /// Winning postbacks by fine value, 0 through 63.
  public internal(set) var fine = FineCounts()

  public static let zero = Self()

  /// What no row of a question adds up to: none, and not zero, of what the question does not count.
  public static func zero(of query: CampaignQuery) -> Self {
    var counts = zero
    if query.looksAtPostbacks { (counts.repeats, counts.conflicts) = (nil, nil) }
    return counts
  }

  public func coarse(_ value: CoarseValue) -> Int64 {
    switch value {
    case .low: coarseLow
    case .medium: coarseMedium
    case .high: coarseHigh
    }
  }
  /// Winning postbacks with fine value 0.
  public var fineZero: Int64 { fine[0] }
  /// Winning postbacks with a fine value of 1 through 63.
  public var finePositive: Int64 { fine.total - fine[0] }
  /// Winning postbacks of every window.
  public var winners: Int64 {
    fine.total + coarseLow + coarseMedium + coarseHigh + valueNull + valueRejected
  }

  /// What one postback of a kind adds, without its fine value, as ``add(_:)`` takes it.
  static func part(of kind: FactKind) -> SIMD16<Int64> {
    var one = Self()
    one.postbacks = 1
    switch kind.interaction {
    case .view: one.views = 1
    case .click: one.clicks = 1
    case nil: break
    }
    if kind.window == .first {
      switch kind.outcome {
      case .install: one.installs = 1
      case .redownload: one.redownloads = 1
      case .reengagement: one.reengagements = 1
      case .assist: one.assists = 1
      case .other: one.others = 1
      }
    }
    if kind.outcome != .assist {
      switch kind.value {
      case .fine: break
      case .coarse(.low): one.coarseLow = 1
      case .coarse(.medium): one.coarseMedium = 1
      case .coarse(.high): one.coarseHigh = 1
      case .rejected: one.valueRejected = 1
      case .absent:
        one.valueNull = 1
        if kind.version.hasWindows { one.coarseNull = 1 }
      }
    }
    return [
      one.postbacks, one.installs, one.redownloads, one.reengagements, one.assists, one.others, one.views,
      one.clicks, one.valueNull, one.coarseNull, one.valueRejected, one.coarseLow, one.coarseMedium,
      one.coarseHigh, 0, 0,
    ]
  }

  /// Adds what postbacks come to, all of them at once.
  mutating func add(_ sums: SIMD16<Int64>) {
    postbacks += sums[0]
    installs += sums[1]
    redownloads += sums[2]
    reengagements += sums[3]
    assists += sums[4]
    others += sums[5]
    views += sums[6]
    clicks += sums[7]
    valueNull += sums[8]
    coarseNull += sums[9]
    valueRejected += sums[10]
    coarseLow += sums[11]
    coarseMedium += sums[12]
    coarseHigh += sums[13]
  }

  /// Adds other counts in place.
  public static func += (a: inout Self, b: Self) {
    a.postbacks += b.postbacks
    a.installs += b.installs
    a.redownloads += b.redownloads
    a.reengagements += b.reengagements
    a.assists += b.assists
    a.others += b.others
    a.views += b.views
    a.clicks += b.clicks
    a.repeats = a.repeats.flatMap { a in b.repeats.map { a + $0 } }
    a.conflicts = a.conflicts.flatMap { a in b.conflicts.map { a + $0 } }
    a.valueNull += b.valueNull
    a.coarseNull += b.coarseNull
    a.valueRejected += b.valueRejected
    a.coarseLow += b.coarseLow
    a.coarseMedium += b.coarseMedium
    a.coarseHigh += b.coarseHigh
    a.fine += b.fine
  }
}
