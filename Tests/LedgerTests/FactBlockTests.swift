@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

struct `Blocks of facts` {
  private func facts(_ random: inout SplitMix64) -> PostbackFacts {
    func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
    return PostbackFacts(
      receivedAt: pick([0, -1, 1_795_262_400_000, .max, .min, Int64(bitPattern: random.next())]),
      source: .init(
        environment: pick([0, 1, 2, -7]), app: pick([1, 525_463_029, .max]), network: pick([1, 2, 300]),
        version: pick([10, 40, 100]), window: pick([0, 1, 2]), outcome: pick([0, 3, 4, 99])),
      campaign: pick(["", "39", "0039", "5239", "not a number", "\u{1F}"]),
      interaction: pick([nil, 0, 1, 7, -1]),
      value: pick([nil, -1, 0, 1, 63, 64, 65, 66, 67, 68, 99, .min, .max]),
      country: pick([nil, "US", "other", ""]), publisher: pick([nil, 1, 5000, .max, .min]),
      marketplace: pick([nil, 1, 2]))
  }

  private func read(_ bytes: [UInt8]) throws -> [PostbackFacts] {
    var cursor = try FactBlock.Cursor(bytes)
    var found: [PostbackFacts] = []
    while try cursor.next() { found.append(cursor.facts) }
    return found
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func
    `Blocks of facts give back what was put in, and no damage makes reading them fail otherwise than with an error`(
      seed: UInt64
    ) throws
  {
    var random = SplitMix64(seed: seed)
    let postbacks = (0..<200).map { _ in facts(&random) }
    var block = FactBlock()
    for postback in postbacks { block.append(postback) }
    #expect(try read(block.bytes) == postbacks)
    #expect(throws: FactBlock.Malformed.self) { try read([]) }
    #expect(throws: FactBlock.Malformed.self) { try read([2] + block.bytes.dropFirst()) }
    #expect(throws: FactBlock.Malformed.self) { try read(Array(block.bytes.dropLast())) }
    for _ in 0..<300 {
      var damaged = block.bytes
      damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: random.next())
      _ = try? read(damaged)
      _ = try? read(Array(damaged.prefix(Int(random.next() % UInt64(damaged.count)))))
    }
  }

  @Test func `Blocks of facts are written with their last rows, and reports by them are those by totals`()
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 1, receipts: 2500)
    let reader = try LedgerReader(path: scratch.path)
    let rows = try #require(try reader.connection.integer("SELECT max(id) FROM postback"))
    let blocks = try #require(try reader.connection.integer("SELECT count(*) FROM postback_facts"))
    #expect(rows > 2 * FactBlocks.rows && rows % FactBlocks.rows > 0 && blocks == rows / FactBlocks.rows)
    for from in [nil, noon.day] {
      let query = CampaignQuery(
        environment: .test, from: from,
        dimensions: [.day, .app, .network, .campaign, .version, .window, .outcome])
      let (byTotals, byPostbacks) = try (
        counted(query, reader, .totals), counted(query, reader, .postbacks)
      )
      #expect(byTotals == byPostbacks && !byTotals.isEmpty)
    }
  }

  private func counted(
    _ query: CampaignQuery, _ reader: LedgerReader, _ sources: LedgerReader.CampaignSources
  ) throws -> [CampaignRow] {
    try reader.campaigns(query, decodingFor: [], hourly: [], countedFrom: sources) { _, _ in }.rows
      .filter { $0.counts.postbacks > 0 }.map {
        var row = $0
        (row.counts.repeats, row.counts.conflicts) = (nil, nil)
        return row
      }
  }

  @Test func `Blocks of facts of other days are not read`() throws {
    let scratch = try ScratchDatabase()
    let count = FactBlocks.rows * 2
    _ = try LedgerWriter(path: scratch.path).commit(
      (0..<count).map { valid("\($0)", at: noon + $0 * Hour.milliseconds) })
    try Connection(path: scratch.path, mode: .readWrite).execute(
      "UPDATE postback_facts SET data = x'09' WHERE id = 0")
    let reader = try LedgerReader(path: scratch.path)
    var query = CampaignQuery(environment: .test, dimensions: [.interaction])
    #expect(throws: LedgerError.self) { try reader.campaigns(query) }
    query.from = (noon + count * Hour.milliseconds).day
    #expect(try reader.campaigns(query).first?.counts.postbacks == 4)
    query.to = query.from
    #expect(try reader.campaigns(query).isEmpty)
  }

  @Test(arguments: [
    ("UPDATE postback_facts SET data = substr(data, 1, 400) WHERE id = 1", "513 to 1024"),
    ("UPDATE postback_facts SET latest = latest + 1 WHERE id = 0", "1 to 512"),
    (
      "UPDATE postback_facts SET data = (SELECT data FROM postback_facts WHERE id = 1) WHERE id = 0",
      "1 to 512"
    ),
    ("DELETE FROM postback_facts WHERE id = 0", "1 to 512"),
    (
      "INSERT INTO postback_facts SELECT 2000, earliest, latest, data FROM postback_facts WHERE id = 0",
      "1024001 to 1024512"
    ),
  ])
  func `Blocks of facts that differ from their rows are found, named and written again`(
    damage: String, rows: String
  ) throws {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 2, receipts: 2500)
    #expect(try LedgerRebuild(path: scratch.path).check().areEqual)
    let query = CampaignQuery(environment: .test, dimensions: [.publisher, .country, .tier, .week])
    let before = try LedgerReader(path: scratch.path).campaigns(query)
    try Connection(path: scratch.path, mode: .readWrite).execute(damage)
    let found = try LedgerRebuild(path: scratch.path).check()
    #expect(found.totals.map(\.total) == [.facts])
    #expect(found.totals.first?.place == [.init(key: .rows, text: rows)])
    let health = try LedgerReader(path: scratch.path).examine()
    #expect(health.contradictions == ["the facts of 1 blocks of postbacks differ from their postbacks"])
    #expect(health.wrongTotals == 1)
    #expect(try LedgerRebuild(path: scratch.path).repair() == found)
    #expect(try LedgerRebuild(path: scratch.path).check().areEqual)
    #expect(try LedgerReader(path: scratch.path).campaigns(query) == before)
  }

  @Test
  func `Blocks of facts that are missing do not hide rows, and damaged ones end a report with the cure`()
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 3, receipts: 2500)
    let query = CampaignQuery(environment: .test, dimensions: [.publisher, .interaction])
    let before = try LedgerReader(path: scratch.path).campaigns(query)
    try Connection(path: scratch.path, mode: .readWrite).execute("DELETE FROM postback_facts WHERE id = 0")
    #expect(try LedgerReader(path: scratch.path).campaigns(query) == before)
    try Connection(path: scratch.path, mode: .readWrite).execute("UPDATE postback_facts SET data = x'09'")
    do {
      _ = try LedgerReader(path: scratch.path).campaigns(query)
      Issue.record("a damaged block was read")
    } catch { #expect("\(error)".contains("skan rebuild --repair")) }
  }
}
