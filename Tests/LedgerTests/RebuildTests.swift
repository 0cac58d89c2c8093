import Foundation
@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

/// Every row of the tables of totals, in an order of its own.
func allTotals(_ path: String) throws -> [String] {
  let connection = try Connection(path: path, mode: .readOnly)
  var rows: [String] = []
  for sql in [
    "SELECT 'facts ' || id || ': ' || earliest || ' ' || latest || ' ' || hex(data) FROM postback_facts",
    "SELECT 'copies ' || day || ' ' || environment || ' ' || app || ' ' || network || ' ' || version || ' ' || campaign || ' ' || window || ' ' || outcome || ': ' || repeats || ' ' || conflicts FROM copy_total",
    "SELECT 'arrival ' || hour || ' ' || origin || ' ' || environment || ' ' || network || ': ' || first || ' ' || repeated || ' ' || conflicting || ' ' || rejected FROM arrival_hour",
    "SELECT 'rejected ' || day || ' ' || origin || ' ' || source || ' ' || state || ' ' || reason || ': ' || seen || ' ' || kept FROM rejected_total",
  ] {
    try connection.prepare(sql).forEachRow { rows.append($0.text(0) ?? "") }
  }
  return rows.sorted()
}

/// Every column of the postbacks, the networks by their names.
func allRows(_ path: String) throws -> [String] {
  let columns = [
    "p.id", "fingerprint", "received_at", "origin", "environment", "version", "n.identifier", "app",
    "campaign",
    "window", "outcome", "coalesce(interaction, 'none')", "coalesce(value, 'none')",
    "coalesce(country, 'none')",
    "coalesce((SELECT identifier FROM publisher u WHERE u.id = p.publisher), 'none')",
    "coalesce((SELECT identifier FROM marketplace m WHERE m.id = p.marketplace), 'none')",
    "p.identifier", "hex(body)",
  ].joined(separator: " || ' ' || ")
  var rows: [String] = []
  try Connection(path: path, mode: .readOnly).prepare(
    "SELECT \(columns) FROM postback p LEFT JOIN network n ON n.id = p.network ORDER BY p.id"
  ).forEachRow { rows.append($0.text(0) ?? "") }
  return rows
}

/// Stores a random history of some days, the epoch's midnight among them.
func storeHistory(_ path: String, seed: UInt64, receipts: Int = 400) throws {
  var random = SplitMix64(seed: seed)
  func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
  let starts = [Instant(seconds: 0), noon, Instant(seconds: -86_400 * 400)]
  let writer = try LedgerWriter(path: path, settings: LedgerSettings(recentKeys: 32))
  var batch: [Receipt] = []
  var sent: [Receipt] = []
  for number in 0..<receipts {
    if pick(4) == 0, let again = sent.indices.randomElement(using: &random).map({ sent[$0] }) {
      let moment = again.arrival.receivedAt + Int64(pick(3 * 86_400_000))
      batch.append(
        Receipt(
          arrival: Arrival(
            receivedAt: moment, origin: Origin(.networkAddress), quotaSource: "s", body: again.arrival.body),
          finding: again.finding))
    }
    let moment = starts[pick(starts.count)] + Int64(pick(4 * 86_400_000)) - 2 * 86_400_000
    if pick(6) == 0 {
      batch.append(rejected("x\(pick(50))", source: "s\(pick(3))", at: moment))
    } else {
      sent.append(
        DrawnPostback(id: "\(pick(receipts / 2))", &random).receipt(
          at: moment, from: [Origin(.advertiserCopy), Origin(.forwarded, name: "acme")][pick(2)]))
      batch.append(sent[sent.count - 1])
    }
    if pick(20) == 0 || number == receipts - 1 {
      _ = try writer.commit(batch)
      batch = []
    }
  }
}

private func - (moment: Instant, milliseconds: Int64) -> Instant { moment + -milliseconds }

