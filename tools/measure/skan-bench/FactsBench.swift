import Campaigns
import Ledger
import Postbacks
import System
import Tables
import Values
@_spi(Unsigned) import Verification

/// Measures what many publishers, countries and campaigns cost: inserts, bytes, and reports by them.
///
/// Postbacks are of 10,000 campaigns, 5,000 publishers and 200 countries over 30 days, or of as many campaigns and days as
/// are asked for; every fourth has a publisher, every sixth a country. A mapping decodes the values, and 50,000 rows of
/// spend are beside them.
struct FactsBench {
  private static let batch = 256
  private static let body = [UInt8](repeating: UInt8(ascii: "x"), count: 450)
  /// Midnight of 2026-12-01, UTC.
  private static let end = Instant(seconds: 1_796_083_200)
  /// Beyond it, rows by publisher and campaign or by day and campaign are nearly as many as postbacks.
  private static let mostRowsOfAll = 1_000_000
  private let path: String
  private let campaigns: Int
  private let days: Int
  private var random = SplitMix64(seed: 1)

  init(path: String, campaigns: Int = 10_000, days: Int = 30) {
    self.path = path
    self.campaigns = campaigns
    self.days = days
  }

  private var start: Instant { Self.end + -Int64(days) * Day.milliseconds }

  /// Fills a database and prints the cost of an insert, its bytes, and the cost of reports.
  mutating func run(rows: Int) throws {
    let writer = try LedgerWriter(path: path)
    let before = processMicroseconds()
    for first in stride(from: 0, to: rows, by: Self.batch) {
      let receipts = try (first..<min(rows, first + Self.batch)).map { try receipt($0, of: rows) }
      _ = try writer.commit(receipts)
    }
    let cost = (processMicroseconds() - before) / Double(rows)
    try CampaignBench.storeMapping(path, of: "aak")
    try ReferenceStore(path: path).put(spend())
    let bytes = try LedgerReader(path: path).fileBytes()
    print(
      #"{"rows":\#(rows),"insert":\#(hundredths(cost)),"bytes":\#(bytes),"bytes-each":\#(bytes / Int64(max(1, rows)))}"#
    )
    var dimensions = ["app,network,campaign", "day,network", "outcome", "publisher", "country,week"]
    if rows <= Self.mostRowsOfAll {
      dimensions += ["day,network,campaign", "week,network,campaign", "publisher,week", "publisher,campaign"]
    }
    let periods = [days, 30].filter { $0 <= days }
    for (by, period) in dimensions.flatMap({ by in Set(periods).sorted().map { (by, $0) } }) {
      for zone in by == "outcome" ? ["UTC", "Europe/Berlin"] : ["UTC"] {
        let before = processMicroseconds()
        let source = ReportSource(reader: try LedgerReader(path: path), now: Self.end)
        let job = try ReportKind(CampaignReport.self).job([
          "by": [by], "time-zone": [zone], "from": ["\((Self.end + -Int64(period) * Day.milliseconds).day)"],
        ])
        var lines = 0
        _ = try job(source, Delivery(.csv), { false }) { text in
          lines += text.utf8.count { $0 == UInt8(ascii: "\n") }
          return true
        }
        let taken = (processMicroseconds() - before) / 1000
        print(
          #"{"by":"\#(by)","days":\#(period),"zone":"\#(zone)","lines":\#(lines),"cpu":\#(hundredths(taken))}"#
        )
      }
    }
    try printPages(by: rows <= Self.mostRowsOfAll ? "week,network,campaign" : "network,campaign")
  }

  /// Prints the cost of each page of a report, as a service answers with them.
  private func printPages(by dimensions: String) throws {
    let job = try ReportKind(CampaignReport.self).job(["by": [dimensions]])
    let store = BenchPages()
    var (cursor, costs): (String?, [String]) = (nil, [])
    repeat {
      let before = processMicroseconds()
      let source = ReportSource(reader: try LedgerReader(path: path), now: Self.end)
      var text = ""
      cursor = try job(source, Delivery(.json, limit: 10_000, cursor: cursor, pages: store), { false }) {
        text += $0
        return true
      }.next
      costs.append(hundredths((processMicroseconds() - before) / 1000))
    } while cursor != nil
    print(#"{"pages-by":"\#(dimensions)","cpu":[\#(costs.joined(separator: ","))]}"#)
  }

  private func spend() -> [SpendRow] {
    (0..<50_000).map { row in
      SpendRow(
        day: Day(number: start.day.number + Int32(row / 10_000) * 6),
        network: Self.network(row % campaigns),
        campaign: Self.campaign(row % campaigns), app: nil, currency: "USD",
        micros: Int64(1 + row % 1000) * 10_000,
        environment: .production)
    }
  }

  /// Seven networks for each ten thousand campaigns.
  private static func network(_ campaign: Int) -> String {
    "example\(campaign / 10_000 * 7 + campaign % 7).skadnetwork"
  }
  private static func campaign(_ campaign: Int) -> String {
    String(String(10_000 + campaign % 10_000).dropFirst())
  }

  private mutating func receipt(_ row: Int, of rows: Int) throws -> Receipt {
    let campaign = random.number(below: campaigns)
    guard let network = AdNetworkID(Self.network(campaign)), let app = AppID(525_463_029),
      let source = SourceIdentifier(Self.campaign(campaign)),
      let value = FineValue(Int64(random.number(below: 64))),
      let publisher = AppID(Int64(600_000_000 + random.number(below: 5000)))
    else { throw BenchError.usage }
    let number = random.number(below: 200)
    let letters = [UInt8(65 + number / 26), UInt8(65 + number % 26)]
    let attested = AttestedFacts(
      version: .adAttributionKit, network: network, advertisedApp: app, campaign: .sourceIdentifier(source),
      id: String(random.next(), radix: 16) + "-" + String(random.next(), radix: 16), window: .first,
      outcome: random.happens(0.2) ? .redownload : .install, interaction: nil,
      publisher: random.happens(0.25) ? .app(publisher) : .undisclosed, marketplace: "com.apple.AppStore")
    let claimed = ClaimedFacts(
      value: random.happens(0.5) ? .fine(value) : .absent, interaction: random.happens(0.5) ? .view : .click,
      country: random.happens(1 / 6) ? String(decoding: letters, as: UTF8.self) : nil)
    return Receipt(
      arrival: Arrival(
        receivedAt: start + Int64(row) * (Int64(days) * Day.milliseconds) / Int64(rows),
        origin: Origin(.advertiserCopy),
        quotaSource: "", body: Self.body),
      finding: .valid(.unsigned(attested: attested, claimed: claimed, environment: .production)))
  }
}

/// Keeps the rows of one report between its pages.
private final class BenchPages: PageStore {
  private let kept = Guarded<(any Sendable)?>(nil)

  func rows(for question: String) -> (any Sendable)? { kept.withLock { $0 } }
  func keep(_ rows: (any Sendable)?, count: Int, for question: String) { kept.withLock { $0 = rows } }
}
