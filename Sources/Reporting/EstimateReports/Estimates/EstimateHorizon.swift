import Ledger
import Mappings
import Tables
import Values

/// Up to when after the install an estimate counts what users pay or do.
package enum EstimateHorizon: Hashable, Comparable, Sendable {
  /// The hours since install that a fine value can show.
  case hours(Int)
  /// The days since install that were asked for.
  case days(Int)
  /// Until the timer of the last rise ends; SKAdNetwork 3 without a measurement window.
  case timer

  var sentence: Sentence {
    switch self {
    case .hours(let hours):
      Sentence("within \(hours, "hour") of the install, which window 1 shows (\(code: columnText))")
    case .days(let days):
      Sentence("within \(days, "day") of the install (\(code: columnText)), by own users with the same value")
    case .timer: Sentence("until the timer of SKAdNetwork 3 ends (\(code: columnText))")
    }
  }

  init(_ horizon: WorthHorizon, _ mapping: Mapping) {
    self =
      switch horizon {
      case .days(let days): .days(days)
      case .firstWindow: mapping.fineHours.map { .hours($0) } ?? .timer
      }
  }
}

extension EstimateHorizon: ColumnKey {
  package var columnText: String {
    switch self {
    case .hours(let hours): "\(hours)h"
    case .days(let days): "\(days)d"
    case .timer: "window-1"
    }
  }
}
