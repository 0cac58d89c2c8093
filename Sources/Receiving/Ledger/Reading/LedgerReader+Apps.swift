public import Postbacks
import SQLite

extension LedgerReader {
  /// The advertised apps of an environment, by number.
  ///
  /// - Complexity: Linear in the number of days with postbacks and their apps; it steps over all other rows.
  public func apps(in environment: Environment) throws(LedgerError) -> [AppID] {
    try asLedger { () throws(SQLiteError) in
      var apps: [AppID] = []
      try connection.prepare(
        """
        WITH RECURSIVE
          days(day) AS (
            SELECT min(day) FROM campaign_cell
            UNION ALL SELECT (SELECT min(c.day) FROM campaign_cell c WHERE c.day > d.day)
            FROM days d WHERE d.day IS NOT NULL),
          apps(day, app) AS (
            SELECT d.day, (SELECT min(c.app) FROM campaign_cell c
              WHERE c.day = d.day AND c.environment = \(environment.code))
            FROM days d WHERE d.day IS NOT NULL
            UNION ALL SELECT a.day, (SELECT min(c.app) FROM campaign_cell c
              WHERE c.day = a.day AND c.environment = \(environment.code) AND c.app > a.app)
            FROM apps a WHERE a.app IS NOT NULL)
        SELECT DISTINCT app FROM apps WHERE app IS NOT NULL ORDER BY app
        """
      ).forEachRow { row in
        if let app = AppID(row.count(0)) { apps.append(app) }
      }
      return apps
    }
  }
}
