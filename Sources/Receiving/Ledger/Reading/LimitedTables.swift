import Postbacks
import SQLite

/// The tables of a database as a reader sees them that is limited to networks: temporary views in the place of all of them.
///
/// A statement finds a temporary view before the table of its name. A table that is not named here is empty, so that one which
/// a later layout adds shows nothing until a developer has decided what of it is of networks.
///
/// Source: <https://www.sqlite.org/lang_naming.html>
enum LimitedTables {
  private static let ofNumber =
    "network IN (SELECT id FROM main.network WHERE identifier IN temp.limited_network)"
  private static let ofName = "network IN temp.limited_network"
  private static let ofApp = "app IN (SELECT app FROM main.fact_source WHERE \(ofNumber))"

  /// The rows of each table that are left.
  private static let conditions: [String: String] = [
    "network": "identifier IN temp.limited_network",
    "postback": ofNumber, "arrival_hour": ofNumber, "fact_source": ofNumber, "copy_total": ofNumber,
    "spend": ofName,
    // A name without a network is that of an app.
    "campaign_name": "\(ofName) OR (network = '' AND \(ofApp))",
    "mapping_version": ofApp,
    // A block has the postbacks of all networks, and a count leaves out those of other ones.
    "postback_facts": "1",
    // What rows that are left have numbers for, rates, and moments of the service.
    "publisher": "1", "marketplace": "1", "rate": "1", "last_time": "1",
    "chosen_money": "1",
  ]

  /// Leaves a connection what is of some networks.
  static func leave(
    _ networks: [AdNetworkID], on connection: borrowing LedgerDatabase
  ) throws(LedgerError) {
    try connection.execute(
      "PRAGMA temp_store = MEMORY; CREATE TEMP TABLE limited_network(identifier TEXT PRIMARY KEY)")
    let insert = try connection.prepare("INSERT OR IGNORE INTO temp.limited_network VALUES (?1)")
    for network in networks { try insert.run(network.canonical) }
    let names = try connection.prepare(
      "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_'"
    ).rows { $0.text(0) ?? "" }
    for name in names {
      let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
      try connection.execute(
        "CREATE TEMP VIEW \(quoted) AS SELECT * FROM main.\(quoted) WHERE \(conditions[name] ?? "0")")
    }
  }
}