struct `A recount of the totals` {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `A recount of the totals finds no difference to what the writer has counted, before 1970 too`(
    seed: UInt64
  ) throws {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed)
    let nothing = LedgerRebuild.Findings(rows: RowFindings(), totals: [])
    #expect(try LedgerRebuild(path: scratch.path).check() == nothing)
    #expect(try LedgerReader(path: scratch.path).examine().contradictions == [])
    let before = try (allTotals(scratch.path), allRows(scratch.path))
    #expect(try LedgerRebuild(path: scratch.path).repair() == nothing)
    #expect(try (allTotals(scratch.path), allRows(scratch.path)) == before)
  }

  @Test func `A recount of the totals puts an arrival before 1970 into its own day and hour`() throws {
    let scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path).commit([
      valid("a", at: Instant(milliseconds: -1)), valid("b", at: Instant(seconds: -86_400)),
      valid("c", at: Instant(milliseconds: 0)), rejected("x", at: Instant(milliseconds: -1)),
    ])
    #expect(try totals(scratch.path, dimensions: [.day]).map(\.counts.postbacks) == [2, 1])
    #expect(try LedgerReader(path: scratch.path).examine().contradictions == [])
    var days: [Day: Int64] = [:]
    try LedgerReader(path: scratch.path).forEachCountableCell(
      in: Day(number: -3)..<Day(number: 3), of: ["example123.skadnetwork"]
    ) { days[$0.day, default: 0] += $0.count }
    #expect(days == [Day(number: -1): 2, Day(number: 0): 1])
  }

  private static let damages: [(sql: String, totals: Set<TotalsDifference.Total>)] = [
    ("UPDATE arrival_hour SET first = first + 1 WHERE network = 1", [.arrivals]),
    ("DELETE FROM arrival_hour WHERE network <> 0 AND repeated = 0 AND conflicting = 0", [.arrivals]),
    ("UPDATE arrival_hour SET rejected = rejected + 1 WHERE rejected > 0", [.rejectedArrivals]),
    ("UPDATE rejected_total SET kept = 0", [.keptRejected]),
    ("UPDATE copy_total SET repeats = repeats + 1 WHERE repeats > 0", [.repeats]),
    ("UPDATE copy_total SET conflicts = 0", [.conflicts]),
    ("DELETE FROM copy_total", [.repeats, .conflicts]),
    ("UPDATE copy_total SET outcome = 4 WHERE outcome = 1 AND repeats > 0", [.repeats]),
    ("INSERT INTO copy_total VALUES (5, 2, 9, 1, 40, '99', 0, 0, 0, 7)", [.conflicts]),
    (
      "UPDATE arrival_hour SET repeated = 0, conflicting = conflicting + 1 WHERE network = 2", [.copyArrivals]
    ),
  ]

  @Test(arguments: damages.indices)
  func `A recount of the totals finds what was damaged and nothing else, and repairs it`(index: Int) throws {
    let (sql, damaged) = Self.damages[index]
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 9)
    let before = try allTotals(scratch.path)
    try Connection(path: scratch.path, mode: .readWrite).execute(sql)
    #expect(try allTotals(scratch.path) != before)
    let rebuild = LedgerRebuild(path: scratch.path)
    let found = try rebuild.check()
    #expect(Set(found.totals.map(\.total)) == damaged)
    #expect(found.rows.areEqual)
    #expect(try LedgerReader(path: scratch.path).examine().wrongTotals == damaged.count)
    #expect(try rebuild.repair() == found)
    #expect(try rebuild.check().areEqual)
    let health = try LedgerReader(path: scratch.path).examine()
    #expect(health.contradictions == [])
    #expect(health.copies.stored == health.copies.counted)
    // All that rows determine exactly is unchanged.
    if damaged.isSubset(of: [.arrivals, .keptRejected]) {
      #expect(try allTotals(scratch.path) == before)
    }
    // And a writer goes on from there.
    _ = try LedgerWriter(path: scratch.path).commit([valid("new"), valid("new"), rejected("y")])
    #expect(try rebuild.check().totals == [])
  }

  @Test func `A recount of the totals reports what is stored, what is counted, and where`() throws {
    let scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path).commit([valid("a"), valid("b")])
    try Connection(path: scratch.path, mode: .readWrite).execute("UPDATE arrival_hour SET first = 5")
    let difference = try #require(try LedgerRebuild(path: scratch.path).check().totals.first)
    #expect(difference.column == "first")
    #expect(difference.stored == 5)
    #expect(difference.counted == 2)
    #expect(
      difference.place.map { "\($0.key.rawValue)=\($0.text ?? "")" } == [
        "hour=2026-11-21T12:00:00Z", "origin=advertiser-copy", "environment=test",
        "network=example123.skadnetwork",
      ])
  }

  @Test
  func `A recount of the totals repairs only without a service, and changes nothing when it is interrupted`()
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 3, receipts: 3000)
    try Connection(path: scratch.path, mode: .readWrite).execute("UPDATE arrival_hour SET first = 5")
    let damaged = try allTotals(scratch.path)
    #expect(throws: LedgerError.tookTooLong) {
      try LedgerRebuild(path: scratch.path, isInterrupted: { true }).repair()
    }
    #expect(throws: LedgerError.tookTooLong) {
      try LedgerRebuild(path: scratch.path, isInterrupted: { true }).check()
    }
    #expect(try allTotals(scratch.path) == damaged)
    let ledger = try PostbackLedger(path: scratch.path)
    #expect(try !LedgerRebuild(path: scratch.path).check().totals.isEmpty)
    #expect(throws: LedgerError.busy) { try LedgerRebuild(path: scratch.path).repair() }
    ledger.close()
    #expect(try !LedgerRebuild(path: scratch.path).repair().totals.isEmpty)
  }
}
