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

  var isOfCopies: Bool { self == .repeats || self == .conflicts }

  /// The column's place among the counts.
  var place: Int { Self.places[self] ?? 0 }

  private static let places = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($0.element, $0.offset) })
}

extension TotalsColumn {
  /// Visits the columns that the first valid copy of a conversion counts in.
  static func forEach(
    of outcome: Outcome, _ version: ProtocolVersion, _ value: ConversionValue, interaction: AdInteraction?,
    _ body: (TotalsColumn) -> Void
  ) {
    body(.postbacks)
    switch interaction {
    case .view: body(.views)
    case .click: body(.clicks)
    case nil: break
    }
    guard outcome != .assist else { return }
    switch value {
    case .fine: break
    case .coarse(.low): body(.coarseLow)
    case .coarse(.medium): body(.coarseMedium)
    case .coarse(.high): body(.coarseHigh)
    case .rejected: body(.valueRejected)
    case .absent:
      body(.valueNull)
      if version.hasWindows { body(.coarseNull) }
    }
  }
}

struct CampaignIncrement {
  private(set) var counts = [Int64](repeating: 0, count: TotalsColumn.allCases.count)
  /// Winning postbacks by hour of the UTC day and value: the hour times 128 and the value's slot.
  private(set) var values: [Int64: Int64] = [:]
  /// Whether further copies are among the counts.
  private(set) var hasCopies = false

  /// Counts the first valid copy of a conversion.
  mutating func add(_ postback: VerifiedPostback, receivedAt: Instant) {
    let facts = postback.attested
    TotalsColumn.forEach(
      of: facts.outcome, facts.version, postback.claimed.value,
      interaction: facts.interaction ?? postback.claimed.interaction
    ) { count($0) }
    guard facts.outcome != .assist else { return }
    values[receivedAt.hourOfDay * 128 + postback.claimed.value.slot, default: 0] += 1
  }

  mutating func addCopy(isConflict: Bool) {
    hasCopies = true
    count(isConflict ? .conflicts : .repeats)
  }

  private mutating func count(_ column: TotalsColumn) { counts[column.place] += 1 }
}
