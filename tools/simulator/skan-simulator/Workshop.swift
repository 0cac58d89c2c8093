import Intake
import JSONText
import Ledger
import Postbacks
import SQLite
import System
import Values
import Verification

/// What operators do at the command line to a copy of a node's database that nothing else writes.
struct Workshop {
  private let terminal: Terminal
  private let path: String
  private let folder: String
  private var history: History { terminal.node.setting.history }

  init(_ node: SimulatedNode) throws {
    terminal = Terminal(node: node)
    folder = node.setting.folder + "/workshop"
    _ = try Folder(making: folder)
    path = folder + "/copy.db"
    try LedgerUpkeep(path: node.database).copy(to: path)
    try JournalMembership.end(of: path)
  }

  /// Imports, changes, prunes, takes back and repairs; a recount has to find nothing at the end.
  func work(_ bodies: inout Bodies, _ random: inout SplitMix64) throws {
    try ingest(&bodies)
    for (name, text) in Self.files { try SimulatedService.write(text, to: "\(folder)/\(name)") }
    for (words, code) in Self.commands { try run(words, expecting: code) }
    try terminal.recount(path, expecting: true)
    try spoil(random.number(below: Self.damages.count))
    try terminal.recount(path, expecting: false)
    try terminal.recount(path, expecting: false, repairs: true)
    try terminal.recount(path, expecting: true)
  }

  private func run(_ words: [String], expecting code: Int32) throws {
    let words = words.map { $0.replacing("FOLDER", with: folder) }
    let found = terminal.run(words + ["-d", path])
    history.note(
      "worked",
      [
        .init("words", .string(words.joined(separator: " "))), .init("code", .integer(Int64(found.code))),
        .init("expected", .integer(Int64(code))), .init("problems", .string(found.problems)),
        .init("output", .string(String(found.output.prefix(300)))),
      ])
  }

  /// Imports a file twice, and takes the second import of other bodies back.
  private func ingest(_ bodies: inout Bodies) throws {
    let keyring = terminal.node.setting.keyring
    let made = try (0..<300).map { _ in try bodies.new() }
    var copies = try (0..<20).map { _ in try bodies.contradicting() }
    copies += [try bodies.forged(), bodies.malformed()]
    for (name, file) in [("first", made + copies), ("again", made), ("wrong", [try bodies.new()])] {
      var rest = [Array(file.joined(separator: [0x0A]))][...]
      let summary = try BulkIngest(keyring: keyring, database: path, threads: 2).run(
        from: Origin(.file), clock: terminal.node.clock, next: { rest.popFirst() }, onProgress: { _ in true })
      history.note(
        "ingested",
        [
          .init("file", .string(name)), .init("bodies", .integer(Int64(file.count))),
          .init("first", .integer(Int64(summary.first))),
          .init("others", .integer(Int64(summary.copies + summary.conflicts))),
          .init("rejected", .integer(Int64(summary.rejected.values.reduce(0, +)))),
        ])
      guard name == "wrong", let number = summary.run else { continue }
      try run(["ingest", "--undo", "\(number)"], expecting: 0)
    }
  }

  private static let damages = [
    "UPDATE postback SET received_at = received_at + 86400000 WHERE id = (SELECT max(id) FROM postback)",
    "UPDATE postback SET campaign = '99' WHERE id = 1",
    "UPDATE arrival_hour SET first = first + 1",
    "DELETE FROM copy_total",
    "UPDATE rejected_total SET seen = seen + 1",
  ]

  private func spoil(_ number: Int) throws {
    try Connection(path: path, mode: .readWrite).execute(Self.damages[number])
  }

  private static let files = [
    (
      "appsflyer.csv",
      """
      app_id,timestamp,skad_transaction_id,skad_version,skad_ad_network_id,skad_campaign_id,skad_conversion_value,\
      skad_redownload,event_name,skad_did_win,skad_postback_sequence_index
      525463029,2026-11-21 12:00:00,6aafb7a5-0170-41b5-bbe4-fe71dedf1e28,4.0,example123.skadnetwork,17,12,false,,true,0
      525463029,2026-11-21 13:00:00,6aafb7a5-0170-41b5-bbe4-fe71dedf1e29,4.0,example123.skadnetwork,17,,false,,true,0
      525463029,2026-11-21 13:00:00,,,,,,,af_purchase,,

      """
    ),
    (
      "spend.csv",
      """
      Day;Network;Campaign;Cost;Currency;Clicks
      21.11.2026;example123.skadnetwork;17;1234,50;EUR;12
      22.11.2026;example123.skadnetwork;17;2000,00;EUR;1
      22.11.2026;example123.skadnetwork;17;1,00;EUR;3

      """
    ),
    ("wrong.csv", "date,network,campaign,amount,currency\n2026-11-21,example123.skadnetwork,17,much,EUR\n"),
    (
      "events.csv",
      "user,time,event,revenue\n"
        + (0..<40).map { user in
          "u\(user),2026-10-\(10 + user % 20)T08:00:00Z,install,\nu\(user),2026-10-\(10 + user % 20)T0\(8 + user % 2):30:00Z,buy,\(user % 3)\n"
        }.joined() + "u99,2026-12-30T08:00:00Z,install,\n"
    ),
    (
      "mapping.json",
      """
      {"name":"workshop","app":525463029,"currency":"EUR","effective-from":"2020-01-01","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1}},{"value":1,"revenue":{"from":1,"to":3}}]}
      """
    ),
  ]

  private static let commands: [([String], Int32)] = [
    (["ingest", "--from", "appsflyer-raw", "FOLDER/appsflyer.csv"], 1),
    (["mapping", "load", "FOLDER/mapping.json"], 0),
    (["mapping", "list"], 0),
    (["mapping", "history", "--app", "525463029"], 0),
    (["mapping", "drafts"], 0),
    (
      [
        "spend", "import", "--columns",
        "date=Day,network=Network,campaign=Campaign,amount=Cost,currency=Currency",
        "--time-format", "day-first", "FOLDER/spend.csv",
      ], 0
    ),
    (["spend", "import", "FOLDER/wrong.csv"], 65),
    (["users", "import", "--app", "525463029", "--events", "FOLDER/events.csv", "--horizon", "7"], 0),
    (["users", "list"], 0),
    (["token", "create", "--reader", "someone"], 0),
    (["token", "create", "--editor", "another", "--valid-for", "90d"], 0),
    (["token", "create", "--network", "example", "--hmac"], 0),
    (["token", "create", "--test-inbox"], 0),
    (["token", "list"], 0),
    (["names", "propose"], 0),
    (["money", "--currency", "EUR"], 0),
    (["money", "--usual"], 0),
    (["report", "estimates", "--horizon", "7"], 0),
    (["report", "estimates", "--by", "day"], 0),
    (["report", "campaigns", "--environment", "claimed"], 0),
    (["report", "postbacks", "--format", "csv"], 0),
    (["digest", "--week", "2027-01-12"], 0),
    (["export", "--to", "FOLDER/export"], 0),
    (["relay", "status"], 0),
    (["relay", "retry", "all", "--dead-letters"], 0),
    (["spend", "remove", "--from", "2026-11-22", "--yes"], 0),
    (["users", "remove", "--all", "--yes"], 0),
    (["prune", "--older-than", "1d"], 0),
    (["backup", "FOLDER/backup.db"], 0),
  ]
}
