import SQLite

/// Writes changes into a database file, each in a transaction of its own, while others write it too.
package struct LedgerFile: ChangeWriter, Sendable {
  package let path: String
  private let makesFile: Bool
  private let journal: LedgerJournal?

  /// Names a database, and makes it when it is missing.
  ///
  /// - Parameter journal: The journal that it follows, through which changes go.
  /// - Throws: ``LedgerError`` when it can't be opened or must not be written.
  package init(path: String, journal: LedgerJournal? = nil) throws(LedgerError) {
    self.path = path
    self.journal = journal
    makesFile = journal == nil
    if journal == nil { _ = try LedgerWriter.open(path, LedgerSettings()) }
  }

  private init(existing path: String) {
    self.path = path
    makesFile = false
    journal = nil
  }

  /// A database that others have made; where it is missing, nothing can be written.
  package static func existing(_ path: String) -> Self { Self(existing: path) }

  package func write<Change: LedgerChange>(_ change: Change) throws(LedgerError) -> Change.Outcome {
    if let journal {
      var settings = LedgerSettings()
      settings.journal = journal
      return try LedgerWriter(path: path, settings: settings, makesFile: false).write(change)
    }
    let connection = try LedgerWriter.open(path, LedgerSettings(), makesFile: makesFile)
    return try connection.transaction { () throws(LedgerError) in try change.apply(on: connection) }
  }
}
