import Postbacks
import SQLite

extension LedgerReader {
  /// The ids of the networks that a production postback names, in lower case and in order.
  package func networksThatSent() throws(LedgerError) -> [String] {
    var rows: [Int64] = []
    let statement = try connection.prepare(
      """
      SELECT DISTINCT network FROM arrival_hour
      WHERE environment = ?1 AND network <> 0 AND first + repeated + conflicting > 0
      """)
    try statement.bind(Environment.production.code)
    try statement.forEachRow { rows.append($0.count(0)) }
    return rows.compactMap { networks[$0] }.sorted()
  }
}
