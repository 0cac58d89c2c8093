package import Postbacks
package import Values

/// Takes what advertisers know into a ledger.
///
/// A row that is there already is replaced, so that a file can be imported again.
package struct ReferenceStore {
  private let changes: any ChangeWriter

  /// Writes where changes go.
  package init(_ changes: any ChangeWriter) { self.changes = changes }

  /// Opens a database, and makes it when it is missing.
  package init(path: String) throws(LedgerError) { self.init(try LedgerFile(path: path)) }

  /// The database file that shows what was written.
  package var path: String { changes.path }

  /// Stores rows, all or none, in the place of what their table's ``ReferenceTable/merge`` replaces.
  ///
  /// - Parameter moment: When they were imported, which is remembered where something changes; `nil` for rows that are no
  ///   import.
  /// - Returns: What that changed.
  /// - Throws: ``LedgerError``; then nothing has changed.
  @discardableResult
  package func put<Row: ReferenceRow>(
    _ rows: [Row], importedAt moment: Instant? = nil
  ) throws(LedgerError) -> ReferenceChanges<Row> {
    try changes.write(RowsStoring(rows: rows, importedAt: moment))
  }

  /// Removes rows by their keys, all or none.
  ///
  /// - Returns: How many there were.
  /// - Throws: ``LedgerError``; then nothing has changed.
  package func remove<Row: ReferenceRow>(_ rows: [Row]) throws(LedgerError) -> Int {
    try changes.write(RowsRemoval<Row>(keys: rows.map { Row.table.key(of: $0) }))
  }

  /// Puts what is known of an app's users in the place of what was known of the same version of its mapping, of all
  /// horizons.
  ///
  /// - Parameters:
  ///   - effectiveFrom: When the version began.
  ///   - rows: The users' revenue.
  ///   - finalHours: When their values were final.
  ///   - windowUpdates: How many of them updated later windows.
  ///   - withinValues: How far users of a value differ from group to group.
  /// - Throws: ``LedgerError``; then nothing has changed.
  package func replaceWorth(
    of app: AppID, effectiveFrom: Instant, with rows: [ValueWorthRow], finalHours: [FinalHourRow] = [],
    windowUpdates: [WindowUpdateRow] = [], withinValues: [WithinValueRow] = []
  ) throws(LedgerError) {
    try changes.write(
      WorthStoring(
        app: app, effectiveFrom: effectiveFrom, rows: rows, finalHours: finalHours,
        windowUpdates: windowUpdates, withinValues: withinValues))
  }

  /// Removes what is known of users with these values under these versions, all or nothing.
  ///
  /// - Returns: How many rows of values there were.
  /// - Throws: ``LedgerError``; then nothing has changed.
  package func remove(_ rows: [ValueWorthRow]) throws(LedgerError) -> Int {
    try changes.write(
      WorthRemoval(
        values: rows.map { WorthRemoval.Value(app: $0.app, effectiveFrom: $0.effectiveFrom, value: $0.value) }
      ))
  }

  /// Remembers an import of users, whose rows are stored by version.
  package func note(usersImportedAt moment: Instant, rows: Int) throws(LedgerError) {
    try changes.write(UsersImportNote(at: moment, rows: rows))
  }
}
