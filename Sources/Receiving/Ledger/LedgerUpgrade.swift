/// Gives a database of an earlier layout this program's, before anything else opens it.
public enum LedgerUpgrade {
  /// Takes the steps that a database lacks, and puts what was stored into columns.
  ///
  /// Each few hundred thousand postbacks are a transaction, so that what was done stays done when it is ended. The
  /// next writer that opens the database does the rest.
  ///
  /// - Parameters:
  ///   - path: The database file, made when it is missing.
  ///   - journal: The journal that the database follows; `nil` for none.
  ///   - onProgress: Takes how many postbacks are in columns, of how many; it is not called where all are.
  package static func run(
    path: String, following journal: LedgerJournal? = nil, _ onProgress: (Int64, Int64) -> Void
  ) throws(LedgerError) {
    var settings = LedgerSettings()
    settings.journal = journal
    _ = try LedgerWriter.open(
      path, settings, onUpgrade: { onProgress($0 * FactBlocks.rows, $1 * FactBlocks.rows) })
  }
}
