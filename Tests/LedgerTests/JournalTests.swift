import Foundation
import Journal
@testable import Ledger
import OpenSSL
import PostbackFixtures
import Postbacks
import SQLite
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
    switch random.number(below: 7) {
    case 0: return .receipt(rejected("\(random.number(below: 9))", source: "s", at: time))
    case 1:
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
        _ = try writer.commit(steps[...])
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
    for _ in 0..<40 { _ = try writer.commit((0..<20).map { _ in drawn(&random) }[...]) }
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
    #expect(try JournalMembership.begin(journal, with: first.path) == nil)
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

  @Test func `What a process sent before another one had its jobs undoes nothing of that one`() throws {
    let (first, second) = (try ScratchDatabase(), try ScratchDatabase())
    let a = try LedgerWriter(path: first.path, settings: following("a"))
    let b = try LedgerWriter(path: second.path, settings: following("b"))
    func claim(_ node: String, renews: Int64?, at: Int64) -> LeaseClaim {
      LeaseClaim(job: "watches", node: node, renews: renews, at: noon + at, until: noon + at + 4000)
    }
    func progress(_ postback: Int64, epoch: Int64) -> LeasedChange<RelayProgress> {
      let state = RelayState(
        name: "partner", place: "https://a.example", cursor: RelayCursor(postback: postback, copy: 0))
      return LeasedChange(job: "watches", epoch: epoch, change: RelayProgress(state))
    }
    #expect(try a.write(claim("a", renews: nil, at: 0)) == 1)
    #expect(try a.write(claim("a", renews: 1, at: 1000)) == 1)
    #expect(try a.write(progress(5, epoch: 1)) != nil)
    #expect(try b.write(claim("b", renews: nil, at: 2000)) == nil)
    journal.spoilAppends([.failsBefore])
    #expect(throws: LedgerError.self) { try a.write(progress(6, epoch: 1)) }
    #expect(try b.write(claim("b", renews: nil, at: 6000)) == 2)
    #expect(try b.write(progress(900, epoch: 2)) != nil)
    // The append that failed comes now.
    #expect(try a.write(claim("a", renews: 1, at: 7000)) == nil)
    #expect(try a.write(progress(7, epoch: 1)) == nil)
    #expect(try LedgerReader(path: first.path).relays().map(\.cursor.postback) == [900])
    // Another process of the node that has the jobs has another epoch.
    #expect(try b.write(claim("b", renews: nil, at: 8000)) == 3)
    #expect(try b.write(progress(8, epoch: 2)) == nil)
  }

  @Test func `A rejected body is not sent once its quota is used up, and is counted everywhere`() throws {
    let (first, second) = (try ScratchDatabase(), try ScratchDatabase())
    let a = try LedgerWriter(path: first.path, settings: following("a"))
    for number in 0..<120 { _ = try a.commit([rejected("\(number)", source: "s")]) }
    let bodies = try content(of: journal).joined().map { change in
      if case .receipt(let receipt) = change { receipt.arrival.body.count } else { 0 }
    }
    #expect(bodies.count { $0 > 0 } == 100)
    let b = try LedgerWriter(path: second.path, settings: following("b"))
    while try b.follow()?.isAtEnd == false {}
    expectEqual(try rows(second.path), try rows(first.path), "the other node")
  }

  @Test func `A daemon that had a database before it became a node's writes nothing more into it`() throws {
    let file = try ScratchDatabase()
    let plain = try LedgerWriter(path: file.path)
    _ = try plain.commit([valid("1")])
    // As if it had been started while another program had the lock.
    let copy = try ScratchDatabase()
    try LedgerUpkeep(path: file.path).copy(to: copy.path)
    #expect(try JournalMembership.begin(journal, with: copy.path) == 1)
    let other = try LedgerWriter(path: copy.path, settings: following("a"))
    _ = try other.commit([readable("2")])
    let connection = try LedgerDatabase(path: file.path, mode: .readWrite)
    let place = try JournalPlaceStore.place(on: LedgerDatabase(path: copy.path, mode: .readOnly))
    try JournalPlaceStore.save(try #require(place), on: connection)
    #expect(throws: LedgerError.followsJournal) { try plain.commit([valid("3")]) }
  }

  @Test func `A node that cannot follow appends nothing`() throws {
    let file = try ScratchDatabase()
    let writer = try LedgerWriter(path: file.path, settings: following("a"))
    var appender = try JournalAppender(journal, node: known(NodeName("newer")))
    _ = try appender.append([200, 2, 1, 1])
    #expect(throws: LedgerError.self) { try writer.follow() }
    let last = try journal.ends().last
    #expect(throws: LedgerError.self) { try writer.commit([valid("x")]) }
    #expect(try journal.ends().last == last)
  }

  @Test func `Receipts that are too many for one batch are stored in several`() throws {
    let file = try ScratchDatabase()
    let writer = try LedgerWriter(path: file.path, settings: following("a"))
    let large = (0..<400).map { number in
      Receipt(
        arrival: Arrival(
          receivedAt: noon, origin: Origin(.file, name: "f"), quotaSource: "f",
          body: [UInt8](repeating: UInt8(number % 251), count: 60_000)),
        finding: .rejected(Rejection(state: .malformed, reason: "x", identifier: nil)))
    }
    #expect(try writer.commit(large).count == 400)
    #expect(try journal.ends().last == JournalPosition(2))
    #expect(try number(of: "rejected", in: file.path) == 400)
  }

  private func number(of table: String, in path: String) throws -> Int64? {
    try Connection(path: path, mode: .readOnly).integer("SELECT count(*) FROM \(table)")
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
