public import Postbacks
import SQLite

extension LedgerReader {
  /// The advertised apps of an environment, by number.
  public func apps(in environment: Environment) throws(LedgerError) -> [AppID] {
    try connection.prepare(
      "SELECT DISTINCT app FROM fact_source WHERE environment = \(environment.code) ORDER BY app"
    ).rows { AppID($0.count(0)) }
  }

  /// The environments that have a conversion.
  public func environmentsWithConversions() throws(LedgerError) -> Set<Environment> {
    Set(
      try connection.prepare("SELECT DISTINCT environment FROM fact_source").rows { row in
        Environment.allCases.first { $0.code == row.integer(0) }
      }.compactMap(\.self))
  }
}
