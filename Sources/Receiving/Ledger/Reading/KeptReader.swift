import System

/// A reader that stays open from question to question: opening one reads the whole layout of the database.
///
/// Threads take turns, so questions have to be short. Each sees what is stored by then.
package final class KeptReader: Sendable {
  private struct State {
    var reader: LedgerReader?
    var hasEnded = false
  }

  private let path: String
  private let state = Guarded(State())

  package init(path: String) { self.path = path }

  /// Asks the reader, which is opened where it is not, and after its file was removed or replaced or a question failed.
  package func read<Value: Sendable>(
    _ question: @Sendable (LedgerReader) throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value {
    try state.withLock { state throws(LedgerError) in
      // Closed before another one is opened: two files of one name must not be open at once.
      if state.reader?.hasItsFile == false { state.reader = nil }
      let open = state.reader.take()
      try open?.takeUpNetworks()
      let reader: LedgerReader
      if let open { reader = open } else { reader = try LedgerReader(path: path) }
      let value = try question(reader)
      if !state.hasEnded { state.reader = reader }
      return value
    }
  }

  /// Closes the reader until the next question, so that its file can be opened anew.
  package func close() { state.withLock { $0.reader = nil } }

  /// Closes the reader; from now on each question opens one of its own.
  func end() { state.withLock { $0 = State(hasEnded: true) } }
}
