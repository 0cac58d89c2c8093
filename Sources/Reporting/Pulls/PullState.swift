package import Ledger
package import Values

/// What the database knows of the runs of a pull.
package struct PullState: Equatable, Sendable {
  package let lastSuccess: Instant?
  package let lastFailure: Instant?
  /// The first day that is not read yet; `nil` where none is.
  package let upTo: Day?

  package init(lastSuccess: Instant?, lastFailure: Instant?, upTo: Day?) {
    (self.lastSuccess, self.lastFailure, self.upTo) = (lastSuccess, lastFailure, upTo)
  }

  package init(of pull: String, in reader: LedgerReader) throws(LedgerError) {
    lastSuccess = try reader.last(.pulled(pull))
    lastFailure = try reader.last(.pullFailed(pull))
    upTo = try reader.last(.pulledUpTo(pull))?.day
  }
}

extension ChangeWriter {
  /// Notes that days of a pull are stored, of which the first may come after some that are not.
  package func note(
    pull: String, stored days: Range<Day>, after state: PullState, at now: Instant
  ) throws(LedgerError) {
    try note(.pulled(pull), at: now)
    // Days that are asked for by hand leave no gap in what was read.
    guard state.upTo.map({ days.lowerBound <= $0 && $0 < days.upperBound }) ?? true else { return }
    try note(.pulledUpTo(pull), at: days.upperBound.start)
  }
}
