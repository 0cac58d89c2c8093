@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

struct `Blocks of facts` {
  /// Stores random postbacks of two blocks and some more.
  private func storeBlocks(_ path: String, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let receipts = (0..<2 * FactBlocks.rows + 100).map { number in
      DrawnPostback(id: "\(number)", &random).receipt(
        at: noon + Int64(random.number(below: 400)) * Hour.milliseconds, from: Origin(.advertiserCopy))
    }
    _ = try LedgerWriter(path: path).commit(receipts)
  }

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

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Blocks of facts give back what was put in, and any damage makes reading them fail`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let isWide = seed % 2 == 0
    let postbacks = (0..<200).map { number in
      var facts = facts(&random)
      if !isWide { facts.receivedAt = Int64(random.number(below: 1 << 40)) }
      if !isWide { (facts.publisher, facts.marketplace) = (Int64(number) * 300, nil) }
      return facts.numbers(source: Int64(number % Int(seed)))
    }
    let blocks = FactBlock.blocks(of: postbacks)
    #expect(isWide || blocks.count == 1)
    var found: [[Int64]] = []
    for block in blocks {
      var read = FactBlock()
      try read.read(block.bytes)
      #expect(read == block)
      let columns = FactBlock.Column.allCases.map { read.values($0) }
      found += (0..<read.count).map { place in columns.map { $0[place] } }
      try read.read(block.bytes, [.source])
      #expect(read.values(.source) == block.values(.source) && read.values(.second).isEmpty)
    }
    #expect(found == postbacks)
    let bytes = try #require(blocks.first).bytes
    var block = FactBlock()
    #expect(throws: FactBlock.Malformed.self) { try block.read([]) }
    for _ in 0..<300 {
      var damaged = bytes
      let place = Int(random.next() % UInt64(damaged.count))
      damaged[place] ^= UInt8(1 + random.number(below: 255))
      #expect(throws: FactBlock.Malformed.self) { try block.read(damaged) }
      #expect(throws: FactBlock.Malformed.self) { try block.read(Array(bytes.prefix(place))) }
    }
  }

  @Test(arguments: [nil, -1, 0, 63, 64, 66, 67, 99] as [Int64?])
  func `Blocks of facts have value and interaction in one number, or that they are not known`(value: Int64?) {
    var random = SplitMix64(seed: 1)
    for interaction in [nil, 0, 1, 7] as [Int64?] {
      var facts = facts(&random)
      (facts.value, facts.interaction) = (value, interaction)
      let isKnown = interaction != 7 && value != 67 && value != 99
      #expect((facts.detail == PostbackFacts.unknownDetail) != isKnown)
      guard isKnown else { continue }
      #expect(ConversionValue(slot: facts.detail % 69)?.code == value)
      #expect(facts.detail / 69 == (interaction ?? -1) + 1)
    }
  }

  @Test(arguments: [nil, "US", "AA", "ZZ", "other"])
  func `Blocks of facts have countries as numbers`(country: String?) {
    var random = SplitMix64(seed: 1)
    var facts = facts(&random)
    facts.country = country
    #expect(PostbackFacts.country(facts.countryNumber) == country)
  }

  @Test func `Blocks of facts are written with their last rows`() throws {
    let scratch = try ScratchDatabase()
    try storeBlocks(scratch.path, seed: 1)
    let reader = try LedgerReader(path: scratch.path)
    let rows = try #require(try reader.connection.integer("SELECT max(id) FROM postback"))
    let blocks = try #require(try reader.connection.integer("SELECT count(*) FROM postback_facts"))
    #expect(rows > 2 * FactBlocks.rows && rows % FactBlocks.rows > 0 && blocks == rows / FactBlocks.rows)
  }

  @Test func `Blocks of facts that no difference fits are left out, and their rows count all the same`()
    throws
  {
    let scratch = try ScratchDatabase()
    let count = FactBlocks.rows
    _ = try LedgerWriter(path: scratch.path).commit(
      (0..<count).map { valid("\($0)", at: $0 == 7 ? Instant(seconds: 253_402_300_799) : noon) })
    let reader = try LedgerReader(path: scratch.path)
    #expect(try reader.connection.integer("SELECT count(*) FROM postback_facts") == 0)
    #expect(try totals(scratch.path).first?.counts.postbacks == count)
    #expect(try reader.examine().contradictions == [])
    #expect(try LedgerRebuild(path: scratch.path).check().totals == [])
  }

  @Test(arguments: [false, true])
  func `Blocks of facts that are missing are written by a repair`(some: Bool) throws {
    let scratch = try ScratchDatabase()
    try storeBlocks(scratch.path, seed: 4)
    let blocks = "SELECT group_concat(hex(data)) FROM postback_facts ORDER BY id"
    func read() throws -> String? { try Connection(path: scratch.path, mode: .readOnly).text(blocks) }
    let before = try read()
    try Connection(path: scratch.path, mode: .readWrite).execute(
      "DELETE FROM postback_facts WHERE \(some ? "id = 1" : "true")")
    #expect(try read() != before)
    _ = try LedgerRebuild(path: scratch.path).repair()
    #expect(try read() == before)
  }

  @Test(arguments: [
    ([CampaignDimension.app, .network, .campaign], nil), ([.day, .country], nil), ([], 2),
    ([.campaign, .publisher, .outcome], 2),
  ])
  func `Blocks of facts come to the same on one processor and on two`(
    dimensions: [CampaignDimension], digits: Int?
  ) throws {
    let scratch = try ScratchDatabase()
    try storeBlocks(scratch.path, seed: 5)
    let reader = try LedgerReader(path: scratch.path)
    let query = CampaignQuery(environment: .test, dimensions: dimensions, digits: digits)
    func answer(helpedAfter blocks: Int?) throws -> (CampaignAnswer, [[ValueCount: Int64]]) {
      reader.blocksBeforeHelp = blocks
      var values: [Int: [ValueCount: Int64]] = [:]
      let answer = try reader.campaigns(query, decodingFor: [AppID(1), AppID(2)].compactMap(\.self)) {
        let kind = ValueCount(
          app: $1.app, version: $1.version, window: $1.window, outcome: $1.outcome, arrival: $1.arrival,
          value: $1.value, postbacks: 0, kind: 0)
        values[$0, default: [:]][kind, default: 0] += $1.postbacks
      }
      return (answer, values.sorted { $0.key < $1.key }.map(\.value))
    }
    let (alone, values) = try answer(helpedAfter: nil)
    #expect(alone.rows.reduce(0) { $0 + $1.counts.postbacks } > FactBlocks.rows)
    for blocks in 0...2 {
      let (helped, helpedValues) = try answer(helpedAfter: blocks)
      #expect(helped.rows == alone.rows && helped.coverage == alone.coverage && helpedValues == values)
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
    #expect(try reader.campaigns(query).first?.counts.postbacks == 20)
    query.to = query.from
    #expect(try reader.campaigns(query).isEmpty)
  }

  @Test(arguments: [
    "", "DELETE FROM postback_facts WHERE id = 0", "DELETE FROM postback_facts WHERE id = 1",
    "DELETE FROM postback_facts",
  ])
  func `Blocks of facts bound the rows that postbacks of some moments are among`(damage: String) throws {
    let scratch = try ScratchDatabase()
    let count = FactBlocks.rows * 2 + 50
    var random = SplitMix64(seed: 6)
    let moments = (0..<count).map { noon + ($0 * 1000 + Int64(random.number(below: 2_000_000))) }
    _ = try LedgerWriter(path: scratch.path).commit(moments.enumerated().map { valid("\($0)", at: $1) })
    try Connection(path: scratch.path, mode: .readWrite).execute(damage)
    let reader = try LedgerReader(path: scratch.path)
    for _ in 0..<50 {
      let from = noon + (Int64(random.number(below: 12_000_000)) - 1_000_000)
      let to = from + Int64(random.number(below: 3_000_000))
      var found: [String] = []
      try reader.forEachPostback(PostbackQuery(environment: .test, from: from, to: to)) {
        found.append($0.identifier)
        return true
      }
      #expect(found == moments.indices.filter { from <= moments[$0] && moments[$0] < to }.map { "\($0)" })
    }
    let last = try FactBlocks.rows(
      in: (noon + 9_000_000).milliseconds..<Int64.max, on: reader.connection)
    // The first block ends before; what is in no block can have any moment.
    let isFirstRead = damage.hasSuffix("id = 0") || damage.hasSuffix("facts")
    #expect(damage.hasSuffix("facts") || (last?.lowerBound == 1) == isFirstRead)
    #expect(try FactBlocks.rows(in: 0..<1, on: reader.connection) == nil || !damage.isEmpty)
  }

  @Test(arguments: [
    ("UPDATE postback_facts SET data = substr(data, 1, 400) WHERE id = 1", "4097 to 8192"),
    ("UPDATE postback_facts SET latest = latest + 1 WHERE id = 0", "1 to 4096"),
    (
      "UPDATE postback_facts SET data = (SELECT data FROM postback_facts WHERE id = 1) WHERE id = 0",
      "1 to 4096"
    ),
    ("DELETE FROM postback_facts WHERE id = 0", "1 to 4096"),
    (
      "INSERT INTO postback_facts SELECT 2000, earliest, latest, data FROM postback_facts WHERE id = 0",
      "8192001 to 8196096"
    ),
  ])
  func `Blocks of facts that differ from their rows are found, named and written again`(
    damage: String, rows: String
  ) throws {
    let scratch = try ScratchDatabase()
    try storeBlocks(scratch.path, seed: 2)
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
    try storeBlocks(scratch.path, seed: 3)
    let query = CampaignQuery(environment: .test, dimensions: [.publisher, .interaction])
    let before = try LedgerReader(path: scratch.path).campaigns(query)
    try Connection(path: scratch.path, mode: .readWrite).execute("DELETE FROM postback_facts WHERE id = 0")
    #expect(try LedgerReader(path: scratch.path).campaigns(query) == before)
    try Connection(path: scratch.path, mode: .readWrite).execute("UPDATE postback_facts SET data = x'09'")
    do {
      _ = try LedgerReader(path: scratch.path).campaigns(query)
      Issue.record("a damaged block was read")
    } catch {
      #expect("\(error)" == "the columns of postbacks 4097 to 8192 can't be read")
      #expect(error.remedy?.contains("skan rebuild --repair") ?? false)
    }
  }

  @Test(arguments: [
    "DELETE FROM fact_source", "DELETE FROM fact_source WHERE id = 2",
    "DELETE FROM fact_source WHERE id = (SELECT max(id) FROM fact_source); DELETE FROM postback_facts WHERE id = 0",
  ])
  func `Blocks of facts that name an unknown source end a report, and are written again`(damage: String)
    throws
  {
    let scratch = try ScratchDatabase()
    try storeBlocks(scratch.path, seed: 5)
    let query = CampaignQuery(environment: .test, dimensions: [.version, .network])
    let before = try LedgerReader(path: scratch.path).campaigns(query)
    try Connection(path: scratch.path, mode: .readWrite).execute(damage)
    #expect(throws: LedgerError.wrongFacts("columns of postbacks name a source that is not in fact_source")) {
      try LedgerReader(path: scratch.path).campaigns(query)
    }
    _ = try LedgerRebuild(path: scratch.path).repair()
    #expect(try LedgerReader(path: scratch.path).campaigns(query) == before)
    #expect(try LedgerReader(path: scratch.path).examine().contradictions == [])
  }
}
