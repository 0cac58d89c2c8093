import Foundation
@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import System
import Testing
import Values
import Verification

struct `A ledger` {
  private let scratch: ScratchDatabase
  private let writer: LedgerWriter

  init() throws {
    scratch = try ScratchDatabase()
    writer = try LedgerWriter(path: scratch.path)
  }

  @Test func `A ledger counts ten copies of one conversion once`() throws {
    for round in 0..<10 {
      let commitments = try writer.commit([valid("a")])
      #expect(commitments.map(\.effect) == [round == 0 ? .first : .copy])
      #expect(commitments[0].row == 1)
    }
    let total = try #require(try totals(scratch.path).first)
    #expect(total.counts.installs == 1)
    #expect(total.counts.repeats == 9)
    let conversion = try #require(try LedgerReader(path: scratch.path).conversions(identifier: "a").first)
    #expect(conversion.copies.map(\.times) == [9])
    #expect(conversion.copies[0].body == nil)
  }

  @Test func `A ledger counts copies within one batch once`() throws {
    let novelties = try writer.commit([valid("a"), valid("b"), valid("a"), valid("a", country: "US")]).map(
      \.effect)
    #expect(novelties == [.first, .first, .copy, .copy])
    #expect(try totals(scratch.path).first?.counts.installs == 2)
  }

