import Journal
@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

/// Nodes that answer senders and leave bodies out.
struct `A node that only receives` {
  private let journal: MemoryJournal

  init() throws { journal = MemoryJournal(identity: try .random()) }

  private func following(_ node: String, _ role: NodeRole?) -> LedgerSettings {
    var settings = LedgerSettings()
    settings.journal = LedgerJournal(journal, as: known(NodeName(node)), role: role)
    return settings
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `It has the rows of every other node, whatever it got, but for bodies`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (full, receiving) = (try ScratchDatabase(), try ScratchDatabase())
    let a = try LedgerWriter(path: full.path, settings: following("a", .full))
    let b = try LedgerWriter(path: receiving.path, settings: following("b", .receive))
    let origins = [
      Origin(.advertiserCopy), Origin(.forwarded, name: "acme"), Origin(.file, name: "f.ndjson"),
    ]
    var earlier: [Receipt] = []
    for round in 0..<60 {
      var receipts: [Receipt] = []
      for _ in 0..<8 {
        let (time, origin) = (noon + Int64(round), origins[random.number(below: 3)])
        // Some come again, byte for byte, by the same way or another one.
        if random.number(below: 3) == 0, !earlier.isEmpty {
          let again = earlier[random.number(below: earlier.count)]
          let source = "s\(random.number(below: 3))"
          let arrival = Arrival(
            receivedAt: time, origin: origin, quotaSource: source,
            body: again.arrival.body)
          receipts.append(Receipt(arrival: arrival, finding: again.finding))
        } else {
          let id = "\(random.number(below: 50))"
          receipts.append(DrawnPostback(id: id, &random).receipt(at: time, from: origin))
        }
      }
      earlier += receipts
      let (own, other) = random.number(below: 2) == 0 ? (a, b) : (b, a)
      _ = try own.commit(receipts)
      _ = try other.follow()
    }
    while try a.follow()?.isAtEnd == false {}
    while try b.follow()?.isAtEnd == false {}
    let checkpoint = try a.write(CheckpointMark(at: noon))
    try a.write(CheckpointComparison(checkpoint, of: "a"))
    _ = try b.follow()
    #expect(try LedgerReader(path: receiving.path).checkpointDifferences().isEmpty)
    let connection = try Connection(path: full.path, mode: .readOnly)
    let columns = try connection.prepare(
      "SELECT name FROM pragma_table_info('postback') WHERE name <> 'body'"
    ).rows { $0.text(0) }.joined(separator: ", ")
    func postbacks(_ path: String) throws -> [String] {
      try Connection(path: path, mode: .readOnly).prepare(
        "SELECT json_array(\(columns)) FROM postback ORDER BY id"
      ).rows { $0.text(0) }
    }
    #expect(try postbacks(full.path) == postbacks(receiving.path))
    let (ofFull, ofReceiving) = (try tables(of: full.path), try tables(of: receiving.path))
    let own = ["postback", "journal_place", "journal_node", "checkpoint"]
    for table in ofFull.keys where !own.contains(table) {
      #expect(ofFull[table] == ofReceiving[table], "\(table)")
    }
    #expect(try number("SELECT count(*) FROM postback WHERE length(body) <> 33", receiving.path) == 0)
    #expect(try number("SELECT count(*) FROM postback", receiving.path) > 30)
  }

  private func number(_ sql: String, _ path: String) throws -> Int64 {
    try Connection(path: path, mode: .readOnly).integer(sql) ?? -1
  }

  @Test func `What needs bodies rejects its database, and so does a node that is to have them`() throws {
    let file = try ScratchDatabase()
    var random = SplitMix64(seed: 1)
    let receipt = DrawnPostback(id: "1", &random).receipt(at: noon, from: Origin(.advertiserCopy))
    _ = try LedgerWriter(path: file.path, settings: following("b", .receive)).commit([receipt])
    let reader = try LedgerReader(path: file.path)
    #expect(throws: LedgerError.withoutBodies) { try reader.conversions(identifier: "1") }
    #expect(throws: LedgerError.withoutBodies) { try LedgerRebuild(path: file.path).check() }
    #expect(throws: LedgerError.withoutBodies) { try LedgerRebuild(path: file.path).repair() }
    #expect(throws: LedgerError.withoutBodies) {
      try LedgerWriter(path: file.path, settings: following("b", .full))
    }
    // A command takes the file as it is.
    let again = try LedgerWriter(path: file.path, settings: following("b", nil))
    #expect(try again.commit([receipt]).map(\.effect) == [.copy])
    #expect(try number("SELECT count(*) FROM postback_copy WHERE body IS NOT NULL", file.path) == 0)
  }

  @Test func `A node with bodies that becomes one without keeps those that it has`() throws {
    let file = try ScratchDatabase()
    var random = SplitMix64(seed: 1)
    var receipts: [Receipt] = []
    for number in 0..<4 {
      receipts.append(
        DrawnPostback(id: "\(number)", &random).receipt(at: noon, from: Origin(.advertiserCopy)))
    }
    _ = try LedgerWriter(path: file.path, settings: following("a", .full)).commit(Array(receipts[..<2]))
    let writer = try LedgerWriter(path: file.path, settings: following("a", .receive))
    #expect(try writer.commit(receipts).map(\.effect) == [.copy, .copy, .first, .first])
    #expect(try number("SELECT count(*) FROM postback WHERE length(body) = 33", file.path) == 2)
  }
}
