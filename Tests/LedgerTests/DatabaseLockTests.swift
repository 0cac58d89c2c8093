import Foundation
@testable import Ledger
import PostbackFixtures
import SQLite
@testable import System
import Testing
import Values

/// POSIX locks of this process on a file.
private func heldLocks(on path: String) throws -> Int {
  let number = try #require(
    FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
  return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").count { line in
    line.contains("POSIX") && line.contains(" \(getpid()) ") && line.contains(":\(number) ")
  }
}

@Suite(.serialized) struct `A database that is open` {
  /// Opens and closes files by their names in every way that the program has.
  private static let ways: [(name: String, use: @Sendable (String) throws -> Void)] = [
    ("read", { _ = try FileReader.contents(of: $0) }),
    ("read as a service does", { _ = try FileReader($0, mayWait: false).read() }),
    ("lock", { _ = FileLock(path: $0) }),
    ("ask whether it can be read", { try FileReader.requireReadable($0) }),
    ("make", { makePrivateFile($0) }),
    ("measure", { _ = fileBytes($0) }),
  ]

  @Test(arguments: ["", "-wal", "-shm"], ["itself", "link", "second name"])
  func `A database that is open keeps its locks whatever opens its files by name`(
    ending: String, how: String
  ) throws {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path)
    _ = try writer.commit([valid("1")])
    let (file, shared) = (scratch.path + ending, scratch.path + "-shm")
    var name = file
    if how != "itself" {
      name = scratch.path + "-other"
      #expect(how == "link" ? symlink(file, name) == 0 : link(file, name) == 0)
    }
    let before = try (heldLocks(on: scratch.path), heldLocks(on: shared))
    #expect(before.0 > 0)
    for way in Self.ways {
      try? way.use(name)
      #expect(try heldLocks(on: scratch.path) == before.0, "\(way.name)")
      #expect(try heldLocks(on: shared) == before.1, "\(way.name)")
    }
    #expect(throws: FileError.self) { try FileReader(name) }
    _ = try writer.commit([valid("2")])
  }

  @Test func `A database that is opened after one of its files keeps its locks when that is closed`() throws {
    let scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path).commit([valid("1")])
    var early: FileReader? = try FileReader(scratch.path)
    let writer = try LedgerWriter(path: scratch.path)
    _ = try writer.commit([valid("2")])
    let before = try heldLocks(on: scratch.path)
    #expect(before > 0)
    #expect(try early?.read().isEmpty == false)
    early = nil
    #expect(try heldLocks(on: scratch.path) == before)
    _ = try writer.commit([valid("3")])
  }

  @Test func `A database that is closed can be read as any file`() throws {
    let scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path).commit([valid("1")])
    #expect(try FileReader.contents(of: scratch.path).starts(with: Array("SQLite format 3".utf8)))
  }
}

struct `A log that is removed` {
  private func remove(_ path: String, _ endings: [String]) throws {
    for ending in endings { try FileManager.default.removeItem(atPath: path + ending) }
  }

