import Postbacks
import Verification

/// What the totals are kept by: one row of the campaign table.
struct TotalsKey: Hashable {
  /// UTC day of arrival, counted from 1970-01-01.
  let day: Int32
  let environment: Int64
  let app: Int64
  let network: Int64
  let version: Int64
  let campaign: String
  let window: Int64
}

/// The columns of the campaign table that count, in the order they stand there.
///
/// Only postbacks that won carry a value; for those exactly one of the value columns counts, so that
/// `value_null + value_refused + coarse_* + v0 … v63` is the number of winning postbacks.
enum TotalsColumn {
  static let postbacks = 0
  /// Winning first installs and redownloads, in the first window.
  static let installs = 1
  static let redownloads = 2
  static let reengagements = 3
  static let assists = 4
  static let others = 5
  static let views = 6
  static let clicks = 7
  /// Further valid copies, and those of them that contradict the first.
  static let repeats = 8
  static let conflicts = 9
  /// Winning postbacks with neither a fine nor a coarse value.
  static let valueNull = 10
  /// Those of them whose version knows coarse values.
  static let coarseNull = 11
  static let valueRefused = 12
  static let coarseLow = 13
  static let coarseMedium = 14
  static let coarseHigh = 15
  static let fine = 16

  static let names =
    [
      "postbacks", "installs", "redownloads", "reengagements", "assists", "others", "views", "clicks",
      "repeats",
      "conflicts", "value_null", "coarse_null", "value_refused", "coarse_low", "coarse_medium", "coarse_high",
    ] + (0...63).map { "v\($0)" }
}

/// Counts that are added to one row of the campaign table.
struct TotalsIncrement {
  private(set) var counts = [Int64](repeating: 0, count: TotalsColumn.names.count)

  /// Counts the first valid copy of a conversion.
  mutating func add(_ postback: VerifiedPostback) {
    let facts = postback.attested
    counts[TotalsColumn.postbacks] += 1
    if facts.window == .first { counts[Self.column(of: facts.outcome)] += 1 }
    switch facts.interaction ?? postback.claimed.interaction {
    case .view: counts[TotalsColumn.views] += 1
    case .click: counts[TotalsColumn.clicks] += 1
    case nil: break
    }
    guard facts.outcome != .assist else { return }
    switch postback.claimed.value {
    case .fine(let value): counts[TotalsColumn.fine + Int(value.number)] += 1
    case .coarse(.low): counts[TotalsColumn.coarseLow] += 1
    case .coarse(.medium): counts[TotalsColumn.coarseMedium] += 1
    case .coarse(.high): counts[TotalsColumn.coarseHigh] += 1
    case .refused: counts[TotalsColumn.valueRefused] += 1
    case .absent:
      counts[TotalsColumn.valueNull] += 1
      if facts.version.hasWindows { counts[TotalsColumn.coarseNull] += 1 }
    }
  }

  /// Counts a further copy.
  mutating func addCopy(isConflict: Bool) {
    counts[isConflict ? TotalsColumn.conflicts : TotalsColumn.repeats] += 1
  }

  private static func column(of outcome: Outcome) -> Int {
    switch outcome {
    case .install: TotalsColumn.installs
    case .redownload: TotalsColumn.redownloads
    case .reengagement: TotalsColumn.reengagements
    case .assist: TotalsColumn.assists
    case .other: TotalsColumn.others
    }
  }
}
