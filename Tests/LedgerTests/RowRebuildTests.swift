@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import System
import Testing

struct `A recount from the bodies` {
  private static let damages: [(sql: String, column: RowDifference.Column, stored: String?)] = [
    ("version = iif(version = 40, 30, 40)", .version, nil),
    ("network = iif(network = 1, 2, 1)", .network, nil),
    ("app = 999", .app, "999"),
    ("campaign = '9999'", .campaign, "9999"),
    ("window = 2 - iif(window = 1, 2, window)", .window, nil),
    ("outcome = iif(outcome = 4, 0, 4)", .outcome, nil),
    ("interaction = iif(interaction IS 1, 0, 1)", .interaction, nil),
    ("value = iif(value IS 7, NULL, 7)", .value, nil),
    ("country = 'caf\u{E9}'", .country, "caf\u{E9}"),
    ("publisher = iif(publisher IS 1, NULL, 1)", .publisher, nil),
    ("marketplace = iif(marketplace IS 1, NULL, 1)", .marketplace, nil),
    ("identifier = 'changed'", .identifier, "changed"),
  ]

  @Test(arguments: damages.indices)
  func `A recount from the bodies finds the one changed column, and repairs row and totals`(index: Int) throws
  {
    let (sql, column, stored) = Self.damages[index]
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 9)
    let before = try (allTotals(scratch.path), allRows(scratch.path))
    try Connection(path: scratch.path, mode: .readWrite).execute("UPDATE postback SET \(sql) WHERE id = 17")
    #expect(try allRows(scratch.path).count { !before.1.contains($0) } == 1)
    let rebuild = LedgerRebuild(path: scratch.path)
    let found = try rebuild.check()
    let difference = try #require(found.rows.differences.first)
    #expect(found.rows.differences.count == 1)
    #expect(found.rows.differing == 1)
    #expect(found.rows.unreadable == 0)
    #expect(difference.row == 17)
    #expect(difference.column == column)
    if let stored { #expect(difference.stored == stored) }
    #expect(difference.stored.map { Array($0.utf8) } != difference.inBody.map { Array($0.utf8) })
    // The totals are still what the bodies come to.
    #expect(found.totals == [])
    #expect(try rebuild.repair() == found)
    #expect(try (allTotals(scratch.path), allRows(scratch.path)) == before)
    #expect(try rebuild.check().areEqual)
    #expect(try LedgerReader(path: scratch.path).examine().contradictions == [])
  }

  @Test func `A recount from the bodies corrects totals that were counted from changed rows`() throws {
    let scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path).commit([Self.postback("a"), Self.postback("b")])
    let before = try (allTotals(scratch.path), allRows(scratch.path))
    try Connection(path: scratch.path, mode: .readWrite).execute(
      """
      INSERT INTO network VALUES (9, 'another.skadnetwork'); UPDATE postback SET network = 9, country = 'DE';
      UPDATE arrival_hour SET network = 9
      """)
    let found = try LedgerRebuild(path: scratch.path).check()
    #expect(found.rows.differing == 2)
    #expect(found.rows.differences.count == 4)
    #expect(Set(found.totals.map(\.total)) == [.arrivals])
    #expect(try LedgerRebuild(path: scratch.path).repair() == found)
    #expect(try (allTotals(scratch.path), allRows(scratch.path)) == before)
    #expect(try LedgerRebuild(path: scratch.path).check().areEqual)
  }

  @Test func `A recount from the bodies restores the name of a network that was changed`() throws {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 2)
    let before = try allRows(scratch.path)
    try Connection(path: scratch.path, mode: .readWrite).execute(
      "UPDATE network SET identifier = 'other' WHERE id = 1")
    let found = try LedgerRebuild(path: scratch.path).check()
    #expect(Set(found.rows.differences.map(\.stored)) == ["other"])
    #expect(!found.totals.isEmpty)
    _ = try LedgerRebuild(path: scratch.path).repair()
    #expect(try allRows(scratch.path) == before)
    #expect(try LedgerRebuild(path: scratch.path).check().areEqual)
  }

  @Test func `A recount from the bodies lists a row whose body cannot be read, and does not change it`()
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 4)
    try Connection(path: scratch.path, mode: .readWrite).execute(
      "UPDATE postback SET body = x'7B' WHERE id = 3; UPDATE postback SET app = 8 WHERE id IN (4, 5)")
    let found = try LedgerRebuild(path: scratch.path).check()
    #expect(found.rows.unreadable == 1)
    #expect(found.rows.unreadableBodies == [UnreadableBody(row: 3, reason: "broken-json")])
    #expect(found.rows.differences.map(\.row) == [4, 5])
    #expect(found.totals == [])
    let row = try allRows(scratch.path)[2]
    #expect(try LedgerRebuild(path: scratch.path).repair() == found)
    #expect(try allRows(scratch.path)[2] == row)
    let after = try LedgerRebuild(path: scratch.path).check()
    #expect(!after.areEqual)
    #expect(after.rows.differing == 0)
  }

  @Test func `A recount from the bodies lists a bounded number of differences, and counts and repairs all`()
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 5, receipts: 3000)
    let before = try (allTotals(scratch.path), allRows(scratch.path))
    try Connection(path: scratch.path, mode: .readWrite).execute(
      "UPDATE postback SET app = 7, campaign = '3333'")
    var steps: [LedgerRebuild.Step] = []
    let found = try LedgerRebuild(path: scratch.path).check { steps.append($0) }
    #expect(found.rows.differences.count == RowFindings.listed)
    #expect(found.rows.differing == before.1.count)
    #expect(found.totals == [])
    #expect(steps.prefix(2) == [.examine, .read(bodies: 1000)])
    #expect(
      steps.suffix(LedgerRebuild.parts) == TotalsAudit.all.map { .compare($0.total) } + [.compare(.facts)])
    #expect(try LedgerRebuild(path: scratch.path).repair() == found)
    #expect(try (allTotals(scratch.path), allRows(scratch.path)) == before)
  }

  @Test func `A recount from the bodies that is interrupted while it reads changes nothing`() throws {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: 6, receipts: 3000)
    try Connection(path: scratch.path, mode: .readWrite).execute("UPDATE postback SET app = 7")
    let damaged = try allRows(scratch.path)
    let isInterrupted = Guarded(false)
    let rebuild = LedgerRebuild(path: scratch.path) { isInterrupted.withLock { $0 } }
    var steps = 0
    #expect(throws: LedgerError.tookTooLong) {
      _ = try rebuild.repair { _ in
        steps += 1
        isInterrupted.withLock { $0 = true }
      }
    }
    // It ended in the part where it was when the wish came.
    #expect(steps == 1)
    #expect(try allRows(scratch.path) == damaged)
  }

  private static func postback(_ id: String) -> Receipt {
    let body =
      #"{"version":"2.2","ad-network-id":"a.skadnetwork","campaign-id":4,"app-id":5,"transaction-id":"\#(id)","#
      + #""redownload":false,"fidelity-type":1,"conversion-value":7}"#
    return valid(
      id, network: "a.skadnetwork", app: 5, campaign: "4", version: .v2_2, body: body)
  }
}
