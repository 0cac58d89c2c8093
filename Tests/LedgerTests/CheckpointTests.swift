import Journal
@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

/// What nodes do so that none of them counts otherwise than the others.
struct `Nodes that have to agree` {
  private let journal: MemoryJournal

  init() throws { journal = MemoryJournal(identity: try .random()) }

  private func following(_ node: String, level: Int64 = 1) -> LedgerSettings {
    var settings = LedgerSettings()
    settings.journal = LedgerJournal(journal, as: known(NodeName(node)), level: level)
    return settings
  }

  private func readable(_ id: String) -> Receipt {
    var random = SplitMix64(seed: 1)
    return DrawnPostback(id: id, &random).receipt(at: noon, from: Origin(.advertiserCopy))
  }

  private func compare(_ node: String, _ writer: LedgerWriter, at seconds: Int64) throws {
    let checkpoint = try writer.write(CheckpointMark(at: noon + seconds * 1000))
    try writer.write(CheckpointComparison(checkpoint, of: node))
  }

  @Test func `A checkpoint finds a postback that one node has otherwise, whichever node asked for it`() throws
  {
    let (first, second) = (try ScratchDatabase(), try ScratchDatabase())
    let a = try LedgerWriter(path: first.path, settings: following("a"))
    let b = try LedgerWriter(path: second.path, settings: following("b"))
    for number in 0..<30 { _ = try a.commit([readable("\(number)")]) }
    try compare("a", a, at: 1)
    _ = try b.follow()
    #expect(try LedgerReader(path: second.path).checkpointDifferences().isEmpty)
    #expect(a.progress?.differences == 0 && b.progress?.differences == 0)
    // What came before is not compared again; what comes now is.
    for number in 30..<40 { _ = try a.commit([readable("\(number)")]) }
    _ = try b.follow()
    try Connection(path: second.path, mode: .readWrite).execute(
      "UPDATE postback SET value = coalesce(value, 0) + 1 WHERE id = 35")
    try compare("b", b, at: 2)
    _ = try a.follow()
    let found = try LedgerReader(path: first.path).checkpointDifferences()
    #expect(found.map(\.node) == ["b"] && found.map(\.figure) == ["postbacks"])
    #expect(found.first.map { $0.here != $0.there } == true)
    #expect(a.progress?.differences == 1)
    try compare("a", a, at: 3)
    _ = try b.follow()
    #expect(try LedgerReader(path: second.path).checkpointDifferences().isEmpty)
    let last = try #require(try LedgerReader(path: first.path).lastCheckpoint())
    #expect(last.checkpoint.number == 3 && last.postbacksBehind == 0)
  }

  @Test(arguments: [
    "DELETE FROM token", "UPDATE arrival_hour SET first = first + 1", "DELETE FROM postback WHERE id = 7",
    "UPDATE postback SET campaign = '99' WHERE id = 3", "DELETE FROM origin WHERE id = 0",
    "UPDATE postback SET body = X'00' WHERE id = 5",
    "INSERT INTO campaign_name(network, campaign, app, from_day, name) VALUES ('n', '1', 0, 20000, 'x')",
  ])
  func `A checkpoint finds whatever differs, or cannot be`(_ sql: String) throws {
    let (first, second) = (try ScratchDatabase(), try ScratchDatabase())
    let a = try LedgerWriter(path: first.path, settings: following("a"))
    let b = try LedgerWriter(path: second.path, settings: following("b"))
    for number in 0..<9 { _ = try a.commit([readable("\(number)")]) }
    _ = try a.write(
      TokenAddition(
        use: .read, name: "anna", digest: .init(of: [1]), createdAt: noon, secret: nil, expiresAt: nil,
        limit: ReadLimit(apps: [], networks: [])))
    _ = try b.follow()
    let connection = try Connection(path: second.path, mode: .readWrite)
    let before = try connection.integer("SELECT total_changes()") ?? 0
    try connection.execute(sql)
    let isChanged = try connection.integer("SELECT total_changes()") ?? 0 > before
    try compare("a", a, at: 1)
    _ = try b.follow()
    #expect(try LedgerReader(path: second.path).checkpointDifferences().isEmpty != isChanged)
  }

  @Test func `A figure that only one version of skan knows is no difference`() {
    let (old, new) = (CheckpointFigures(text: "a: 1\nb: 2 3"), CheckpointFigures(text: "a: 1\nc: 9\nb: 2 3"))
    #expect(old.difference(from: new) == nil && new.difference(from: old) == nil)
    let other = CheckpointFigures(text: "a: 1\nb: 2 4")
    #expect(new.difference(from: other).map { "\($0)" } == "(name: \"b\", here: \"2 3\", there: \"2 4\")")
  }

  @Test func `A node that reads otherwise raises the level, and one of before stops there`() throws {
    let (first, second) = (try ScratchDatabase(), try ScratchDatabase())
    let old = try LedgerWriter(path: first.path, settings: following("a"))
    _ = try old.commit([readable("1")])
    let new = try LedgerWriter(path: second.path, settings: following("b", level: 2))
    while try new.follow()?.isAtEnd == false {}
    #expect(try old.commit([readable("2")]).map(\.effect) == [.first])
    #expect(try new.commit([readable("3")]).map(\.effect) == [.first])
    #expect(try new.commit([readable("4")]).map(\.effect) == [.first])
    let error = try #require(throws: LedgerError.self) { try old.follow() }
    #expect(error.description.contains("has level 2") && error.description.contains("level 1"), "\(error)")
    #expect(throws: LedgerError.self) { try old.commit([readable("5")]) }
    #expect(try journal.ends().last == JournalPosition(5))
    // The upgraded program goes on with its file; that of before does not take a file of after.
    let upgraded = try LedgerWriter(path: first.path, settings: following("a", level: 2))
    #expect(try upgraded.commit([readable("5")]).map(\.effect) == [.first])
    #expect(try tables(of: first.path)["postback"]?.count == 5)
    #expect(throws: LedgerError.self) { try LedgerWriter(path: first.path, settings: following("a")) }
  }

  @Test func `An import through a journal has one number on every node, and other postbacks none`() throws {
    let (first, second) = (try ScratchDatabase(), try ScratchDatabase())
    let a = try LedgerWriter(path: first.path, settings: following("a"))
    let b = try LedgerWriter(path: second.path, settings: following("b"))
    let file = Origin(.file, name: "export.ndjson")
    for round in 0..<2 {
      a.beginRun(from: file, at: noon)
      for piece in 0..<3 {
        _ = try a.commit((0..<4).map { readable("\(round) \(piece) \($0)") })
        _ = try b.commit([readable("device \(round) \(piece)")])
      }
      #expect(a.run?.id == Int64(round + 1) && a.run?.conversions == 12)
    }
    _ = try a.follow()
    _ = try b.follow()
    for path in [first.path, second.path] {
      let runs = try Connection(path: path, mode: .readOnly).prepare(
        "SELECT id, conversions, copies FROM import_run ORDER BY id"
      ).rows { [$0.count(0), $0.count(1), $0.count(2)] }
      #expect(runs == [[1, 12, 0], [2, 12, 0]])
    }
    #expect(try tables(of: first.path)["postback"] == tables(of: second.path)["postback"])
    #expect(b.run == nil)
  }
}
