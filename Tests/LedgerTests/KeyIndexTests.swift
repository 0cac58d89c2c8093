@testable import Ledger
import Postbacks
import SQLite
import Testing
import Values

struct `The key index` {
  @Test func `The key index finds every earlier key through seals, merges and restarts`() throws {
    let scratch = try ScratchDatabase()
    let settings = LedgerSettings(recentKeys: 16)
    var random = SplitMix64(seed: 3)
    var known: Set<Int> = []
    for restart in 0..<6 {
      let writer = try LedgerWriter(path: scratch.path, settings: settings)
      for _ in 0..<80 {
        let ids = (0..<Int.random(in: 1...24, using: &random)).map { _ in
          Int.random(in: 0..<9000, using: &random)
        }
        let novelties = try writer.commit(ids.map { valid("id-\($0)") }).map(\.novelty)
        for (id, novelty) in zip(ids, novelties) {
          let isNew = known.insert(id).inserted
          #expect(novelty == (isNew ? .first : .copy), "restart \(restart), id \(id)")
        }
      }
    }
    let connection = try Connection(path: scratch.path, mode: .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM postback") == Int64(known.count))
    #expect(try connection.integer("SELECT max(level) FROM key_run WHERE state = 'live'") ?? 0 >= 2)
    #expect(try connection.integer("SELECT count(*) FROM key_run WHERE state = 'live'") ?? 99 < 24)
    let search = try KeySearch(connection)
    for id in known {
      #expect(try search.find(ConversionKey.fingerprints(of: "id-\(id)")).count == 1)
    }
  }

  @Test func `The key index removes the rows of merged and abandoned runs`() throws {
    let scratch = try ScratchDatabase()
    let settings = LedgerSettings(recentKeys: 16)
    do {
      let writer = try LedgerWriter(path: scratch.path, settings: settings)
      for id in 0..<140 { _ = try writer.commit([valid("\(id)")]) }
    }
    let connection = try Connection(path: scratch.path, mode: .readOnly)
    // The writer is gone in the middle of a merge or just after it; a new one cleans up as it goes on.
    let writer = try LedgerWriter(path: scratch.path, settings: settings)
    for id in 140..<160 { _ = try writer.commit([valid("\(id)")]) }
    #expect(try connection.integer("SELECT count(*) FROM key_run WHERE state = 'dead'") == 0)
    let orphans = try connection.integer(
      "SELECT count(*) FROM key_block WHERE id >> 24 NOT IN (SELECT id FROM key_run)")
    #expect(orphans == 0)
  }

  @Test func `The key index is right when two writers take turns`() throws {
    let scratch = try ScratchDatabase()
    let settings = LedgerSettings(recentKeys: 16)
    let writers = [
      try LedgerWriter(path: scratch.path, settings: settings),
      try LedgerWriter(path: scratch.path, settings: settings),
    ]
    var random = SplitMix64(seed: 5)
    var known: Set<Int> = []
    for _ in 0..<600 {
      let id = Int.random(in: 0..<400, using: &random)
      let writer = writers[Int.random(in: 0...1, using: &random)]
      let novelty = try writer.commit([valid("\(id)")])[0].novelty
      #expect(novelty == (known.insert(id).inserted ? .first : .copy))
    }
  }

  @Test func `The key index distinguishes keys with one fingerprint`() throws {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path, settings: LedgerSettings(recentKeys: 4))
    // Networks that the eight bits for "the rest" can't all distinguish.
    let receipts = (0..<600).map { valid("same", network: "n\($0).skadnetwork") }
    for receipt in receipts { #expect(try writer.commit([receipt])[0].novelty == .first) }
    for receipt in receipts { #expect(try writer.commit([receipt])[0].novelty == .copy) }
    #expect(try LedgerReader(path: scratch.path).conversions(identifier: "same").count == 600)
  }

  @Test func `The key index removes what a failed batch had added`() throws {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path, settings: LedgerSettings(recentKeys: 16))
    for id in 0..<200 { _ = try writer.commit([valid("\(id)")]) }
    // Rows of one megabyte run into a file that may not grow any more.
    let connection = try Connection(path: scratch.path, mode: .readWrite)
    try connection.execute(
      "CREATE TRIGGER full BEFORE INSERT ON postback BEGIN SELECT RAISE(ABORT, 'full'); END")
    for id in 200..<260 { #expect(throws: LedgerError.self) { try writer.commit([valid("\(id)")]) } }
    try connection.execute("DROP TRIGGER full")
    for id in 200..<260 { #expect(try writer.commit([valid("\(id)")])[0].novelty == .first) }
    for id in 0..<260 { #expect(try writer.commit([valid("\(id)")])[0].novelty == .copy) }
  }

  @Test func `The key index has a filter that never denies a key and seldom affirms a foreign one`() {
    var random = SplitMix64(seed: 9)
    let keys = (0..<20_000).map { _ in random.next() }
    var filter = KeyFilter(capacity: keys.count)
    for key in keys { filter.insert(key) }
    #expect(keys.allSatisfy(filter.mayContain))
    let strangers = (0..<100_000).count { _ in filter.mayContain(random.next()) }
    #expect(strangers < 1500, "\(strangers) of 100000")
  }

  @Test func `The key index finds fingerprints that span blocks`() {
    let run = KeyRun(
      id: 1, level: 0, keys: 5, lastPostback: 0, fences: [10, 20, 20, 30], filter: KeyFilter(capacity: 1))
    #expect(run.blocks(for: 20...20) == 0..<3)
    #expect(run.blocks(for: 5...9) == 0..<0)
    #expect(run.blocks(for: 35...40) == 3..<4)
    #expect(run.blocks(for: 10...10) == 0..<1)
  }
}
