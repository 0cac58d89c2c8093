import Foundation
import Journal
@testable import Ledger
import OpenSSL
import PostbackFixtures
import Postbacks
import Testing
import Values

struct `Nodes of a journal` {
  private let journal: MemoryJournal

  init() throws { journal = MemoryJournal(identity: try .random()) }

  private func following(_ node: String) -> LedgerSettings {
    var settings = LedgerSettings()
    settings.journal = LedgerJournal(journal, as: known(NodeName(node)))
    return settings
  }

  /// A receipt with a body that can be read again.
  private func readable(_ id: String) -> Receipt {
    var random = SplitMix64(seed: 1)
    return DrawnPostback(id: id, &random).receipt(at: noon, from: Origin(.advertiserCopy))
  }

  /// All tables but those of the key index and of the place.
  private func rows(_ path: String) throws -> [String: [String]] {
    try tables(of: path).filter { !["journal_place", "journal_node", "unapplied_change"].contains($0.key) }
  }

  private func expectEqual(_ a: [String: [String]], _ b: [String: [String]], _ what: String) {
    for table in Set(a.keys).union(b.keys).sorted() { #expect(a[table] == b[table], "\(table) of \(what)") }
  }

  private func drawn(_ random: inout SplitMix64) -> LedgerWriter.Step {
    let time: Instant = noon + Int64(random.number(below: 600)) * 1000
    switch random.number(below: 8) {
    case 0: return .receipt(rejected("\(random.number(below: 9))", source: "s", at: time))
    case 1: return .receipt(drawnWebClick(at: time, &random))
    case 2:
      let kinds = ChangeKind.allCases.filter { $0 != .journalStart }
      return LedgerWriter.Step(.other(kinds[random.number(below: kinds.count)].drawn(&random)))
    default:
      let postback = DrawnPostback(id: "\(random.number(below: 80))", &random)
      return .receipt(postback.receipt(at: time, from: Origin(.advertiserCopy)))
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `Nodes have the same rows, in whatever turns, pieces, failures and restarts they took part`(
    seed: UInt64
  )
    throws
  {
    var random = SplitMix64(seed: seed)
    let names = ["a", "b", "c", "d"].prefix(1 + random.number(below: 4)).map { String($0) }
    let files = try Dictionary(uniqueKeysWithValues: names.map { ($0, try ScratchDatabase()) })
    var writers: [String: LedgerWriter] = [:]
    var acknowledged: [AnyChange] = []
    for _ in 0..<80 {
      let name = names[random.number(below: names.count)]
      if random.number(below: 6) == 0 { writers[name] = nil }
      switch random.number(below: 10) {
      case 0: journal.spoilAppends([.failsBefore])
      case 1: journal.spoilAppends([.failsAfter])
      default: break
      }
      let steps = (0..<random.number(below: 12)).map { _ in drawn(&random) }
      do {
        let writer =
          try writers[name] ?? LedgerWriter(path: known(files[name]).path, settings: following(name))
        writers[name] = writer
        _ = try writer.commit(steps)
        acknowledged += steps.map(\.change)
      } catch LedgerError.journal {
        // Unknown: its author sends it again, or what came is applied from the journal.
      }
    }
    let order = try content(of: journal)
    for (name, file) in files {
      let writer = try writers[name] ?? LedgerWriter(path: file.path, settings: following(name))
      while try writer.follow()?.isAtEnd == false {}
    }
    let plain = try ScratchDatabase()
    for changes in order { _ = try LedgerWriter(path: plain.path).apply(changes) }
    let expected = try rows(plain.path)
    #expect((expected["postback"] ?? []).count > 40)
    for (name, file) in files { expectEqual(try rows(file.path), expected, name) }
    let all = try files.values.map { try tables(of: $0.path)["unapplied_change"] }
    #expect(Set(all).count == 1)
    let stored = Set(order.joined().map { AnyChange.bytes(of: [$0]) })
    #expect(acknowledged.allSatisfy { stored.contains(AnyChange.bytes(of: [$0])) })
  }

  /// The changes of every batch.
  private func content(of journal: MemoryJournal) throws -> [[AnyChange]] {
    try journal.read(after: .start, atMost: .max).batches.map { batch in
      var bytes = ChangeDecoder(try BatchUnpacker().unpack(batch.body))
      var changes: [AnyChange] = []
      while bytes.rest > 0 { changes.append(try AnyChange.next(in: &bytes).get()) }
      return changes
    }
  }

  @Test func `A node that begins late, or again without its file, gets everything`() throws {
    let (first, late) = (try ScratchDatabase(), try ScratchDatabase())
    let writer = try LedgerWriter(path: first.path, settings: following("a"))
    var random = SplitMix64(seed: 3)
    for _ in 0..<40 { _ = try writer.commit((0..<20).map { _ in drawn(&random) }) }
    let node = try PostbackLedger(path: late.path, settings: following("b"))
    defer { node.close() }
    expectEqual(try rows(late.path), try rows(first.path), "the late node")
    #expect(node.statistics.journal?.behind ?? 0 == 0)
  }

  @Test func `A ledger that waits applies what other nodes append, and writes its own among it`() async throws
  {
    let (first, second) = (try ScratchDatabase(), try ScratchDatabase())
    let a = try PostbackLedger(path: first.path, settings: following("a"))
    let b = try PostbackLedger(path: second.path, settings: following("b"))
    defer {
      a.close()
      b.close()
    }
    let id = try TokenStore(a).add(.read, name: "anna", token: "1", now: noon)
    while try LedgerReader(path: second.path).tokens().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try TokenStore(b).revoke(id, now: noon + 1))
    while try LedgerReader(path: first.path).tokens().first?.revokedAt == nil {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(throws: LedgerError.self) { try TokenStore(b).add(.read, name: "bob", token: "1", now: noon) }
    #expect(try LedgerReader(path: second.path).unappliedChanges() == 1)
  }

  @Test func `A postback is not acknowledged while the journal is away, and counts once when it is back`()
    throws
  {
    let file = try ScratchDatabase()
    let writer = try LedgerWriter(path: file.path, settings: following("a"))
    journal.spoilAppends([.failsAfter])
    #expect(throws: LedgerError.self) { try writer.commit([readable("x")]) }
    journal.spoilAppends([.failsBefore])
    #expect(throws: LedgerError.self) { try writer.commit([readable("x")]) }
    #expect(try totals(file.path).map(\.counts.postbacks) == [])
    let again = try writer.commit([readable("x")])
    #expect(again.map(\.effect) == [.copy])
    #expect(try totals(file.path).map(\.counts.postbacks) == [1])
  }

  @Test func `A journal begins with a database, whose copies are nodes, and no other database is`() throws {
    let (first, copy, other) = (try ScratchDatabase(), try ScratchDatabase(), try ScratchDatabase())
    _ = try LedgerWriter(path: first.path).commit([readable("1"), readable("2")])
    _ = try LedgerWriter(path: other.path).commit([readable("3")])
    #expect(try JournalMembership.begin(journal, with: first.path) == 2)
    #expect(try JournalMembership.begin(journal, with: first.path) == 2)
    #expect(throws: LedgerError.notOfJournal) { try JournalMembership.begin(journal, with: other.path) }
    #expect(throws: LedgerError.notOfJournal) { try LedgerWriter(path: other.path, settings: following("c")) }
    let empty = try ScratchDatabase()
    #expect(throws: LedgerError.notOfJournal) { try LedgerWriter(path: empty.path, settings: following("d")) }
    try LedgerUpkeep(path: first.path).copy(to: copy.path)
    _ = try LedgerWriter(path: first.path, settings: following("a")).commit([readable("4")])
    let second = try LedgerWriter(path: copy.path, settings: following("b"))
    #expect(try second.commit([readable("4")]).map(\.effect) == [.copy])
    #expect(try totals(copy.path).map(\.counts.postbacks) == [3])
    try JournalMembership.end(of: copy.path)
    #expect(try LedgerWriter(path: copy.path).commit([readable("5")]).map(\.effect) == [.first])
  }

  @Test func `A database with anything of its own, or that a service has, does not begin with a journal`()
    throws
  {
    let (token, service) = (try ScratchDatabase(), try ScratchDatabase())
    _ = try TokenStore(path: token.path).add(.read, name: "anna", token: "1", now: noon)
    #expect(throws: LedgerError.notOfJournal) { try LedgerWriter(path: token.path, settings: following("a")) }
    let ledger = try PostbackLedger(path: service.path)
    #expect(throws: LedgerError.busy) { try JournalMembership.begin(journal, with: service.path) }
    ledger.close()
    #expect(try journal.ends().last == .start)
    #expect(try JournalMembership.begin(journal, with: token.path) == 0)
    #expect(throws: LedgerError.notOfJournal) { try JournalMembership.begin(journal, with: service.path) }
  }

  @Test func `A change that no batch takes is rejected, and what comes with it is stored`() throws {
    let file = try ScratchDatabase()
    let ledger = try PostbackLedger(path: file.path, settings: following("a"))
    defer { ledger.close() }
    let draft = DraftAddition(
      app: known(AppID(1)), name: "large", document: [UInt8](repeating: 1, count: 17 << 20), baseState: "",
      baseFrom: nil, author: "anna", savedAt: noon, most: 5)
    #expect(throws: LedgerError.self) { try ledger.write(draft) }
    #expect(throws: LedgerError.self) {
      try LedgerFile(path: file.path, journal: following("b").journal).write(draft)
    }
    _ = try TokenStore(ledger).add(.read, name: "anna", token: "1", now: noon)
    #expect(try LedgerReader(path: file.path).tokens().count == 1)
  }

  @Test func `A program without the journal changes nothing of a node's database`() throws {
    let file = try ScratchDatabase()
    _ = try LedgerWriter(path: file.path, settings: following("a")).commit([readable("1")])
    #expect(throws: LedgerError.followsJournal) { try LedgerWriter(path: file.path) }
    #expect(throws: LedgerError.followsJournal) { try LedgerFile(path: file.path) }
    #expect(throws: LedgerError.followsJournal) { try LedgerUpkeep(path: file.path).note(.backup, at: noon) }
    let changes = try LedgerFile(path: file.path, journal: known(following("cli").journal))
    _ = try TokenStore(changes).add(.read, name: "anna", token: "1", now: noon)
    #expect(try LedgerReader(path: file.path).tokens().map(\.name) == ["anna"])
  }

  @Test func `What cannot be read is noted with its place, and the rest is applied`() throws {
    let file = try ScratchDatabase()
    var appender = try JournalAppender(journal, node: known(NodeName("other")))
    _ = try appender.append(
      [ChangeKind.tokenRevocation.rawValue, 1, 2]
        + AnyChange.bytes(of: [.other(LastEventNote(event: .backup, at: noon))]) + [7, 90])
    try LedgerWriter(path: file.path, settings: following("a")).follow()
    let reader = try LedgerReader(path: file.path)
    #expect(try reader.unappliedChanges() == 2)
    #expect(try reader.last(.backup) == noon)
    #expect(try reader.journalPlace()?.position == JournalPosition(1))
  }

  @Test func `A node stops before a kind of change that it does not know, and names the batch`() throws {
    let file = try ScratchDatabase()
    var appender = try JournalAppender(journal, node: known(NodeName("newer")))
    _ = try appender.append(AnyChange.bytes(of: [.other(LastEventNote(event: .backup, at: noon))]))
    _ = try appender.append([200, 2, 1, 1])
    let writer = try LedgerWriter(path: file.path, settings: following("a"))
    let error = try #require(throws: LedgerError.self) { try writer.follow() }
    #expect(error.description.contains("batch 2 ") && error.description.contains("kind 200"))
    #expect(throws: LedgerError.self) { try writer.commit([readable("x")]) }
    #expect(try LedgerReader(path: file.path).journalPlace()?.position == .start)
  }
}
