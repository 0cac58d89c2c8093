import SQLite

/// What a database had when a journal began with it: the first change of such a journal.
///
/// A node begins with a copy of that database, or with a later one; from any other it would never have the rows of before.
struct JournalStart: LedgerChange, Equatable {
  static let kind = ChangeKind.journalStart
  /// What an empty database has.
  static let nothing = JournalStart(postbacks: 0, sumOfMoments: 0, otherRows: 0)

  let postbacks: Int64
  /// The sum of their moments of arrival, which other rows hardly have too.
  let sumOfMoments: Int64
  /// Rows of all other tables, but those of this database alone.
  let otherRows: Int64

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {}

  static let form = Form(Self.init) { ($0.postbacks, $0.sumOfMoments, $0.otherRows) }
}

extension JournalStart {
  /// Tables that are about the following of a journal.
  static let ownTables: Set<String> = [
    "journal_place", "journal_node", "lease", "unapplied_change", "checkpoint", "checkpoint_difference",
  ]

  /// What a database has.
  init(of connection: borrowing LedgerDatabase) throws(LedgerError) {
    let tables = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'key_*'"
    ).rows { $0.text(0) ?? "" }
    var otherRows: Int64 = 0
    for table in tables where table != "postback" && !Self.ownTables.contains(table) {
      otherRows += try connection.integer("SELECT count(*) FROM \(table)") ?? 0
    }
    self.init(
      postbacks: try connection.integer("SELECT count(*) FROM postback") ?? 0,
      // Seconds, because the sum of milliseconds is too large from some million rows on.
      sumOfMoments: try connection.integer("SELECT sum(received_at / 1000) FROM postback") ?? 0,
      otherRows: otherRows)
  }
}