  @Test(arguments: [["-wal"], ["-wal", "-shm"]])
  func
    `A log that is removed lets nothing else of the process open the database until the writer has closed it`(
      endings: [String]
    ) throws
  {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    for number in 0..<30 { _ = submit([valid("\(number)")], to: ledger) }
    try remove(scratch.path, endings)
    #expect(throws: LedgerError.moved) { try LedgerFile(path: scratch.path) }
    #expect(throws: LedgerError.moved) { try LedgerReader(path: scratch.path) }
    // No postback comes; the look alone mends it.
    #expect(look(ledger) == 1)
    #expect(look(ledger) == 1)
    #expect(ledger.statistics.files.obstacle == nil)
    _ = try LedgerFile(path: scratch.path)
    _ = submit([valid("30")], to: ledger)
    ledger.close()
    #expect(try LedgerReader(path: scratch.path).examine().damage == [])
    #expect(
      try Connection(path: scratch.path, mode: .readOnly).integer("SELECT count(*) FROM postback") == 31)
  }

  @Test func `A log that is removed is kept open until readers let all of it into the file`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path, settings: LedgerSettings(busyMilliseconds: 50))
    _ = submit([valid("0")], to: ledger)
    var reader: LedgerReader? = try LedgerReader(path: scratch.path)
    try reader?.connection.execute("BEGIN")
    #expect(try reader?.connection.integer("SELECT count(*) FROM postback") == 1)
    for number in 1..<30 { _ = submit([valid("\(number)")], to: ledger) }
    try remove(scratch.path, ["-wal", "-shm"])
    #expect(look(ledger) == 1)
    #expect(look(ledger) == 1)
    #expect(ledger.statistics.files.obstacle == .moved)
    try reader?.connection.execute("COMMIT")
    _ = look(ledger)
    reader = nil
    _ = submit([valid("0")], to: ledger)
    #expect(ledger.statistics.files.obstacle == nil)
    ledger.close()
    #expect(
      try Connection(path: scratch.path, mode: .readOnly).integer("SELECT count(*) FROM postback") == 30)
  }

  @Test func `An empty log in place of the one that was removed keeps nothing from the file`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    for number in 0..<30 { _ = submit([valid("\(number)")], to: ledger) }
    try remove(scratch.path, ["-wal", "-shm"])
    // As a connection leaves it that was opened at that moment.
    #expect(FileManager.default.createFile(atPath: scratch.path + "-wal", contents: nil))
    #expect(look(ledger) == 1)
    _ = submit([valid("30")], to: ledger)
    ledger.close()
    #expect(
      try Connection(path: scratch.path, mode: .readOnly).integer("SELECT count(*) FROM postback") == 31)
  }

  @Test func `An index of a log that is removed alone is noticed too`() throws {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path)
    _ = try writer.commit((0..<30).map { valid("\($0)") })
    try remove(scratch.path, ["-shm"])
    #expect(throws: LedgerError.moved) { try writer.commit([valid("30")]) }
    #expect(writer.salvageLog())
  }

  /// Lets the writer look at its files, and returns how often they were lost, once it did.
  private func look(_ ledger: PostbackLedger) -> Int {
    ledger.lookAtFiles()
    // What is handed in later is done later.
    _ = submit([valid("0")], to: ledger)
    return ledger.statistics.files.losses
  }

  @Test func `A log that another program has begun anew is not written into the file`() throws {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path)
    _ = try writer.commit((0..<30).map { valid("\($0)") })
    try remove(scratch.path, ["-wal", "-shm"])
    // Another program, to which the file is not open.
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/python3")
    python.arguments = [
      "-c",
      """
      import os, sqlite3, sys
      connection = sqlite3.connect(sys.argv[1])
      connection.execute("CREATE TABLE IF NOT EXISTS theirs(a)")
      connection.commit()
      os._exit(0)
      """, scratch.path,
    ]
    try python.run()
    python.waitUntilExit()
    let before = try Data(contentsOf: URL(filePath: scratch.path))
    #expect(throws: LedgerError.moved) { try writer.commit([valid("30")]) }
    #expect(writer.salvageLog())
    #expect(try Data(contentsOf: URL(filePath: scratch.path)) == before)
  }
}

struct `A damaged database` {
  @Test func `A damaged database is found damaged by both checks or by none, wherever a byte differs`() throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 3, receipts: 300)
    let whole = try Data(contentsOf: URL(filePath: scratch.path))
    var random = SplitMix64(seed: 50)
    var found = 0
    for _ in 0..<50 {
      let place = Int(random.next() % UInt64(whole.count))
      var bytes = whole
      bytes[place] ^= 1 << UInt8(random.next() % 8)
      let copy = try ScratchDatabase()
      try bytes.write(to: URL(filePath: copy.path))
      let check = Result { try LedgerRebuild(path: copy.path).check() }
      let health = Result { try LedgerReader(path: copy.path).examine(rereadsBodies: true) }
      let isFound = (try? check.get().areEqual) != true
      let isIll = (try? health.get()).map { !$0.damage.isEmpty || !$0.contradictions.isEmpty } ?? true
      #expect(isFound == isIll, "byte \(place): \(check) \(health)")
      if isFound { found += 1 }
    }
    #expect(found > 5)
  }
}
