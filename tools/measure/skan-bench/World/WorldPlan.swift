import Postbacks
import SampleData
import System
import Values

/// The apps and campaigns of a world, before anybody installs.
///
/// Sizes of campaigns fall slowly with their rank; small ones run for days, large ones for months, and some all the time.
struct WorldPlan {
  struct App {
    let id: AppID
    let name: String
    let kind: SampleUser.Kind
    let currency: CurrencyCode
    /// Days of the world from which versions of its mapping are in force.
    let versions: [Int]
  }

  struct Campaign {
    let number: Int
    let app: Int
    let network: Int
    /// All digits of its source identifier: the creative, the ad set, and two of the campaign; or its campaign identifier.
    let digits: String
    let days: Range<Int>
    /// Installs on an ordinary day.
    let daily: Double
    /// How likely its users pay, as a multiple of the app's average.
    let quality: Double
    /// What an install costs, in millionths of a unit.
    let cost: Int64

    var name: String { "\(Self.markets[number % 5]) \(Self.audiences[number / 5 % 4]) \(number)" }
    var country: String { Self.markets[number % 5] }

    private static let markets = ["US", "DE", "JP", "BR", "GB"]
    private static let audiences = ["broad", "lookalike 2 %", "retargeting", "creator clips"]
  }

  /// Midnight after the last day.
  static let end = Instant(seconds: 1_796_083_200)

  let days: Int
  let apps: [App]
  let networks: [String]
  /// Campaigns by app and network; see ``place(app:network:)``.
  private(set) var campaigns: [[Campaign]]

  /// - Parameters:
  ///   - days: At least 7.
  ///   - installs: Expected installs of all campaigns together.
  init(campaigns count: Int, days: Int, installs: Double, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    self.days = days
    apps = try Self.apps(days: days)
    // A network and app have 10,000 source identifiers at most.
    networks = (0..<12 * (1 + count / 300_000)).map { "network\($0)example.skadnetwork" }
    let weights = (0..<count).map { exponential(-0.85 * naturalLogarithm(Double($0 + 10))) }
    let scale = installs / weights.reduce(0, +)
    let apps = self.apps
    let windowed = apps.indices.filter { apps[$0].kind != .ads }
    let ads = apps.indices.first { apps[$0].kind == .ads } ?? 0
    campaigns = Array(repeating: [], count: apps.count * networks.count)
    var old = 0
    for (number, weight) in weights.enumerated() {
      // SKAdNetwork 3 has a hundred campaigns of a network.
      let isOld = number % 25 == 7 && old < networks.count * 100
      let app = isOld ? ads : windowed[random.number(below: windowed.count)]
      // Some networks have many more campaigns than others.
      let network =
        isOld
        ? old % networks.count
        : min(random.number(below: networks.count), random.number(below: networks.count))
      let sequence = campaigns[app * networks.count + network].count
      guard sequence < 10_000 else { continue }
      if isOld { old += 1 }
      let size = weight * scale
      // A fiftieth runs all the time, however small.
      let isEndless = number % 50 == 11
      let daily = isEndless ? size / Double(days) : min(size, 1.5 * (max(size, 12) / 12).squareRoot())
      let length = min(days, max(1, Int(size / daily + 0.5)))
      let start = random.number(below: days - length + 1)
      campaigns[app * networks.count + network].append(
        Campaign(
          number: number, app: app, network: network,
          digits: isOld ? "\((old - 1) / networks.count + 1)" : Self.digits(sequence, of: count),
          days: start..<(start + length),
          daily: size / Double(length), quality: 0.4 + 1.2 * random.fraction(),
          cost: 200_000 + Int64(random.number(below: 1_200_000))))
    }
  }

  var all: some Sequence<Campaign> { campaigns.joined() }

  func campaigns(app: Int, network: Int) -> [Campaign] { campaigns[app * networks.count + network] }

  /// The UTC day of a day of the world.
  func day(_ number: Int) -> Day { Day(number: Self.end.day.number + Int32(number - days)) }

  /// Installs of a campaign that are expected on a day of its run: weekends have more.
  func installs(_ campaign: Campaign, on number: Int) -> Double {
    let day = day(number)
    return campaign.daily * ((day.number - day.monday.number) >= 5 ? 1.2 : 0.92)
  }

  private static func digits(_ sequence: Int, of count: Int) -> String {
    // Three creatives of four ad sets, until campaigns would run out of their two digits.
    let (creatives, adSets) = count <= 30_000 ? (3, 4) : (10, 10)
    let (creative, adSet) = (sequence % creatives, sequence / creatives % adSets)
    let campaign = sequence / (creatives * adSets) % 100
    return "\(creative)\(adSet)\(campaign < 10 ? "0" : "")\(campaign)"
  }

  private static func apps(days: Int) throws -> [App] {
    func app(
      _ id: Int64, _ name: String, _ kind: SampleUser.Kind, _ currency: String, _ versions: [Int]
    ) throws -> App {
      guard let id = AppID(6_500_000_000 + id), let currency = CurrencyCode(currency) else {
        throw BenchError.usage
      }
      return App(id: id, name: name, kind: kind, currency: currency, versions: versions)
    }
    func week(_ part: Double) -> Int { Int(Double(days) * part) / 7 * 7 }
    return [
      try app(1, "Dragon Merge", .game, "USD", [-70, week(0.6), week(0.95)]),
      try app(2, "Harvest Isle", .game, "EUR", [-70, week(0.4)]),
      try app(3, "Word Garden", .game, "GBP", [-70, week(0.93)]),
      try app(4, "FitCoach", .subscription, "EUR", [-70, week(0.5)]),
      try app(5, "Sleep Stories", .subscription, "USD", [-70]),
      try app(6, "Radio Nova", .ads, "USD", [-70]),
    ]
  }
}
