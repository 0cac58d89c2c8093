@testable import Ledger
import PostbackFixtures
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
        let novelties = try writer.commit(ids.map { valid("id-\($0)") }).map(\.effect)
        for (id, effect) in zip(ids, novelties) {
          let isNew = known.insert(id).inserted
          #expect(effect == (isNew ? .first : .copy), "restart \(restart), id \(id)")
        }
      }
    }
    let connection = try LedgerDatabase(path: scratch.path, mode: .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM postback") == Int64(known.count))
    #expect(try connection.integer("SELECT max(level) FROM key_run WHERE state = 'live'") ?? 0 >= 2)
    #expect(try connection.integer("SELECT count(*) FROM key_run WHERE state = 'live'") ?? 99 < 24)
    let search = try KeySearch(connection)
    for id in known {
      #expect(try search.find(ConversionKey.fingerprints(of: "id-\(id)")).count == 1)
    }
  }

  @Test func `The key index goes on with merges that restarts interrupt, so that its runs stay few`() throws {
    let scratch = try ScratchDatabase()
    let settings = LedgerSettings(recentKeys: 300)
    func batch(_ life: Int, _ number: Int) -> [Receipt] {
      (0..<100).map { valid("\(life)-\(number)-\($0)") }
    }
    for life in 0..<40 {
      // As many keys as one run has, an eighth of what even the smallest merge has to move.
      let writer = try LedgerWriter(path: scratch.path, settings: settings)
      for number in 0..<3 {
        #expect(try writer.commit(batch(life, number)).allSatisfy { $0.effect == .first })
      }
    }
    let connection = try Connection(path: scratch.path, mode: .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM key_run WHERE state = 'live'") ?? 99 < 20)
    #expect(try connection.integer("SELECT max(level) FROM key_run WHERE state = 'live'") == 1)
    #expect(try contradictions(of: scratch) == [])
    let writer = try LedgerWriter(path: scratch.path, settings: settings)
    for life in 0..<40 {
      #expect(try writer.commit(batch(life, 1)).allSatisfy { $0.effect == .copy }, "life \(life)")
    }
  }

  @Test func `A merge moves keys in each process, however little of its output a step may read back`() throws
  {
    let scratch = try ScratchDatabase()
    do {
      let writer = try LedgerWriter(path: scratch.path, settings: LedgerSettings(recentKeys: 1000))
      for batch in 0..<8 { _ = try writer.commit((0..<1000).map { valid("\(batch)-\($0)") }) }
    }
    let connection = try LedgerDatabase(path: scratch.path, mode: .readWrite)
    let store = try KeyStore(connection)
    func resumed() throws -> KeyMerge {
      let rows = try store.runs()
      let row = try #require(rows.first { $0.state == .building })
      let inputs = try rows.filter { $0.state == .live && $0.level == 0 }.map { row in try store.load(row) }
      return try #require(try KeyMerge(resuming: row, of: inputs, store: store))
    }
    for life in 0..<20 {
      var merge = try resumed()
      let before = try store.blocks(of: merge.outputID)
      #expect(try merge.advance(506, store: store, readingBack: 1) == nil, "life \(life)")
      // 8,000 keys are 31 full blocks and what the last step writes.
      #expect(try store.blocks(of: merge.outputID) >= min(31, before + 2), "life \(life)")
    }
    var merge = try resumed()
    var merged: KeyRun?
    for _ in 0..<100 where merged == nil { merged = try merge.advance(506, store: store, readingBack: 1) }
    let run = try #require(merged)
    #expect(run.keys == 8000)
    #expect(run.fences == run.fences.sorted() && run.fences.count == 32)
    for number in run.fences.indices {
      for entry in KeyBlock.decode(try store.block(run: run.id, number: number)) {
        #expect(run.filter.suspects(among: [entry.fingerprint]) == [entry.fingerprint])
      }
    }
  }

  @Test(arguments: [0, 1, 5, 12, 22, 23, 24, 25])
  func `The key index goes on with a merge wherever it was interrupted`(commits: Int) throws {
    let scratch = try ScratchDatabase()
    let settings = LedgerSettings(recentKeys: 260)
    // Eight runs of two blocks each, of which some end in a block that is not full.
    do {
      let writer = try LedgerWriter(path: scratch.path, settings: settings)
      for batch in 0..<8 { _ = try writer.commit((0..<260 + batch).map { valid("\(batch)-\($0)") }) }
      for step in 0..<commits { _ = try writer.commit((0..<60).map { valid("step \(step)-\($0)") }) }
    }
    let connection = try Connection(path: scratch.path, mode: .readOnly)
    let blocks = "SELECT count(*) FROM key_block WHERE id >> 24 IN (SELECT id FROM key_run WHERE level = 1)"
    let before = try connection.integer(blocks) ?? 0
    let writer = try LedgerWriter(path: scratch.path, settings: settings)
    _ = try writer.commit([valid("another")])
    #expect(try connection.integer(blocks) ?? 0 >= before)
    for step in 0..<40 { _ = try writer.commit((0..<60).map { valid("later \(step)-\($0)") }) }
    #expect(try contradictions(of: scratch) == [])
    for batch in 0..<8 {
      let copies = try writer.commit((0..<260 + batch).map { valid("\(batch)-\($0)") })
      #expect(copies.allSatisfy { $0.effect == .copy })
    }
  }

  @Test func `The key index gives up a merge whose output does not come of its inputs`() throws {
    let scratch = try ScratchDatabase()
    let settings = LedgerSettings(recentKeys: 500)
    do {
      let writer = try LedgerWriter(path: scratch.path, settings: settings)
      for batch in 0..<8 { _ = try writer.commit((0..<500).map { valid("\(batch)-\($0)") }) }
      for step in 0..<4 { _ = try writer.commit((0..<150).map { valid("step \(step)-\($0)") }) }
    }
    let connection = try Connection(path: scratch.path, mode: .readWrite)
    #expect(try connection.integer("SELECT count(*) FROM key_run WHERE state = 'building'") == 1)
    let last = try #require(
      try connection.integer(
        "SELECT max(id) FROM key_block WHERE id >> 24 IN (SELECT id FROM key_run WHERE state = 'building')"))
    try connection.execute("UPDATE key_block SET data = (SELECT max(data) FROM key_block) WHERE id = \(last)")
    let given = try connection.integer("SELECT id FROM key_run WHERE state = 'building'") ?? 0
    let writer = try LedgerWriter(path: scratch.path, settings: settings)
    for step in 0..<40 { _ = try writer.commit((0..<150).map { valid("later \(step)-\($0)") }) }
    #expect(try connection.integer("SELECT count(*) FROM key_run WHERE id = \(given)") == 0)
    #expect(try contradictions(of: scratch) == [])
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
      let effect = try writer.commit([valid("\(id)")])[0].effect
      #expect(effect == (known.insert(id).inserted ? .first : .copy))
    }
  }

  @Test func `The key index distinguishes keys with one fingerprint`() throws {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path, settings: LedgerSettings(recentKeys: 4))
    // Networks that the eight bits for "the rest" can't all distinguish.
    let receipts = (0..<600).map { valid("same", network: "n\($0).skadnetwork") }
    for receipt in receipts { #expect(try writer.commit([receipt])[0].effect == .first) }
    for receipt in receipts { #expect(try writer.commit([receipt])[0].effect == .copy) }
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
    for id in 200..<260 { #expect(try writer.commit([valid("\(id)")])[0].effect == .first) }
    for id in 0..<260 { #expect(try writer.commit([valid("\(id)")])[0].effect == .copy) }
  }

  @Test func `The key index has a filter that never denies a key and seldom affirms a foreign one`() {
    var random = SplitMix64(seed: 9)
    let keys = (0..<20_000).map { _ in random.next() }
    var filter = KeyFilter(capacity: keys.count)
    for key in keys { filter.insert(key) }
    #expect(filter.suspects(among: Array(keys)).count == keys.count)
    let strangers = filter.suspects(among: (0..<100_000).map { _ in random.next() }).count
    #expect(strangers < 1500, "\(strangers) of 100000")
  }

  @Test func `A digest that is read in parts is the one that was written`() throws {
    var random = SplitMix64(seed: 10)
    var filter = KeyFilter(capacity: 300_000)
    for _ in 0..<1000 { filter.insert(random.next()) }
    for blocks in [1, 32_767, 32_768, 40_000] {
      let fences = (0..<blocks).map { _ in random.next() }
      let run = KeyRun(id: 1, level: 0, keys: 5, lastPostback: 0, fences: fences, filter: filter)
      let parts = (0...).lazy.map { KeyDigest.part($0, of: run) }.prefix { !$0.isEmpty }
      var reading = KeyDigest.Reading(blocks: blocks, bytes: parts.reduce(0) { $0 + $1.count })
      for part in parts { reading.take(part) }
      let read = try #require(reading.finish())
      #expect(read.fences == fences)
      #expect(read.filter == filter)
    }
    var short = KeyDigest.Reading(blocks: 2, bytes: 16)
    short.take([UInt8](repeating: 1, count: 16))
    #expect(short.finish() == nil)
  }

  @Test func `The key index finds fingerprints that span blocks`() {
    let run = KeyRun(
      id: 1, level: 0, keys: 5, lastPostback: 0, fences: [10, 20, 20, 30], filter: KeyFilter(capacity: 1))
    #expect(run.blocks(for: 20...20) == 0..<3)
    #expect(run.blocks(for: 5...9) == 0..<0)
    #expect(run.blocks(for: 35...40) == 3..<4)
    #expect(run.blocks(for: 10...10) == 0..<1)
  }

  /// What does not agree between the index and the conversions.
  private func contradictions(of scratch: ScratchDatabase) throws -> [String] {
    let connection = try LedgerDatabase(path: scratch.path, mode: .readOnly)
    return try connection.transaction { () throws(LedgerError) in
      try KeyAudit.contradictions(on: connection)
    }
  }
}
