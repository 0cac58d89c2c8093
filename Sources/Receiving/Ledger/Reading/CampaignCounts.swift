public import Postbacks

public struct CampaignCounts: Equatable, Sendable {
  /// The places of ``sums``.
  private enum Place: Int {
    case postbacks, installs, redownloads, reengagements, assists, others, views, clicks
    case valueNull, coarseNull, valueRejected, coarseLow, coarseMedium, coarseHigh
  }

  /// What postbacks come to, all of it added at once.
  private var sums = SIMD16<Int64>()
  private subscript(_ place: Place) -> Int64 { sums[place.rawValue] }

  /// Conversions of every window and outcome, each counted once.
  public var postbacks: Int64 { self[.postbacks] }
  /// Winning first installs, by first-window postbacks.
  public var installs: Int64 { self[.installs] }
  /// Winning repeated installs, by first-window postbacks.
  public var redownloads: Int64 { self[.redownloads] }
  /// Winning re-engagements, by first-window postbacks.
  public var reengagements: Int64 { self[.reengagements] }
  /// First-window postbacks that did not win.
  public var assists: Int64 { self[.assists] }
  /// Winning first-window postbacks of a conversion type this program does not know.
  public var others: Int64 { self[.others] }
  /// Postbacks of ads that were only seen.
  public var views: Int64 { self[.views] }
  /// Postbacks of ads that were acted upon.
  public var clicks: Int64 { self[.clicks] }
  /// Further valid copies that are the same; `nil` where rows are by what is not counted of copies.
  public internal(set) var repeats: Int64? = 0
  /// Further valid copies that disagree with the first; `nil` as with ``repeats``.
  public internal(set) var conflicts: Int64? = 0
  /// Winning postbacks with neither a fine nor a coarse value.
  public var valueNull: Int64 { self[.valueNull] }
  /// Those of ``valueNull`` whose version knows coarse values.
  public var coarseNull: Int64 { self[.coarseNull] }
  /// Winning postbacks whose value Apple's rules make impossible.
  public var valueRejected: Int64 { self[.valueRejected] }
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
    case .low: self[.coarseLow]
    case .medium: self[.coarseMedium]
    case .high: self[.coarseHigh]
    }
  }
  /// Winning postbacks with fine value 0.
  public var fineZero: Int64 { fine[0] }
  /// Winning postbacks with a fine value of 1 through 63.
  public var finePositive: Int64 { fine.total - fine[0] }
  /// Winning postbacks of every window.
  public var winners: Int64 {
    fine.total + self[.coarseLow] + self[.coarseMedium] + self[.coarseHigh] + valueNull + valueRejected
  }

  /// What one postback of a kind adds, without its fine value, as ``add(_:)`` takes it.
  static func part(of kind: FactKind) -> SIMD16<Int64> {
    var one = SIMD16<Int64>()
    func count(_ place: Place) { one[place.rawValue] = 1 }
    count(.postbacks)
    switch kind.interaction {
    case .view: count(.views)
    case .click: count(.clicks)
    case nil: break
    }
    if kind.window == .first {
      if kind.outcome.isAttributedInstall { count(.installs) }
      switch kind.outcome {
      case .install: break
      case .redownload: count(.redownloads)
      case .reengagement: count(.reengagements)
      case .assist: count(.assists)
      case .other: count(.others)
      }
    }
    if kind.outcome != .assist {
      switch kind.value {
      case .fine: break
      case .coarse(.low): count(.coarseLow)
      case .coarse(.medium): count(.coarseMedium)
      case .coarse(.high): count(.coarseHigh)
      case .rejected: count(.valueRejected)
      case .absent:
        count(.valueNull)
        if kind.version.hasWindows { count(.coarseNull) }
      }
    }
    return one
  }

  /// Adds what postbacks come to, all of them at once.
  mutating func add(_ sums: SIMD16<Int64>) { self.sums &+= sums }

  public static func += (a: inout Self, b: Self) {
    a.add(b.sums)
    a.repeats = a.repeats.flatMap { a in b.repeats.map { a + $0 } }
    a.conflicts = a.conflicts.flatMap { a in b.conflicts.map { a + $0 } }
    a.fine += b.fine
  }
}
