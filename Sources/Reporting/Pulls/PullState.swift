package import Ledger
package import Values

/// What the database knows of the runs of a pull.
package struct PullState: Equatable, Sendable {
  package let lastSuccess: Instant?
  package let lastFailure: Instant?
  /// The first day that is not read yet; `nil` where none is.
  package let upTo: Day?
  /// When a run began of which nothing is known since; `nil` where the last run ended.
  ///
  /// It goes on, or the program died.
  package let unfinished: Instant?

  package init(lastSuccess: Instant?, lastFailure: Instant?, upTo: Day?, unfinished: Instant? = nil) {
    (self.lastSuccess, self.lastFailure, self.upTo) = (lastSuccess, lastFailure, upTo)
    self.unfinished = unfinished
  }

  package init(of pull: String, in reader: LedgerReader) throws(LedgerError) {
    lastSuccess = try reader.last(.pulled(pull))
    lastFailure = try reader.last(.pullFailed(pull))
    upTo = try reader.last(.pulledUpTo(pull))?.day
    let ends = [lastSuccess, lastFailure, .ended].compactMap(\.self)
    unfinished = try reader.last(.pullBegun(pull)).flatMap { begun in
      ends.allSatisfy { $0 < begun } ? begun : nil
    }
  }
}

extension ChangeWriter {
  /// Notes that a run of a pull begins, so that one with which the program dies is not begun again at once.
  func note(begunPull pull: String, at now: Instant) throws(LedgerError) {
    try note(.pullBegun(pull), at: now)
  }

  /// Notes that a run was asked to end, so that the next start begins it again.
  func note(endedPull pull: String) throws(LedgerError) { try note(.pullBegun(pull), at: .ended) }

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

extension Instant {
  /// In the place of the beginning of a run that was asked to end: before every run.
  fileprivate static let ended = Instant(milliseconds: 0)
}
