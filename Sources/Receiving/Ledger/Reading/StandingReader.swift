import System

/// A reader that stays open from question to question: opening one reads the whole layout of the database.
///
/// Threads take turns, so questions have to be short. Each sees what is stored by then.
final class StandingReader: Sendable {
  private struct Kept {
    var reader: LedgerReader?
    var hasEnded = false
  }

  private let path: String
  private let kept = Guarded(Kept())

  init(path: String) { self.path = path }

  /// Asks the reader, which is opened where it is not, and after its file was removed or replaced or a question failed.
  func read<Value: Sendable>(
    _ question: @Sendable (LedgerReader) throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value {
    try kept.withLock { kept throws(LedgerError) in
      if kept.reader?.hasItsFile == false { kept.reader = nil }
      let standing = kept.reader
      kept.reader = nil
      let reader: LedgerReader
      if let standing {
        reader = standing
        try reader.takeUpNetworks()
      } else {
        reader = try LedgerReader(path: path)
      }
      let value = try question(reader)
      if !kept.hasEnded { kept.reader = reader }
      return value
    }
  }

  /// Closes the reader until the next question, so that its file can be opened anew.
  func close() { kept.withLock { $0.reader = nil } }

  /// Closes the reader; from now on each question opens one of its own.
  func end() { kept.withLock { $0 = Kept(hasEnded: true) } }
}
