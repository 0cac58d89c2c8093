@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

struct `The views for SQL` {
  /// Rows of a query as text.
  private func rows(_ path: String, _ sql: String, columns: Int) throws -> [[String?]] {
    var rows: [[String?]] = []
    try Connection(path: path, mode: .readOnly).prepare(sql).forEachRow { row in
      rows.append((0..<columns).map { row.text(Int32($0)) })
    }
    return rows
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `The views for SQL have every postback as its report has it`(seed: UInt64) throws {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed)
    var expected: [[String?]] = []
    try LedgerReader(path: scratch.path).forEachPostback(PostbackQuery(environment: .test)) { row in
      let milliseconds = row.receivedAt.milliseconds
      let fraction = ((milliseconds % 1000) + 1000) % 1000
      let second = Instant(milliseconds: milliseconds - fraction)
      let digits = String(repeating: "0", count: 3 - String(fraction).count) + String(fraction)
      expected.append([
        "\(row.row)", "\(second)".dropLast() + ".\(digits)Z", row.origin.route.rawValue, row.origin.name,
        "test",
        row.version.rawValue, "\(row.app.number)", row.network, row.campaign, "\(row.window.rawValue + 1)",
        row.outcome.rawValue, row.interaction?.rawValue, row.outcome == .assist ? nil : row.value.word,
        row.country,
        row.publisher, row.marketplace, row.tier?.text, row.identifier,
      ])
      return true
    }
    #expect(!expected.isEmpty)
    let found = try rows(scratch.path, "SELECT * FROM v_postbacks ORDER BY row", columns: 18)
    #expect(found == expected)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `The views for SQL have the days and values of campaigns as the report adds them up`(seed: UInt64)
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed)
    let reader = try LedgerReader(path: scratch.path)
    let dimensions: [CampaignDimension] = [.day, .app, .network, .campaign, .version, .window, .outcome]
    let report = try reader.campaigns(CampaignQuery(environment: .test, dimensions: dimensions))
    var expected: Set<[String?]> = []
    for row in report {
      let counts = row.counts
      expected.insert([
        row.day?.description, "test", row.app.map { "\($0.number)" }, row.network, row.version?.rawValue,
        row.campaign?.text, row.window.map { "\($0.rawValue + 1)" }, row.outcome?.rawValue,
        "\(counts.postbacks)", "\(counts.views)", "\(counts.clicks)", "\(counts.repeats ?? -1)",
        "\(counts.conflicts ?? -1)", "\(counts.valueNull)", "\(counts.coarseNull)", "\(counts.valueRejected)",
        "\(counts.coarse(.low))", "\(counts.coarse(.medium))", "\(counts.coarse(.high))",
      ])
    }
    #expect(Set(try rows(scratch.path, "SELECT * FROM v_campaign_days", columns: 19)) == expected)
    let byValue = try rows(
      scratch.path, "SELECT value, sum(postbacks) FROM v_values GROUP BY value", columns: 2)
    var values: [String: Int64] = [:]
    try reader.forEachPostback(PostbackQuery(environment: .test)) { row in
      if row.outcome != .assist { values[row.value.word, default: 0] += 1 }
      return true
    }
    #expect(
      Dictionary(uniqueKeysWithValues: byValue.map { ($0[0] ?? "", Int64($0[1] ?? "") ?? -1) }) == values)
    let rejected = try rows(scratch.path, "SELECT sum(seen), sum(kept) FROM v_rejected", columns: 2)
    let counted = try reader.rejections(from: nil, to: nil)
    #expect(rejected == [["\(counted.reduce(0) { $0 + $1.seen })", "\(counted.reduce(0) { $0 + $1.kept })"]])
  }

  @Test func `The views for SQL have spend as decimal text, and names with their days`() throws {
    let scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path)
    let store = try ReferenceStore(path: scratch.path)
    try store.put(
      [
        SpendRow(
          day: noon.day, network: "n", campaign: "1", app: nil, currency: "EUR", micros: 12_000_050,
          impressions: 900, clicks: 0),
        SpendRow(day: noon.day, network: "n", campaign: "2", app: 7, currency: "EUR", micros: -500_000),
      ])
    #expect(
      try rows(scratch.path, "SELECT * FROM v_spend ORDER BY campaign", columns: 10) == [
        ["production", "2026-11-21", "n", "1", nil, "EUR", "12.000050", "12000050", "900", "0"],
        ["production", "2026-11-21", "n", "2", "7", "EUR", "-0.500000", "-500000", nil, nil],
      ])
  }
}
