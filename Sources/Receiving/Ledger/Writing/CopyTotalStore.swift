import SQLite

/// What copies of postbacks are counted by: a day of arrival, and what a copy itself has.
struct CopyCell: Hashable {
  /// UTC day of arrival, counted from 1970-01-01.
  let day: Int32
  let source: PostbackFacts.Source
  let campaign: String
}

/// Further valid copies of conversions, by whether they disagree with the first.
struct CopyCount {
  var repeats: Int64 = 0
  var conflicts: Int64 = 0
}

/// Adds to the counts of copies.
final class CopyTotalStore {
  private let addition: LedgerStatement

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    addition = try connection.prepare(
      """
      INSERT INTO copy_total(
        day, environment, app, network, version, campaign, window, outcome, repeats, conflicts)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      ON CONFLICT DO UPDATE SET repeats = repeats + excluded.repeats,
        conflicts = conflicts + excluded.conflicts
      """)
  }

  func add(_ count: CopyCount, to cell: CopyCell) throws(LedgerError) {
    let source = cell.source
    try addition.run(
      Int64(cell.day), source.environment, source.app, source.network, source.version, cell.campaign,
      source.window, source.outcome, count.repeats, count.conflicts)
  }
}
