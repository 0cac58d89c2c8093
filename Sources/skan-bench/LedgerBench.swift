import Ledger
import Platform
import Postbacks
@_spi(Unsigned) import Verification

/// Measures what one insert costs as the database grows: identifiers are random, batches of 256.
struct LedgerBench {
  private static let body = [UInt8](repeating: UInt8(ascii: "x"), count: 450)
  private let path: String
  private var generator = SystemRandomNumberGenerator()

  init(path: String) { self.path = path }

  /// Fills a database up to each size and prints what the inserts just before it cost.
  mutating func run(sizes: [Int], sample: Int) throws {
    let writer = try LedgerWriter(path: path)
    var rows = 0
    print("rows\tinserts\tCPU us/insert\twall us/insert\tlongest commit ms")
    for size in sizes {
      if size - rows > 0 { _ = try insert(size - rows, with: writer) }
      rows = max(rows, size)
      let cost = try insert(sample, with: writer)
      rows += sample
      print(
        "\(rows - sample)\t\(sample)\t\(tenths(cost.cpu / Double(sample)))\t\(tenths(cost.wall / Double(sample)))\t"
          + tenths(cost.longest / 1000))
    }
  }

  private mutating func insert(_ count: Int, with writer: LedgerWriter) throws -> (
    cpu: Double, wall: Double, longest: Double
  ) {
    let cpu = processMicroseconds()
    let wall = wallMicroseconds()
    var longest = 0.0
    var made = 0.0
    for start in stride(from: 0, to: count, by: 256) {
      let before = processMicroseconds()
      let receipts = try (0..<min(256, count - start)).map { _ in try receipt() }
      made += processMicroseconds() - before
      let begun = wallMicroseconds()
      _ = try writer.commit(receipts)
      longest = max(longest, wallMicroseconds() - begun)
    }
    return (processMicroseconds() - cpu - made, wallMicroseconds() - wall, longest)
  }

  private mutating func receipt() throws -> Receipt {
    let high = String(generator.next(), radix: 16)
    let low = String(generator.next(), radix: 16)
    let random = generator.next()
    let attested = AttestedFacts(
      version: .v4_0, network: try known(AdNetworkID("example123.skadnetwork")),
      advertisedApp: try known(AppID(525_463_029)),
      campaign: .sourceIdentifier(try known(SourceIdentifier(String(5200 + random % 50)))),
      id: high + "-" + low,
      window: .first, outcome: .install, interaction: .click, publisher: .undisclosed)
    let claimed = ClaimedFacts(
      value: .fine(try known(FineValue(Int64(random >> 32 & 63)))), interaction: nil, country: nil)
    return Receipt(
      arrival: Arrival(
        receivedAt: systemClock(), origin: Origin(.advertiserCopy), quotaSource: "", body: Self.body),
      finding: .valid(.unsigned(attested: attested, claimed: claimed)))
  }
}

/// A value that is there by construction.
private func known<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw BenchError() }
  return value
}

/// A benchmark whose own data are wrong.
struct BenchError: Error {}

/// A figure with one decimal.
func tenths(_ value: Double) -> String { "\(Double((value * 10).rounded()) / 10)" }
