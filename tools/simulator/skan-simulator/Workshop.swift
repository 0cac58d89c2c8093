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
  let terminal: Terminal
  let path: String
  let folder: String
  private var keyring: Keyring { terminal.node.setting.keyring }
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
    for number in 0..<8 { _ = try ReportedPurchase(number).store(in: LedgerFile(path: path)) }
    try writeFiles()
    try ingestSigned(&bodies, keyring)
    try takeOthers(&bodies, keyring)
    try run(Self.imports)
    try readWrongFiles()
    try correctFiles()
    try run(Self.reports)
    try readLimited()
    try examine(keyring)
    for damage in Self.damages + Self.moreDamages { try spoil(damage) }
    try contradict()
    try terminal.recount(path, expecting: false, repairs: true)
    try terminal.recount(path, expecting: true)
    try run(Self.removals)
    try terminal.recount(path, expecting: true)
    try spoil(Self.damages[random.number(below: Self.damages.count)])
    try terminal.recount(path, expecting: false)
    try run("1 rebuild --check")
    try terminal.recount(path, expecting: false, repairs: true)
    try terminal.recount(path, expecting: true)
  }

  /// Runs commands, and notes their exit codes; -1 where the output lacks what it should have.
  private func run(_ commands: String) throws {
    for line in commands.split(separator: "\n") {
      let parts = line.split(separator: " => ", maxSplits: 1)
      let all = parts[0].split(separator: " ").map {
        String($0).replacing("FOLDER", with: folder).replacing("NET", with: "skadnetwork")
          .replacing("~", with: " ")
      }
      let words = Array(all.dropFirst())
      let found = terminal.run(words + (words[0] == "profile" ? [] : ["-d", path]))
      let hasOutput = parts.count < 2 || found.output.contains(parts[1])
      note(
        words.joined(separator: " "), hasOutput ? Int(found.code) : -1, Int(all[0]) ?? 0, found.problems,
        String(found.output.prefix(300)))
    }
  }

  /// Notes what was done, and a figure that the judge compares with the expected one.
  func note(_ words: String, _ code: Int, _ expected: Int, _ problems: String = "", _ output: String = "") {
    history.note(
      "worked",
      [
        .init("words", .string(words)), .init("code", .integer(Int64(code))),
        .init("expected", .integer(Int64(expected))), .init("problems", .string(problems)),
        .init("output", .string(output)),
      ])
  }

  private func writeFiles() throws {
    for text in [Self.files, Self.streams] {
      for file in text.split(separator: "=== ") {
        let lines = file.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        try SimulatedService.write(
          lines.dropFirst().joined().replacing("NET", with: "skadnetwork"), to: "\(folder)/\(lines[0])")
      }
    }
    try SimulatedService.write(Self.events, to: "\(folder)/events.csv")
    try SimulatedService.write(Self.claims, to: "\(folder)/claims.csv")
  }

  /// Imports a file twice, and takes the second import of other bodies back.
  private func ingest(_ bodies: inout Bodies) throws {
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
      try run("0 ingest --undo \(number)")
    }
  }

  private static let damages = [
    "UPDATE postback SET received_at = received_at + 86400000 WHERE id = (SELECT max(id) FROM postback)",
    "UPDATE postback SET campaign = '99' WHERE id = 1",
    "UPDATE arrival_hour SET first = first + 1",
    "DELETE FROM copy_total",
    "UPDATE rejected_total SET seen = seen + 1",
  ]

  /// What shows in reports of those that compare all, not by itself.
  private static let moreDamages = [
    """
    UPDATE postback SET window = 2, outcome = 1, interaction = 0, value = 7, country = 'XX', identifier = 'x',
      version = 30, app = 1, publisher = NULL WHERE id = 2
    """,
    "UPDATE arrival_hour SET rejected = rejected + 1, repeated = repeated + 1, conflicting = conflicting + 1",
    "UPDATE rejected_total SET kept = kept + 1",
    "UPDATE postback_facts SET earliest = earliest + 1",
  ]

  private func spoil(_ damage: String) throws {
    try Connection(path: path, mode: .readWrite).execute(damage)
  }
}
