import Foundation
@testable import Ledger
import PostbackFixtures
import SQLite
import Testing

struct `A database file` {
  private func stored(_ path: String) throws -> Int64? {
    try Connection(path: path, mode: .readOnly).integer("SELECT count(*) FROM postback")
  }

  private func error(_ answer: Result<Commitment, LedgerError>?) -> LedgerError? {
    if case .failure(let error)? = answer { error } else { nil }
  }

  @Test func `A database file that is deleted takes no more postbacks, and none is created until it is back`()
    throws
  {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    #expect(error(submit([valid("1")], to: ledger)[0]) == nil)
    let aside = scratch.path + "-aside"
    for part in ["", "-wal", "-shm"] {
      try FileManager.default.moveItem(atPath: scratch.path + part, toPath: aside + part)
    }
    #expect(error(submit([valid("2")], to: ledger)[0]) == .moved)
    #expect(error(submit([valid("2")], to: ledger)[0]) != nil)
    #expect(!FileManager.default.fileExists(atPath: scratch.path))
    for part in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: aside + part) {
      try FileManager.default.moveItem(atPath: aside + part, toPath: scratch.path + part)
    }
    #expect(error(submit([valid("3")], to: ledger)[0]) == nil)
    ledger.close()
    let ids = try Connection(path: scratch.path, mode: .readOnly)
      .text(
        "SELECT group_concat(identifier) FROM (SELECT identifier FROM postback WHERE identifier IN ('1','3') ORDER BY id)"
      )
    #expect(ids == "1,3")
  }

  @Test func `A change beside a running service makes no file where the database was moved away`() throws {
    let folder = try ScratchDatabase()
    let path = folder.path + "-moved"
    #expect(throws: LedgerError.self) { try LedgerFile.existing(path).write(RelayRetry(relay: "a")) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `A database file that is replaced by a backup is used from then on`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    #expect(error(submit([valid("1")], to: ledger)[0]) == nil)
    let copy = scratch.path + "-copy"
    try LedgerUpkeep(path: scratch.path).copy(to: copy)
    #expect(error(submit([valid("2")], to: ledger)[0]) == nil)
    for part in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: scratch.path + part) }
    #expect(rename(copy, scratch.path) == 0)
    #expect(error(submit([valid("3")], to: ledger)[0]) == .moved)
    #expect(error(submit([valid("3")], to: ledger)[0]) == nil)
    #expect(error(submit([valid("1")], to: ledger)[0]) == nil)
    ledger.close()
    #expect(try stored(scratch.path) == 2)
    #expect(try LedgerReader(path: scratch.path).examine().contradictions == [])
  }

  @Test func `A database file whose log is deleted keeps what was acknowledged`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    for number in 0..<20 { #expect(error(submit([valid("\(number)")], to: ledger)[0]) == nil) }
    try FileManager.default.removeItem(atPath: scratch.path + "-wal")
    #expect(error(submit([valid("20")], to: ledger)[0]) == .moved)
    // From here on even a crash loses nothing: all is in the file.
    #expect(try stored(scratch.path) ?? 0 >= 20)
    #expect(error(submit([valid("20")], to: ledger)[0]) == nil)
    ledger.close()
    #expect(try stored(scratch.path) == 21)
    #expect(try LedgerReader(path: scratch.path).examine().damage == [])
  }
}

