import Postbacks
import SQLite

/// Compares the sums that reports read with the rows that they are the sums of.
enum TotalsAudit {
  private static let dimensions = "day, environment, app, network, version, campaign, window"

  /// What does not agree, a sentence each.
  static func contradictions(on connection: borrowing Connection) throws(SQLiteError) -> [String] {
    var found: [String] = []
    let cells = try connection.integer(cellSQL) ?? 0
    if cells > 0 {
      found.append("the totals of \(cells) campaign days differ from the sum of their postbacks")
    }
    let hours = try connection.integer(hourSQL) ?? 0
    if hours > 0 {
      found.append("the counts of \(hours) values by hour differ from the sum of their postbacks")
    }
    return found
  }

  /// Counts the cells in which any column differs; copies are not in it, because no row tells their day.
  private static var cellSQL: String {
    let columns = TotalsColumn.allCases.filter { condition($0) != nil }
    let sums = columns.compactMap { column in condition(column).map { "sum(\($0)) AS \(column.rawValue)" } }
    let names = columns.map(\.rawValue)
    return """
      SELECT count(*) FROM (
        SELECT 1 FROM (
          SELECT received_at / 86400000 AS day, environment, app, network, version, campaign, window,
            \(sums.joined(separator: ", ")) FROM postback GROUP BY 1, 2, 3, 4, 5, 6, 7
          UNION ALL
          SELECT \(dimensions), \(names.map { "-\($0)" }.joined(separator: ", "))
          FROM campaign_cell JOIN campaign_total ON cell = campaign_cell.id)
        GROUP BY \(dimensions) HAVING \(names.map { "sum(\($0)) <> 0" }.joined(separator: " OR ")))
      """
  }

  /// The postbacks that count in a column, as a condition that is never NULL.
  private static func condition(_ column: TotalsColumn) -> String? {
    let versions = ProtocolVersion.allCases.filter(\.hasWindows).map { "\($0.code)" }.joined(separator: ", ")
    return switch column {
    case .postbacks: "1"
    case .installs: "window = 0 AND outcome = 0"
    case .redownloads: "window = 0 AND outcome = 1"
    case .reengagements: "window = 0 AND outcome = 2"
    case .assists: "window = 0 AND outcome = 3"
    case .others: "window = 0 AND outcome = 4"
    case .views: "interaction IS 0"
    case .clicks: "interaction IS 1"
    case .repeats, .conflicts: nil
    case .valueNull: "outcome <> 3 AND value IS NULL"
    case .coarseNull: "outcome <> 3 AND value IS NULL AND version IN (\(versions))"
    case .valueRefused: "outcome <> 3 AND value IS -1"
    case .coarseLow: "outcome <> 3 AND value IS 64"
    case .coarseMedium: "outcome <> 3 AND value IS 65"
    case .coarseHigh: "outcome <> 3 AND value IS 66"
    }
  }

  private static let hourSQL = """
    SELECT count(*) FROM (
      SELECT slot FROM (
        SELECT c.id * 4096 + (p.received_at / 3600000 % 24) * 128
            + CASE WHEN p.value IS NULL THEN 68 WHEN p.value < 0 THEN 67 ELSE p.value END AS slot, count(*) AS n
        FROM postback p JOIN campaign_cell c
          ON c.day = p.received_at / 86400000 AND c.environment = p.environment AND c.app = p.app
            AND c.network = p.network AND c.version = p.version AND c.campaign = p.campaign AND c.window = p.window
        WHERE p.outcome <> 3 GROUP BY slot
        UNION ALL SELECT id, -postbacks FROM value_hour)
      GROUP BY slot HAVING sum(n) <> 0)
    """
}
