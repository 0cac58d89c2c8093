import Ledger
import Postbacks
import System
import Values
@_spi(Unsigned) import Verification

/// Measures what one insert costs as the database grows: identifiers are random, batches of 256.
struct InsertBench {
  private static let batch = 256
  private static let turns = 4
  private static let body = [UInt8](repeating: UInt8(ascii: "x"), count: 450)
  private let path: String
  private var random: SplitMix64

  init(path: String) {
    self.path = path
    // Other identifiers than those that a database from an earlier run has.
    random = SplitMix64(seed: UInt64(1 + (fileBytes(path) ?? 0)))
  }

  /// Fills a database up to each size and prints what the next inserts cost, in turns with an empty database.
  mutating func run(sizes: [Int], sample: Int) throws {
    let writer = try LedgerWriter(path: path)
    var rows = 0
    for (number, size) in sizes.enumerated() {
      if size > rows { _ = try insert(size - rows, with: writer) }
      rows = max(rows, size)
      let empty = try LedgerWriter(path: "\(path)-empty\(number)")
      var cost = Cost()
      var costOfEmpty = Cost()
      for _ in 0..<Self.turns {
        costOfEmpty.add(try insert(sample / Self.turns, with: empty))
        cost.add(try insert(sample / Self.turns, with: writer))
      }
      print(
        """
        {"rows":\(rows),"cpu":\(hundredths(cost.cpu / Double(sample))),\
        "wall":\(hundredths(cost.wall / Double(sample))),"empty":\(hundredths(costOfEmpty.cpu / Double(sample))),\
        "longest":\(hundredths(cost.longest / 1000)),"memory":\(hundredths(residentMegabytes()))}
        """)
      rows += sample
    }
  }

  private mutating func insert(_ count: Int, with writer: LedgerWriter) throws -> Cost {
    var cost = Cost()
    for start in stride(from: 0, to: count, by: Self.batch) {
      let receipts = try (0..<min(Self.batch, count - start)).map { _ in try receipt() }
      let cpuBefore = processMicroseconds()
      let wallBefore = wallMicroseconds()
      _ = try writer.commit(receipts)
      cost.add(
        Cost(
          cpu: processMicroseconds() - cpuBefore, wall: wallMicroseconds() - wallBefore,
          longest: wallMicroseconds() - wallBefore))
    }
    return cost
  }

  private mutating func receipt() throws -> Receipt {
    let identifier = String(random.next(), radix: 16) + "-" + String(random.next(), radix: 16)
    let attested = AttestedFacts(
      version: .v4_0, network: try known(AdNetworkID("example123.skadnetwork")),
      advertisedApp: try known(AppID(525_463_029)),
      campaign: .sourceIdentifier(try known(SourceIdentifier(String(5200 + random.number(below: 50))))),
      id: identifier, window: .first, outcome: .install, interaction: .click, publisher: .undisclosed)
    let claimed = ClaimedFacts(
      value: .fine(try known(FineValue(Int64(random.number(below: 64))))), interaction: nil, country: nil)
    return Receipt(
      arrival: Arrival(
        receivedAt: systemClock(), origin: Origin(.advertiserCopy), quotaSource: "", body: Self.body),
      finding: .valid(.unsigned(attested: attested, claimed: claimed)))
  }
}

/// Microseconds that commits took.
private struct Cost {
  var cpu = 0.0
  var wall = 0.0
  /// Of the longest commit.
  var longest = 0.0

  mutating func add(_ other: Cost) {
    cpu += other.cpu
    wall += other.wall
    longest = max(longest, other.longest)
  }
}

/// A value that is there by construction.
private func known<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw BenchError.usage }
  return value
}

/// Memory that the process has in use now.
private func residentMegabytes() -> Double {
  guard let text = try? String(decoding: FileReader.contents(of: "/proc/self/statm"), as: UTF8.self),
    let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
  else { return 0 }
  return pages * 4096 / 1_048_576
}
