import Campaigns
import Ledger
import Postbacks
import System
import Tables
import Values
@_spi(Unsigned) import Verification

/// Measures what a campaign report costs as its rows and the spend beside them grow.
///
/// Every row is a campaign of a network on a day with one decoded postback; spend has two rows for five of them.
struct CampaignBench {
  private static let batch = 256
  private static let campaigns = 100
  private static let networks = ["one.skadnetwork", "two.skadnetwork"]
  private static let app: Int64 = 525_463_029
  /// Noon of 2022-06-15, UTC.
  private static let start = Instant(seconds: 1_655_294_400)

  private let folder: String

  init(folder: String) { self.folder = folder }

  /// Prints CPU time for each number of rows, by format, without spend and with it, in milliseconds.
  func run(sizes: [Int]) throws {
    for size in sizes {
      let path = "\(folder)/campaigns-\(size).db"
      try fill(path, rows: size)
      for spend in [0, size * 2 / 5] {
        if spend > 0 { try ReferenceStore(path: path).put(spendRows(spend)) }
        for format in [Format.json, .csv, .table] {
          let before = processMicroseconds()
          let source = ReportSource(reader: try LedgerReader(path: path), now: Self.start)
          let job = try ReportKind(CampaignReport.self).job([
            "environment": ["test"], "by": ["day,app,network,campaign"],
          ])
          var (bytes, made) = (0, before)
          // The first piece is written when the rows are there.
          _ = try job(source, Delivery(format), { false }) { text in
            if bytes == 0, !text.isEmpty { made = processMicroseconds() }
            bytes += text.utf8.count
            return true
          }
          let written = processMicroseconds()
          print(
            """
            {"rows":\(size),"spend":\(spend),"format":"\(format.rawValue)",\
            "cpu":\(hundredths((written - before) / 1000)),"asked":\(hundredths((made - before) / 1000)),\
            "bytes":\(bytes)}
            """)
        }
      }
    }
  }

  /// The day, network and campaign of a row.
  private func place(_ row: Int) -> (time: Instant, network: String, campaign: String) {
    let perDay = Self.campaigns * Self.networks.count
    let rest = row % perDay
    return (
      Self.start + Int64(row / perDay) * 86_400_000, Self.networks[rest / Self.campaigns],
      String(5200 + rest % Self.campaigns)
    )
  }

  private func fill(_ path: String, rows: Int) throws {
    let writer = try LedgerWriter(path: path)
    for start in stride(from: 0, to: rows, by: Self.batch) {
      _ = try writer.commit(try (start..<min(rows, start + Self.batch)).map(receipt))
    }
    try Self.storeMapping(path)
  }

  /// Loads a mapping of 64 ranges of revenue.
  static func storeMapping(_ path: String, of generation: String = "skan4") throws {
    guard let app = AppID(Self.app) else { throw BenchError.usage }
    let edges = (0...64).map { "\($0 * 10)" }.joined(separator: ",")
    let text = """
      {"name":"bench","app":\(Self.app),"currency":"USD","effective-from":"2020-01-01","protocol":"\(generation)",\
      "grids":[{"first-value":0,"revenue":[\(edges)]}]}
      """
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "bench.json", app: app, effectiveFrom: Instant(seconds: 1_577_836_800), digest: "",
        loadedAt: start, document: Array(text.utf8))
    ])
  }

  private func spendRows(_ count: Int) -> [SpendRow] {
    (0..<count).map { row in
      let place = place(row)
      return SpendRow(
        day: place.time.day, network: place.network, campaign: place.campaign, app: nil, currency: "USD",
        micros: Int64(1 + row % 1000) * 10_000, environment: .test)
    }
  }

  private func receipt(_ row: Int) throws -> Receipt {
    let place = place(row)
    guard let network = AdNetworkID(place.network), let app = AppID(Self.app),
      let campaign = SourceIdentifier(place.campaign), let value = FineValue(Int64(row % 64))
    else { throw BenchError.usage }
    let attested = AttestedFacts(
      version: .v4_0, network: network, advertisedApp: app, campaign: .sourceIdentifier(campaign),
      id: "\(row)",
      window: .first, outcome: .install, interaction: .click, publisher: .undisclosed)
    return Receipt(
      arrival: Arrival(
        receivedAt: place.time, origin: Origin(.advertiserCopy), quotaSource: "", body: [0x7B]),
      finding: .valid(
        .unsigned(
          attested: attested, claimed: ClaimedFacts(value: .fine(value), interaction: nil, country: nil))))
  }
}
