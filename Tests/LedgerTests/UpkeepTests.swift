import Foundation
@testable import Ledger
import PostbackFixtures
import SQLite
import System
import Testing
import Values

struct `Pruning a ledger` {
  private let scratch: ScratchDatabase

  init() throws { scratch = try ScratchDatabase() }

  @Test func `Pruning a ledger deletes old bodies that no figure needs, and nothing else`() throws {
    let day: Int64 = 86_400_000
    let writer = try LedgerWriter(path: scratch.path)
    _ = try writer.commit([
      valid("a"), valid("a", country: "US"), valid("a", value: .absent), rejected("x"),
      valid("b", at: noon + 10 * day), valid("b", at: noon + 10 * day, country: "US"),
      rejected("y", at: noon + 10 * day),
    ])
    let before = try totals(scratch.path)
    let upkeep = try LedgerUpkeep(path: scratch.path)
    let counted = try upkeep.countOldBodies(before: noon + day)
    #expect(counted.rejected == 1)
    #expect(counted.copies == 1)
    #expect(try LedgerReader(path: scratch.path).rejectedBodies(identifier: "x").count == 1)
    #expect(try upkeep.prune(before: noon + day) == counted)
    #expect(try upkeep.prune(before: noon + day).rejected == 0)

    let reader = try LedgerReader(path: scratch.path)
    #expect(try reader.rejectedBodies(identifier: "x").isEmpty)
    #expect(try reader.rejectedBodies(identifier: "y").count == 1)
    let copies = try reader.conversions(identifier: "a")[0].copies
    #expect(copies.map { $0.body == nil } == [true, false])
    #expect(copies.map { $0.conflict != nil } == [false, true])
    #expect(try reader.conversions(identifier: "b")[0].copies[0].body != nil)
    #expect(try totals(scratch.path) == before)
    #expect(try reader.rejections(from: nil, to: nil).map(\.seen) == [2])
    #expect(try reader.examine().damage.isEmpty)
  }
}

extension `Pruning a ledger` {
  /// Steps of the database, in thousands, that it takes to prune that many old copies and rejected bodies.
  private func steps(_ rows: Int) throws -> Int {
    let scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path).commit([valid("a")])
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))"
    try Connection(path: scratch.path, mode: .readWrite).execute(
      """
      \(numbers) INSERT INTO postback_copy(postback, received_at, last_received_at, times, origin, conflict, body)
        SELECT 1, i, i, 1, 1, NULL, x'00' FROM n;
      \(numbers) INSERT INTO rejected(received_at, origin, source, state, reason, identifier, digest, body)
        SELECT iif(i % 2, i, \(Int64.max)), 1, 's', 'invalid', 'r', NULL, 0, x'00' FROM n;
      """)
    var steps = 0
    let upkeep = try LedgerUpkeep(path: scratch.path) {
      steps += 4
      return false
    }
    let pruned = try upkeep.prune(before: noon)
    #expect(pruned.copies == Int64(rows))
    #expect(pruned.rejected == Int64(rows / 2))
    return steps
  }

  @Test func `Pruning a ledger costs twice as much for twice as many rows`() throws {
    let (few, many) = (try steps(30_000), try steps(120_000))
    #expect(few > 0)
    #expect(many < 5 * few)
  }

  @Test func `Pruning a ledger continues from where it was interrupted`() throws {
    _ = try LedgerWriter(path: scratch.path).commit(
      (0..<3000).map { rejected("\($0)", source: "s\($0 % 50)") })
    #expect(throws: LedgerError.tookTooLong) {
      try LedgerUpkeep(path: scratch.path, isInterrupted: { true }).prune(before: noon + 1)
    }
    let left = try LedgerUpkeep(path: scratch.path).prune(before: noon + 1)
    #expect(left.rejected > 0)
    #expect(
      try LedgerUpkeep(path: scratch.path).countOldBodies(before: noon + 1).rejected == 0)
  }
}

struct `A backup of a ledger` {
  private let scratch: ScratchDatabase
  private var copy: String { scratch.folder.appending(path: "copy.db").path }

  init() throws { scratch = try ScratchDatabase() }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() }
  }

  @Test
  func `A backup of a ledger is a complete file that only its owner reads, and leaves nothing beside it`()
    throws
  {
    let writer = try LedgerWriter(path: scratch.path)
    _ = try writer.commit((0..<500).map { valid("\($0)") })
    try LedgerUpkeep(path: scratch.path).copy(to: copy)
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try totals(copy) == totals(scratch.path))
    #expect(try LedgerReader(path: copy).examine().damage.isEmpty)
    try LedgerUpkeep(path: copy).tryWriting()
    _ = try LedgerUpkeep(path: copy).prune(before: noon)
    try LedgerUpkeep(path: copy).copy(to: copy + "2")
    #expect(
      try files == ["copy.db", "copy.db2", "skan.db", "skan.db-maintenance", "skan.db-shm", "skan.db-wal"])
    #expect(try Connection(path: copy, mode: .readOnly).text("PRAGMA journal_mode") == "delete")
    withExtendedLifetime(writer) {}
  }

  @Test func `A backup of a ledger that is interrupted or fails leaves nothing, and does not block the next`()
    throws
  {
    let writer = try LedgerWriter(path: scratch.path)
    _ = try writer.commit((0..<3000).map { valid("\($0)") })
    let before = try files
    #expect(throws: LedgerError.tookTooLong) {
      try LedgerUpkeep(path: scratch.path, isInterrupted: { true }).copy(to: copy)
    }
    #expect(try files == before)
    #expect(throws: FileError.self) {
      try LedgerUpkeep(path: scratch.path).copy(to: scratch.folder.appending(path: "none/copy.db").path)
    }
    #expect(try files == before)
    try LedgerUpkeep(path: scratch.path).copy(to: copy)
    #expect(throws: FileError.self) { try LedgerUpkeep(path: scratch.path).copy(to: copy) }
    #expect(try totals(copy) == totals(scratch.path))
    withExtendedLifetime(writer) {}
  }

  @Test func `A backup of a ledger replaces no file that appears while it is made`() throws {
    _ = try LedgerWriter(path: scratch.path).commit((0..<3000).map { valid("\($0)") })
    let (copy, folder) = (copy, scratch.folder)
    var isThere = false
    let upkeep = try LedgerUpkeep(path: scratch.path) {
      if !isThere {
        isThere = FileManager.default.createFile(atPath: copy, contents: Data("mine".utf8))
      }
      return false
    }
    #expect(throws: FileError.self) { try upkeep.copy(to: copy) }
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data("mine".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.hasPrefix("copy.db") } == ["copy.db"])
  }

  @Test(arguments: [":memory:", "file:a.db", "file::memory:?cache=shared", "file:b.db?mode=memory", "", ":x"])
  func `A backup of a ledger has a plain path, as every database has`(path: String) throws {
    _ = try LedgerWriter(path: scratch.path).commit([valid("a")])
    #expect(throws: LedgerError.notAFile) { try LedgerUpkeep(path: scratch.path).copy(to: path) }
    #expect(throws: LedgerError.notAFile) { try LedgerWriter(path: path) }
    #expect(throws: LedgerError.notAFile) { try LedgerReader(path: path) }
    #expect(throws: LedgerError.notAFile) { try TokenStore(path: path) }
    #expect(throws: LedgerError.notAFile) { try PostbackLedger(path: path) }
  }
}
