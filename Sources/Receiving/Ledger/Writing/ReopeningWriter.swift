import SQLite

/// The writer, and how to get another one where its file went away.
final class ReopeningWriter {
  private let path: String
  private let settings: LedgerSettings
  private let reader: KeptReader
  private var writer: LedgerWriter?
  private(set) var files = PostbackLedger.Files()

  init(path: String, settings: LedgerSettings, _ reader: KeptReader) throws(LedgerError) {
    // No other owner holds it, so that it is closed before its successor is opened.
    writer = try LedgerWriter(path: path, settings: settings)
    self.path = path
    self.settings = settings
    self.reader = reader
  }

  /// Follows the journal to its end, in steps.
  func catchUp(_ note: (JournalProgress) -> Void) throws(LedgerError) {
    while let progress = try use({ writer throws(LedgerError) in try writer.follow() }) {
      note(progress)
      guard !progress.isAtEnd else { return }
    }
  }

  private func opened() throws(LedgerError) -> LedgerWriter {
    if let writer { return writer }
    do throws(LedgerError) {
      // A missing file is not made anew, or a mistake of moving files would end in two halves of a database.
      let reopened = try LedgerWriter(path: path, settings: settings, makesFile: false)
      writer = reopened
      files.obstacle = nil
      return reopened
    } catch {
      if case .storage(let cause) = error, cause.family == .cannotOpen { throw .moved }
      throw error
    }
  }

  /// Does something with the writer, which is closed where its files are gone, and opened again by the next call.
  func use<Value>(_ work: (LedgerWriter) throws(LedgerError) -> Value) throws(LedgerError) -> Value {
    do throws(LedgerError) {
      return try work(opened())
    } catch {
      guard error == .moved || error == .foreignLog else { throw error }
      if files.obstacle == nil { files.losses += 1 }
      files.obstacle = error
      // Nothing of this process may have the old file when the new one is opened.
      reader.close()
      // What only the log has is moved first, however many tries it takes.
      if error == .foreignLog || writer?.salvageLog() ?? true { writer = nil }
      throw error
    }
  }
}
