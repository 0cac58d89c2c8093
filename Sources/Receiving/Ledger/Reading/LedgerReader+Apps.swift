public import Postbacks
import SQLite

extension LedgerReader {
  /// The advertised apps of an environment, by number.
  public func apps(in environment: Environment) throws(LedgerError) -> [AppID] {
    try asLedger { () throws(SQLiteError) in
      try connection.prepare(
        "SELECT DISTINCT app FROM fact_source WHERE environment = \(environment.code) ORDER BY app"
      ).rows { AppID($0.count(0)) }
    }
  }
}