struct `A log of another file` {
  /// Postbacks in a file, of which none waits in a log.
  private func filled(_ scratch: borrowing ScratchDatabase, _ names: Range<Int>) throws {
    let ledger = try PostbackLedger(path: scratch.path)
    for name in names { #expect(accepted(submit([valid("\(name)")], to: ledger)[0])) }
    ledger.close()
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "-wal"))
  }

  private func accepted(_ answer: Result<Commitment, LedgerError>?) -> Bool {
    if case .success? = answer { true } else { false }
  }

  private func stored(_ path: String) throws -> Int64? {
    try Connection(path: path, mode: .readOnly).integer("SELECT count(*) FROM postback")
  }

  private func remove(_ path: String) throws {
    for part in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + part) {
      try FileManager.default.removeItem(atPath: path + part)
    }
  }

  @Test func `A log of another file is rejected by writers and readers, and the file is unchanged`() throws {
    let (own, other) = (try ScratchDatabase(), try ScratchDatabase())
    try filled(own, 0..<20)
    try filled(other, 100..<110)
    let before = try Data(contentsOf: URL(filePath: own.path))
    let busy = try PostbackLedger(path: other.path)
    for name in 110..<400 { #expect(accepted(submit([valid("\(name)")], to: busy)[0])) }
    try FileManager.default.copyItem(atPath: other.path + "-wal", toPath: own.path + "-wal")
    busy.close()
    for _ in 0..<2 {
      #expect(throws: LedgerError.self) { _ = try LedgerWriter(path: own.path) }
      #expect(throws: LedgerError.self) { _ = try LedgerReader(path: own.path) }
      #expect(throws: LedgerError.self) { _ = try PostbackLedger(path: own.path) }
    }
    #expect(try Data(contentsOf: URL(filePath: own.path)) == before)
    try remove(own.path)
    #expect(try stored(own.path) == 20)
    try filled(own, 20..<25)
    #expect(try stored(own.path) == 25)
    #expect(try LedgerReader(path: own.path).examine().contradictions == [])
  }

  @Test(arguments: ["rename", "copy over"])
  func `A log of another file leaves a backup beside it whole until the log is moved away`(way: String) throws
  {
    let scratch = try ScratchDatabase()
    try filled(scratch, 0..<400)
    let copy = scratch.path + "-copy"
    try LedgerUpkeep(path: scratch.path).copy(to: copy)
    let ledger = try PostbackLedger(path: scratch.path)
    for name in 400..<700 { #expect(accepted(submit([valid("\(name)")], to: ledger)[0])) }
    if way == "rename" {
      #expect(rename(copy, scratch.path) == 0)
    } else {
      let file = try FileHandle(forWritingTo: URL(filePath: scratch.path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(contentsOf: URL(filePath: copy)))
      try file.close()
    }
    let backup = try Data(contentsOf: URL(filePath: scratch.path))
    for name in 700..<703 { #expect(!accepted(submit([valid("\(name)")], to: ledger)[0])) }
    #expect(try Data(contentsOf: URL(filePath: scratch.path)) == backup)
    try remove(scratch.path)
    for name in 700..<703 { #expect(accepted(submit([valid("\(name)")], to: ledger)[0])) }
    ledger.close()
    #expect(try stored(scratch.path) == 403)
    #expect(try LedgerReader(path: scratch.path).examine().damage == [])
  }
}

struct `An examination` {
  /// Changes a database behind its ledger's back, and returns what an examination reports about it.
  private func contradictions(after sql: String) throws -> [String] {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path, settings: LedgerSettings(recentKeys: 4))
    for number in 0..<60 {
      _ = try writer.commit([valid("\(number)"), valid("\(number / 2)", value: .absent)])
    }
    #expect(try LedgerReader(path: scratch.path).examine().contradictions == [])
    try Connection(path: scratch.path, mode: .readWrite).execute(sql)
    return try LedgerReader(path: scratch.path).examine().contradictions
  }

  @Test(arguments: [
    ("UPDATE copy_total SET repeats = repeats + 1", "further copies"),
    ("DELETE FROM copy_total", "conflicting copies"),
    ("UPDATE arrival_hour SET first = first + 1", "first arrivals"),
    ("DELETE FROM postback WHERE id = 3", "index has"),
    ("UPDATE postback SET fingerprint = fingerprint + 1 WHERE id = 3", "index has"),
    ("DELETE FROM key_block WHERE id = (SELECT min(id) FROM key_block)", "index"),
    ("UPDATE key_digest SET data = zeroblob(length(data))", "is damaged"),
    ("DELETE FROM key_digest", "key run"),
  ]) func `An examination of the database finds what disagrees with the rows`(_ sql: String, _ words: String)
    throws
  {
    #expect(try contradictions(after: sql).contains { $0.contains(words) })
  }
}
