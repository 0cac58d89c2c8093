import Ledger
import Postbacks
import System
import Values
@_spi(Unsigned) import Verification

/// A ledger with first postbacks of campaigns of one app, as a network's copies bring them, and the app's mapping.
///
/// A report of it knows what a user's report knows; what users truly paid, and on which day they installed, is only here.
struct LedgerWorld {
  static let network = "a.skadnetwork"
  static let app: Int64 = 525_463_029
  /// Where the ranges of values begin, in whole units; the last one is the end of the highest range.
  static let edges = [0, 1, 2, 4, 8, 12, 20, 35, 60, 100]

  /// A winning install's first postback.
  struct Install {
    var network = LedgerWorld.network
    var campaign: String
    /// `nil` for a withheld value.
    var value: Int?
    /// Whether a value that is not fine is coarse.
    var isCoarse = false
    var arrivedAt: Instant
  }

  /// A user's value with the amount behind it, which is anywhere in the value's range.
  struct User {
    let value: Int
    let amount: Double

    /// Draws a user: seven of ten have the lowest value, and each value has half of the users of the one below.
    init(_ random: inout SplitMix64) {
      var value = 0
      if random.fraction() < 0.3 {
        value = 1
        while value < LedgerWorld.edges.count - 2, random.fraction() < 0.5 { value += 1 }
      }
      self.value = value
      let (low, high) = (Double(LedgerWorld.edges[value]), Double(LedgerWorld.edges[value + 1]))
      amount = low + (high - low) * random.fraction()
    }

    /// The share of users that each value has.
    static let shares: [Double] = {
      let last = LedgerWorld.edges.count - 2
      return (0...last).map { value in
        value == 0 ? 0.7 : 0.3 * exponential(-naturalLogarithm(2) * Double(min(value, last - 1)))
      }
    }()

    /// What a user pays on average.
    static let mean = shares.enumerated().reduce(0.0) { sum, one in
      sum + one.element * Double(LedgerWorld.edges[one.offset] + LedgerWorld.edges[one.offset + 1]) / 2
    }

    /// The lowest of the values that each value is joined with, when neighbours become so many values, the rarest first.
    static func joined(into count: Int) -> [Int] {
      var groups = shares.indices.map { [$0] }
      func share(_ group: [Int]) -> Double { group.reduce(0) { $0 + shares[$1] } }
      while groups.count > max(1, count) {
        let pairs = (0..<groups.count - 1).map { share(groups[$0]) + share(groups[$0 + 1]) }
        guard let rarest = pairs.indices.min(by: { pairs[$0] < pairs[$1] }) else { break }
        groups[rarest] += groups.remove(at: rarest + 1)
      }
      return groups.flatMap { group in group.map { _ in group[0] } }
    }
  }

  let path: String
  /// Numbers postbacks, so that none is taken for one that was stored before.
  private var count = 0

  /// Makes the ledger.
  ///
  /// - Parameters:
  ///   - path: A file that is not there yet.
  ///   - currency: The mapping's.
  init(path: String, currency: String = "USD") throws {
    self.path = path
    _ = try LedgerWriter(path: path)
    guard let app = AppID(Self.app) else { throw BenchError.usage }
    let edges = Self.edges.map { "\($0)" }.joined(separator: ",")
    let text = """
      {"name":"world","app":\(Self.app),"currency":"\(currency)","effective-from":"2020-01-01","protocol":"skan4",\
      "grids":[{"first-value":0,"revenue":[\(edges)]}]}
      """
    let start = Instant(seconds: 1_577_836_800)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "world.json", app: app, effectiveFrom: start, digest: "", loadedAt: start,
        document: Array(text.utf8))
    ])
  }

  /// Stores postbacks.
  mutating func store(_ installs: [Install]) throws {
    guard let app = AppID(Self.app) else { throw BenchError.usage }
    let writer = try LedgerWriter(path: path)
    let receipts = try installs.enumerated().map { index, install in
      guard let campaign = SourceIdentifier(install.campaign), let network = AdNetworkID(install.network)
      else {
        throw BenchError.usage
      }
      let value = try install.value.map { number in
        guard let value = FineValue(Int64(number)) else { throw BenchError.usage }
        return ConversionValue.fine(value)
      }
      let attested = AttestedFacts(
        version: .v4_0, network: network, advertisedApp: app, campaign: .sourceIdentifier(campaign),
        id: "\(count + index)", window: .first, outcome: .install, interaction: .click,
        publisher: .undisclosed)
      return Receipt(
        arrival: Arrival(
          receivedAt: install.arrivedAt, origin: Origin(.advertiserCopy), quotaSource: "", body: [0x7B]),
        finding: .valid(
          .unsigned(
            attested: attested,
            claimed: ClaimedFacts(
              value: value ?? (install.isCoarse ? .coarse(.low) : .absent), interaction: nil, country: nil))))
    }
    for start in stride(from: 0, to: receipts.count, by: 256) {
      _ = try writer.commit(Array(receipts[start..<min(receipts.count, start + 256)]))
    }
    count += receipts.count
  }
}
