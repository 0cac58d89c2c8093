import Postbacks
import Values
import Verification

/// What the totals are kept by: one row of the table of cells.
struct CampaignCell: Hashable {
  /// UTC day of arrival, counted from 1970-01-01.
  let day: Int32
  let environment: Int64
  let app: Int64
  let network: Int64
  let version: Int64
  let campaign: String
  let window: Int64
  let outcome: Int64
}

/// The columns of the table of totals, in their order there.
///
/// Only postbacks that won carry a value. Each of those counts in exactly one of the value columns or as a fine
/// value, which only the table of hours distinguishes; together these give the number of winning postbacks.
enum TotalsColumn: String, CaseIterable {
  case postbacks
  case views, clicks
  // Further valid copies, by whether they disagree with the first.
  case repeats, conflicts
  /// Winning postbacks with neither a fine nor a coarse value.
  case valueNull = "value_null"
  /// Those of them whose version knows coarse values.
  case coarseNull = "coarse_null"
  case valueRejected = "value_rejected"
  case coarseLow = "coarse_low"
  case coarseMedium = "coarse_medium"
  case coarseHigh = "coarse_high"

  /// The column's place among the counts.
  var place: Int { Self.places[self] ?? 0 }

  private static let places = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($0.element, $0.offset) })
}

/// Counts that are added to one cell.
struct CampaignIncrement {
  private(set) var counts = [Int64](repeating: 0, count: TotalsColumn.allCases.count)
  /// Winning postbacks by hour of the UTC day and value: the hour times 128 and the value's slot.
  private(set) var values: [Int64: Int64] = [:]

  /// Counts the first valid copy of a conversion.
  mutating func add(_ postback: VerifiedPostback, receivedAt: Instant) {
    let facts = postback.attested
    count(.postbacks)
    switch facts.interaction ?? postback.claimed.interaction {
    case .view: count(.views)
    case .click: count(.clicks)
    case nil: break
    }
    guard facts.outcome != .assist else { return }
    values[receivedAt.hourOfDay * 128 + postback.claimed.value.slot, default: 0] += 1
    switch postback.claimed.value {
    case .fine: break
    case .coarse(.low): count(.coarseLow)
    case .coarse(.medium): count(.coarseMedium)
    case .coarse(.high): count(.coarseHigh)
    case .rejected: count(.valueRejected)
    case .absent:
      count(.valueNull)
      if facts.version.hasWindows { count(.coarseNull) }
    }
  }

  /// Counts a further copy.
  mutating func addCopy(isConflict: Bool) { count(isConflict ? .conflicts : .repeats) }

  private mutating func count(_ column: TotalsColumn) { counts[column.place] += 1 }
}
