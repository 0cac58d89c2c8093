import Journal
@testable import Ledger
import PostbackFixtures
import SQLite
import Testing
import Values

struct `What a node would have to follow` {
  private let journal: MemoryJournal

  init() throws { journal = MemoryJournal(identity: try .random()) }

  private func writer(_ file: ScratchDatabase, _ node: String) throws -> LedgerWriter {
    var settings = LedgerSettings()
    settings.journal = LedgerJournal(journal, as: known(NodeName(node)))
    return try LedgerWriter(path: file.path, settings: settings)
  }

  private func obstacle(_ file: ScratchDatabase) -> LedgerError? {
    do throws(LedgerError) {
      try FollowingProspect.require(LedgerReader(path: file.path), of: journal)
      return nil
    } catch {
      return error
    }
  }

  private func readable(_ id: String) -> Receipt {
    var random = SplitMix64(seed: 1)
    return DrawnPostback(id: id, &random).receipt(at: noon, from: Origin(.advertiserCopy))
  }

  @Test func `An obstacle is found in any batch that is not applied yet, as the node finds it`() throws {
    let file = try ScratchDatabase()
    let node = try writer(file, "a")
    _ = try node.commit([readable("1")])
    #expect(obstacle(file) == nil)
    var other = try JournalAppender(journal, node: known(NodeName("other")))
    for _ in 0..<100 { _ = try other.append(AnyChange.bytes(of: [.receipt(readable("2"))])) }
    #expect(obstacle(file) == nil)
    _ = try other.append([200, 2, 1, 1])
    let found = try #require(obstacle(file))
    #expect(found.description.contains("batch 102 ") && found.description.contains("kind 200"))
    #expect(throws: found) { while try node.follow()?.isAtEnd == false {} }
    // It has not changed anything.
    #expect(try LedgerReader(path: file.path).journalPlace()?.position == JournalPosition(65))
  }

  @Test func `A database that could not start as a node has an obstacle before it follows anything`() throws {
    let (empty, full) = (try ScratchDatabase(), try ScratchDatabase())
    _ = try LedgerWriter(path: empty.path)
    _ = try LedgerWriter(path: full.path).commit([readable("1")])
    #expect(obstacle(empty) == nil)
    #expect(obstacle(full) == .notOfJournal)
    #expect(throws: LedgerError.notOfJournal) { try writer(full, "b") }
    var other = try JournalAppender(journal, node: known(NodeName("other")))
    for _ in 0..<3 { _ = try other.append(AnyChange.bytes(of: [.receipt(readable("2"))])) }
    try journal.trim(before: JournalPosition(3), backedUpTo: JournalPosition(3))
    let found = try #require(obstacle(empty))
    #expect(throws: found) { try writer(empty, "b") }
  }

  @Test func `A gap in the batches of one node is an obstacle`() throws {
    let file = try ScratchDatabase()
    _ = try writer(file, "a").commit([readable("1")])
    try Connection(path: file.path, mode: .readWrite).execute("UPDATE journal_node SET number = number - 1")
    var a = try JournalAppender(journal, node: known(NodeName("a")))
    _ = try a.append(AnyChange.bytes(of: [.receipt(readable("2"))]))
    #expect(obstacle(file)?.description.contains("are missing") == true)
  }

  @Test func `Nodes go on behind a batch that cannot be unpacked on the operator's word, and are equal`()
    throws
  {
    let files = (try ScratchDatabase(), try ScratchDatabase())
    let nodes = (try writer(files.0, "a"), try writer(files.1, "b"))
    _ = try nodes.0.commit([readable("1")])
    _ = try nodes.1.follow()
    _ = try journal.append([9, 9], node: known(NodeName("broken")), number: .first)
    for (file, node) in [(files.0, nodes.0), (files.1, nodes.1)] {
      let error = try #require(throws: LedgerError.self) { try node.follow() }
      #expect(error.remedy?.contains("skan journal skip --position 2") == true)
      #expect(obstacle(file) == error)
      #expect(throws: LedgerError.self) { try node.commit([readable("x")]) }
      for position in [0, 1, 3] as [Int64] {
        #expect(try JournalMembership.skip(JournalPosition(position), of: journal, in: file.path) == nil)
      }
      // The node has the file open meanwhile.
      #expect(try JournalMembership.skip(JournalPosition(2), of: journal, in: file.path) == .tooShort)
      #expect(try JournalMembership.skip(JournalPosition(3), of: journal, in: file.path) == nil)
      #expect(obstacle(file) == nil)
      #expect(try LedgerReader(path: file.path).unappliedChanges() == 1)
    }
    _ = try nodes.0.commit([readable("2")])
    _ = try nodes.1.commit([readable("3")])
    _ = try nodes.0.follow()
    _ = try nodes.1.follow()
    #expect(try tables(of: files.0.path) == tables(of: files.1.path))
    #expect(try tables(of: files.0.path)["postback"]?.count == 3)
  }

  @Test func `A database that follows no journal passes over nothing`() throws {
    let file = try ScratchDatabase()
    _ = try LedgerWriter(path: file.path)
    #expect(throws: LedgerError.self) {
      _ = try JournalMembership.skip(JournalPosition(1), of: journal, in: file.path)
    }
  }
}
