@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing

struct `A reader with a time limit` {
  private let scratch: ScratchDatabase

  init() throws {
    scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path).commit([valid("a"), valid("b"), valid("c")])
  }

  /// Counts for minutes unless it is interrupted.
  private func countForLong(_ reader: LedgerReader) throws(LedgerError) {
    let rows = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 5000000000)"
    _ = try reader.connection.integer("\(rows) SELECT count(*) FROM c")
  }

  @Test(.timeLimit(.minutes(1))) func `A reader with a time limit ends a query that takes longer`() throws {
    let reader = try LedgerReader(path: scratch.path, endingAfterSeconds: 0.1)
    #expect(throws: LedgerError.tookTooLong) { try countForLong(reader) }
    #expect(throws: LedgerError.tookTooLong) {
      try reader.consistently { () throws(LedgerError) in try countForLong(reader) }
    }
  }

  @Test func `Questions inside of one look at the database see the state of that look`() throws {
    let reader = try LedgerReader(path: scratch.path)
    let counts = try reader.consistently { () throws(LedgerError) in
      let before = try reader.consistently { () throws(LedgerError) in
        try reader.campaigns(CampaignQuery(environment: .test))
      }
      _ = try LedgerWriter(path: scratch.path).commit([valid("d")])
      return [before, try reader.campaigns(CampaignQuery(environment: .test))].map {
        $0.reduce(0) { $0 + $1.counts.postbacks }
      }
    }
    #expect(counts == [3, 3])
    let after = try reader.campaigns(CampaignQuery(environment: .test))
    #expect(after.reduce(0) { $0 + $1.counts.postbacks } == 4)
  }

  @Test func `A reader with a time limit does not affect a query with enough time`() throws {
    let reader = try LedgerReader(path: scratch.path, endingAfterSeconds: 3600)
    #expect(try reader.conversions(identifier: "a").count == 1)
  }

  @Test(arguments: [(0, ["a", "b", "c"]), (1, ["b", "c"]), (3, []), (.max, [])] as [(Int64, [String])])
  func `A reader with a time limit begins behind a row`(row: Int64, identifiers: [String]) throws {
    var found: [String] = []
    try LedgerReader(path: scratch.path).forEachPostback(PostbackQuery(environment: .test), after: row) {
      found.append($0.identifier)
      return true
    }
    try LedgerReader(path: scratch.path).forEachPostback(PostbackQuery(), after: row) {
      found.append($0.identifier)
      return true
    }
    #expect(found == identifiers)
  }
}
