import Glibc
import PostbackFixtures
import Testing

@testable import Ledger

struct `A reader that stays open` {
  private let scratch: ScratchDatabase
  private let kept: KeptReader

  init() throws {
    scratch = try ScratchDatabase()
    kept = KeptReader(path: scratch.path)
    _ = try LedgerWriter(path: scratch.path).commit([valid("1", network: "a.skadnetwork")])
  }

  /// The networks whose names it knows.
  private func networks() throws -> [String] {
    try kept.read { reader throws(LedgerError) in reader.networks.values.sorted() }
  }

  @Test func `Sees what is written later, and networks that are new`() throws {
    #expect(try networks() == ["a.skadnetwork"])
    _ = try LedgerWriter(path: scratch.path).commit([valid("2", network: "b.skadnetwork")])
    #expect(try networks() == ["a.skadnetwork", "b.skadnetwork"])
    kept.end()
    _ = try LedgerWriter(path: scratch.path).commit([valid("3", network: "c.skadnetwork")])
    #expect(try networks().count == 3)
  }

  @Test func `Reads the file that took the place of the one it had`() throws {
    #expect(try networks() == ["a.skadnetwork"])
    for ending in ["", "-wal", "-shm"] { _ = rename(scratch.path + ending, "\(scratch.path)-old\(ending)") }
    #expect(throws: LedgerError.self) { try networks() }
    _ = try LedgerWriter(path: scratch.path).commit([valid("2", network: "b.skadnetwork")])
    #expect(try networks() == ["b.skadnetwork"])
  }

  @Test func `Is opened again after a question that failed`() throws {
    #expect(throws: LedgerError.notALedger) {
      try kept.read { _ throws(LedgerError) in throw .notALedger }
    }
    #expect(try networks() == ["a.skadnetwork"])
  }

  @Test func `Is closed before its ledger, which leaves no log behind`() throws {
    for _ in 0..<200 {
      let ledger = try PostbackLedger(path: scratch.path)
      _ = try ledger.read { reader throws(LedgerError) in try reader.tokens() }
      ledger.close()
      #expect(access(scratch.path + "-wal", F_OK) != 0)
    }
  }
}
