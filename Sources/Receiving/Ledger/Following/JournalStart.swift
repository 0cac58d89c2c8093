import SQLite

/// What a database had when a journal began with it: the first change of such a journal.
///
/// A node begins with a copy of that database, or with a later one; from any other it would never have the rows of before.
struct JournalStart: LedgerChange, Hashable {
  static let kind = ChangeKind.journalStart

  let postbacks: Int64
  /// The sum of their moments of arrival, which other rows hardly have too.
  let sumOfMoments: Int64

  func apply(on connection: borrowing Connection) throws(SQLiteError) {}

  func write(to bytes: inout ChangeEncoder) { bytes.add(postbacks, sumOfMoments) }
}

extension JournalStart {
  /// What a database has.
  init(of connection: borrowing Connection) throws(SQLiteError) {
    self.init(
      postbacks: try connection.integer("SELECT count(*) FROM postback") ?? 0,
      // Seconds, because the sum of milliseconds is too large from some million rows on.
      sumOfMoments: try connection.integer("SELECT sum(received_at / 1000) FROM postback") ?? 0)
  }

  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(postbacks: try bytes.next(), sumOfMoments: try bytes.next())
  }
}