  @Test
  func `A ledger adds nothing when a file is read again, and a copy when another file contains the same`()
    throws
  {
    let july = Origin(.file, name: "july.ndjson")
    for _ in 0..<3 { _ = try writer.commit([valid("a", origin: july), valid("b", origin: july)]) }
    #expect(try totals(scratch.path).first?.counts.repeats == 0)
    #expect(
      try writer.commit([valid("a", origin: Origin(.file, name: "copy.ndjson"))])[0].effect == .copy)
    #expect(try totals(scratch.path).first?.counts.repeats == 1)
    #expect(try LedgerReader(path: scratch.path).conversions(identifier: "b")[0].copies.isEmpty)
  }

  @Test func `A ledger counts the three windows of an install as three postbacks and one install`() throws {
    for window in ConversionWindow.allCases { _ = try writer.commit([valid("a", window: window)]) }
    let total = try #require(try totals(scratch.path).first)
    #expect(total.counts.postbacks == 3)
    #expect(total.counts.installs == 1)
    #expect(try totals(scratch.path, dimensions: [.window]).map(\.counts.postbacks) == [1, 1, 1])
  }

  @Test
  func `A ledger counts a network's and an advertiser's copy as one conversion, whatever the letter case`()
    throws
  {
    let network = Origin(.forwarded, name: "acme")
    _ = try writer.commit([
      valid("a", network: "ABC.skadnetwork"),
      valid("a", origin: network, network: "abc.SKADNETWORK", body: "{enriched}"),
    ])
    let conversion = try #require(try LedgerReader(path: scratch.path).conversions(identifier: "a").first)
    #expect(conversion.origin == Origin(.advertiserCopy))
    #expect(conversion.copies.map(\.origin) == [network])
    #expect(conversion.copies[0].body == Array("{enriched}".utf8))
    #expect(try totals(scratch.path).first?.counts.postbacks == 1)
  }

  @Test func `A ledger distinguishes conversions by window, network, framework and exact identifier`() throws
  {
    let receipts = [
      valid("a"), valid("A"), valid("a", window: .second), valid("a", network: "other.skadnetwork"),
      valid("a", version: .adAttributionKit),
    ]
    #expect(try writer.commit(receipts).map(\.effect) == Array(repeating: .first, count: receipts.count))
    // The same letter in two Unicode spellings: equal for Swift, different for a signature.
    #expect(try writer.commit([valid("e\u{301}"), valid("\u{E9}")]).map(\.effect) == [.first, .first])
  }

  @Test(arguments: [
    (ConversionValue.fine(FineValue(8)!), ["value"]), (.absent, ["value"]), (.coarse(.high), ["value"]),
  ])
  func `A ledger records a copy with another value as a conflict and keeps the first`(
    value: ConversionValue, fields: [String]
  ) throws {
    let novelties = try writer.commit([valid("a"), valid("a", value: value)]).map(\.effect)
    #expect(novelties == [.first, .conflict(fields)])
    let total = try #require(try totals(scratch.path).first)
    #expect(total.counts.fine[7] == 1)
    #expect(total.counts.conflicts == 1)
    #expect(total.counts.winners == 1)
    let conversion = try #require(try LedgerReader(path: scratch.path).conversions(identifier: "a").first)
    #expect(conversion.copies.map(\.conflict) == [fields])
  }

  @Test func `A ledger treats a country that one copy lacks as no conflict, and two countries as one`() throws
  {
    let novelties = try writer.commit([
      valid("a", country: "US"), valid("a"), valid("a", country: "DE"),
    ]).map(\.effect)
    #expect(novelties == [.first, .copy, .conflict(["country"])])
  }

  @Test func `A ledger keeps a bounded number of different copies`() throws {
    for round in 0..<100 { _ = try writer.commit([valid("a", body: "copy \(round)")]) }
    let conversion = try #require(try LedgerReader(path: scratch.path).conversions(identifier: "a").first)
    #expect(conversion.copies.count { !$0.isCountedOnly } == PostbackStore.keptCopies)
    #expect(conversion.copies.filter(\.isCountedOnly).map(\.times) == [83])
    #expect(conversion.copies.reduce(0) { $0 + $1.times } == 99)
  }

  @Test func `A ledger never lets a forgery replace the genuine postback`() throws {
    let novelties = try writer.commit([rejected("a"), valid("a"), rejected("a")]).map(\.effect)
    #expect(novelties == [.keptRejected, .first, .keptRejected])
    #expect(try totals(scratch.path).first?.counts.installs == 1)
    #expect(try LedgerReader(path: scratch.path).rejectedBodies(identifier: "a").count == 2)
  }

  @Test func `A ledger counts rejected bodies beyond the quota without keeping them`() throws {
    let strict = try ScratchDatabase()
    let writer = try LedgerWriter(
      path: strict.path, settings: LedgerSettings(rejectedQuota: RejectedQuota(perSource: 3, perDay: 5)))
    func novelties(_ source: String, at time: Instant = noon) throws -> [Commitment.Effect] {
      try (0..<4).map { _ in try writer.commit([rejected("x", source: source, at: time)])[0].effect }
    }
    #expect(try novelties("one") == [.keptRejected, .keptRejected, .keptRejected, .countedRejected])
    #expect(try novelties("two") == [.keptRejected, .keptRejected, .countedRejected, .countedRejected])
    // Each state has its own quota: junk does not push out what can't be judged yet.
    #expect(
      try writer.commit([rejected("y", source: "one", state: .unverifiable)])[0].effect == .keptRejected)
    #expect(try novelties("one", at: noon + Day.milliseconds)[0] == .keptRejected)
    let count = try #require(
      try LedgerReader(path: strict.path).rejections(from: noon.day, to: noon.day.next).first {
        $0.state == .invalid
      })
    #expect(count == RejectionCount(state: .invalid, reason: "signature-mismatch", seen: 8, kept: 5))
  }

  @Test func `A ledger identifies the quota's owner only for rejected bodies and conflicting copies`() throws
  {
    let asked = Guarded(0)
    func counting(_ receipt: Receipt) -> Receipt {
      let origin = receipt.arrival.origin
      let arrival = Arrival(
        receivedAt: noon, origin: origin,
        quotaSource: asked.withLock { count in
          count += 1
          return "s"
        }, body: receipt.arrival.body)
      return Receipt(arrival: arrival, finding: receipt.finding)
    }
    _ = try writer.commit([counting(valid("q")), counting(valid("q")), counting(valid("q", country: "US"))])
    #expect(asked.withLock { $0 } == 0)
    #expect(try writer.commit([counting(valid("q", value: .absent))])[0].effect == .conflict(["value"]))
    #expect(asked.withLock { $0 } == 1)
    _ = try writer.commit([counting(rejected("x"))])
    #expect(asked.withLock { $0 } == 2)
  }

  @Test func `A ledger keeps the figures of each environment separate`() throws {
    _ = try writer.commit([valid("a")])
    #expect(try LedgerReader(path: scratch.path).campaigns(CampaignQuery(environment: .production)).isEmpty)
    #expect(try LedgerReader(path: scratch.path).campaigns(CampaignQuery(environment: .development)).isEmpty)
  }

  @Test func `A ledger folds source identifiers to their last digits`() throws {
    _ = try writer.commit(
      ["5239", "1239", "239", "39", "40"].enumerated().map { valid("\($0.offset)", campaign: $0.element) })
    func campaigns(_ digits: Int?) throws -> [String: Int64] {
      let rows = try totals(scratch.path, dimensions: [.campaign], digits: digits)
      return Dictionary(uniqueKeysWithValues: rows.map { ($0.campaign?.text ?? "", $0.counts.installs) })
    }
    #expect(try campaigns(2) == ["39": 4, "40": 1])
    #expect(try campaigns(3) == ["239": 3, "39": 1, "40": 1])
    #expect(try campaigns(nil) == ["5239": 1, "1239": 1, "239": 1, "39": 1, "40": 1])
  }

  @Test func `A ledger keeps a campaign-id and a source identifier of the same digits separate`() throws {
    _ = try writer.commit([valid("a", campaign: "42"), valid("b", campaign: "42", version: .v3_0)])
    #expect(try totals(scratch.path, dimensions: [.campaign]).count == 2)
  }

  @Test func `A ledger counts a value only for postbacks that won`() throws {
    let assist = valid("a", value: .rejected, outcome: .assist)
    let null = valid("b", value: .absent)
    let zero = valid("c", value: .fine(FineValue(0)!))
    let old = valid("d", value: .absent, campaign: "42", version: .v3_0)
    _ = try writer.commit([
      assist, null, zero, old, valid("e", value: .coarse(.low)), valid("f", value: .rejected),
    ])
    let counts = try #require(try totals(scratch.path).first?.counts)
    #expect(counts.assists == 1)
    #expect((counts.valueNull, counts.coarseNull, counts.fineZero, counts.finePositive) == (2, 1, 1, 0))
    #expect((counts.coarse(.low), counts.valueRejected, counts.winners) == (1, 1, 5))
  }

  @Test func `The apps of an environment are those of any day, each once`() throws {
    var random = SplitMix64(seed: 5)
    var expected: Set<Int64> = []
    for id in 0..<60 {
      let app = Int64.random(in: 1...9, using: &random)
      expected.insert(app)
      _ = try writer.commit([
        valid("\(id)", at: noon + Int64.random(in: 0..<5, using: &random) * Day.milliseconds, app: app)
      ])
    }
    let reader = try LedgerReader(path: scratch.path)
    #expect(try reader.apps(in: .test).map(\.number) == expected.sorted())
    #expect(try reader.apps(in: .production).isEmpty)
  }

  @Test func `A search for withheld values leaves out assists, which never carry one`() throws {
    _ = try writer.commit([
      valid("a", value: .absent, outcome: .assist), valid("b", value: .absent),
      valid("c", value: .coarse(.low)),
    ])
    let reader = try LedgerReader(path: scratch.path)
    var search = PostbackSearch(PostbackQuery(environment: .test))
    search.value = .absent
    #expect(try reader.newestPostbacks(search, atMost: 10).map(\.identifier) == ["b"])
    search.outcome = .assist
    #expect(try reader.newestPostbacks(search, atMost: 10).map(\.identifier) == ["a"])
  }

  @Test func `The hours of first windows are of the days, apps and networks that were asked for`() throws {
    _ = try writer.commit(
      (0..<4).flatMap { day in
        (1...2).map { app in
          valid("\(day) \(app)", at: noon + Int64(day) * Day.milliseconds, app: Int64(app), campaign: "5239")
        }
      })
    let reader = try LedgerReader(path: scratch.path)
    func days(_ query: CampaignQuery) throws -> [Int64] {
      var found: [Int64] = []
      try reader.forEachFirstWindowHour(query) { row in
        found.append((row.hour.day.start.milliseconds - noon.day.start.milliseconds) / Day.milliseconds)
      }
      return found.sorted()
    }
    let second = (noon + Day.milliseconds).day
    #expect(try days(CampaignQuery(environment: .test)) == [0, 0, 1, 1, 2, 2, 3, 3])
    #expect(
      try days(CampaignQuery(environment: .test, from: second, to: (noon + 3 * Day.milliseconds).day)) == [
        1, 1, 2, 2,
      ])
    #expect(try days(CampaignQuery(environment: .test, from: second, apps: [AppID(2)!])) == [1, 2, 3])
    #expect(try days(CampaignQuery(environment: .test, networks: [AdNetworkID("nobody.skadnetwork")!])) == [])
  }

  @Test func `A ledger has totals that equal the sum of its rows`() throws {
    var random = SplitMix64(seed: 11)
    let outcomes = Outcome.allCases
    for _ in 0..<60 {
      let batch = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        valid(
          "\(Int.random(in: 0..<400, using: &random))",
          value: .fine(FineValue(Int64.random(in: 0...63, using: &random))!),
          at: noon + Int64.random(in: 0..<3, using: &random) * Day.milliseconds,
          app: Int64.random(in: 1...3, using: &random),
          campaign: "52\(Int.random(in: 10...14, using: &random))",
          outcome: outcomes.randomElement(using: &random)!)
      }
      _ = try writer.commit(batch)
    }
    let connection = try Connection(path: scratch.path, mode: .readOnly)
    let fromRows = try connection.text(
      """
      SELECT group_concat(line, ';') FROM (
        SELECT app || ',' || campaign || ',' || count(*) || ',' || sum(outcome = 0) || ',' || sum(outcome = 3) || ','
          || sum(CASE WHEN outcome <> 3 THEN value ELSE 0 END) AS line
        FROM postback GROUP BY app, campaign ORDER BY app, campaign)
      """)
    let fromTotals = try totals(scratch.path, dimensions: [.app, .campaign]).map { row in
      let counts = row.counts
      let sum = (0...63).reduce(Int64(0)) { $0 + Int64($1) * counts.fine[$1] }
      return
        "\(row.app!.number),\(row.campaign!.text),\(counts.postbacks),\(counts.installs),\(counts.assists),\(sum)"
    }
    #expect(fromTotals.joined(separator: ";") == fromRows)
  }

  @Test func `A ledger stores nothing of a batch that fails, and continues afterwards`() throws {
    _ = try writer.commit([valid("a")])
    let other = try Connection(path: scratch.path, mode: .readWrite, busyMilliseconds: 0)
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: LedgerError.busy) { try impatient().commit([valid("b")]) }
    try other.execute("ROLLBACK")
    #expect(try writer.commit([valid("b"), valid("a")]).map(\.effect) == [.first, .copy])
  }

  private func impatient() throws -> LedgerWriter {
    try LedgerWriter(path: scratch.path, settings: LedgerSettings(busyMilliseconds: 1))
  }

  @Test func `A ledger rejects a database of a newer program and names both layouts`() throws {
    let connection = try Connection(path: scratch.path, mode: .readWrite)
    let number = try #require(try connection.integer("PRAGMA user_version"))
    try connection.execute("PRAGMA user_version = \((number >> 10) << 10 | 999)")
    #expect(throws: LedgerError.newerSchema(found: 999, known: Schema.layout())) {
      try LedgerWriter(path: scratch.path)
    }
    #expect(throws: LedgerError.newerSchema(found: 999, known: Schema.layout())) {
      try LedgerReader(path: scratch.path)
    }
  }

  @Test(arguments: ["", ":memory:"])
  func `A ledger rejects a name that is no file`(path: String) {
    #expect(throws: LedgerError.notAFile) { try LedgerWriter(path: path) }
  }

  @Test func `A ledger keeps conflicting copies however many harmless copies came before`() throws {
    for round in 0..<100 { _ = try writer.commit([valid("a", body: "copy \(round)")]) }
    _ = try writer.commit([valid("a", value: .fine(known(FineValue(8))))])
    let conversion = try #require(try LedgerReader(path: scratch.path).conversions(identifier: "a").first)
    #expect(conversion.copies.contains { $0.conflict == ["value"] })
  }

  @Test func `A ledger rejects another program's database and leaves it unchanged`() throws {
    let folder = try ScratchDatabase()
    do {
      let connection = try Connection(path: folder.path, mode: .create)
      try connection.execute("CREATE TABLE theirs(x)")
    }
    let before = try Data(contentsOf: URL(filePath: folder.path))
    #expect(throws: LedgerError.notALedger) { try LedgerWriter(path: folder.path) }
    #expect(try Data(contentsOf: URL(filePath: folder.path)) == before)
    try Data("no database at all, but long enough to be looked at as one".utf8).write(
      to: URL(filePath: folder.path))
    #expect(throws: LedgerError.notALedger) { try LedgerWriter(path: folder.path) }
  }
}
