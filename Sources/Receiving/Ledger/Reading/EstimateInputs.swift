import Postbacks
import SQLite

/// What estimates follow from, of what a database stores: equal only while all of it is the same.
///
/// Spend, names and rates are no part of it: they are read for each question. Nor are repairs of totals, during which no
/// service has the database.
package struct EstimateInputs: Hashable, Sendable {
  /// The database and the reader's limit.
  package let source: String
  /// The newest conversion; conversions are only added.
  let newestPostback: Int64
  /// Mappings, own users, imports that were taken back, and when sample data were made.
  let others: Int

  /// Whether everything but conversions is the same.
  package func areOlder(than other: Self) -> Bool {
    source == other.source && others == other.others && newestPostback <= other.newestPostback
  }
}

extension LedgerReader {
  /// The database, and what is left out of it.
  var source: String { "\(path) \(limit.appsText ?? "") \(limit.networksText ?? "")" }

  /// What estimates follow from now; inside of ``consistently(_:)`` it is that of the state there.
  ///
  /// - Complexity: Linear in what is known of own users.
  package func estimateInputs() throws(LedgerError) -> EstimateInputs {
    var hasher = Hasher()
    for question in Self.inputs {
      let statement = try connection.prepare(question.sql)
      try statement.forEachRow { row in
        for column in 0..<question.columns { hasher.combine(row.text(column)) }
      }
      hasher.combine(question.sql)
    }
    return EstimateInputs(
      source: source,
      newestPostback: try connection.integer("SELECT max(id) FROM main.postback") ?? 0,
      others: hasher.finalize())
  }

  /// What a limited reader does not see makes no other estimate, and costs no look here.
  private static let inputs: [(sql: String, columns: Int32)] = [
    ("SELECT source, app, effective_from, digest FROM main.mapping_version ORDER BY app, effective_from", 4),
    ("SELECT * FROM main.value_worth ORDER BY app, effective_from, horizon, value", 10),
    // The sums of their users are in the rows before; amounts of as many users with the same sums are the same but for these.
    (
      """
      SELECT count(*), sum(users), sum(users * (micros % 1000003)), sum((value + 1) * (micros % 1009) * users)
      FROM main.worth_amount
      """, 4
    ),
    ("SELECT * FROM main.within_value ORDER BY app, effective_from, horizon, slope, spread", 7),
    ("SELECT * FROM main.final_hour ORDER BY app, effective_from, value, hour", 5),
    ("SELECT count(withdrawn_at), max(withdrawn_at) FROM main.import_run", 2),
    ("SELECT at FROM main.last_time WHERE event = '\(LastEvent.sampleMade.rawValue)'", 1),
    ("SELECT level FROM main.journal_place", 1),
  ]
}
