import Postbacks
import Values

/// The invented advertiser of the sample data: three apps, their campaigns, and what happened to them.
///
/// Every number is invented. The story gives each page something to show: a campaign whose budget was cut, one that grew
/// at the cost of its users' worth, small ones whose values are withheld, and a change of a mapping.
struct SampleStory {
  /// How installs, and the quality of users, differ from an ordinary day's, as multiples.
  typealias Change = (installs: Double, quality: Double)

  /// A campaign of an app.
  struct Campaign {
    let network: Network
    /// Digits of its source identifier, or its campaign identifier under SKAdNetwork 3.
    let digits: String
    let name: String
    /// Installs on an ordinary day.
    let installs: Double
    /// How likely its users pay, as a multiple of the app's average.
    let quality: Double
    /// What an install costs, in millionths of the app's currency.
    let cost: Int64
    /// How installs, and the quality of users, change on a day of the story.
    var change: @Sendable (_ day: Int) -> Change = { _ in (1, 1) }
  }

  enum Network: String, CaseIterable {
    case northstar = "northstar5.skadnetwork"
    case beacon = "beacon2ads.skadnetwork"
    case meridian = "meridian7x.skadnetwork"
    case harbor = "harborads3.skadnetwork"

    var name: String {
      switch self {
      case .northstar: "Northstar Ads"
      case .beacon: "Beacon"
      case .meridian: "Meridian Video"
      case .harbor: "Harbor Social"
      }
    }
  }

  /// An app with its mapping versions, the first of which is in force before the story begins.
  struct App {
    let id: AppID
    let name: String
    let currency: CurrencyCode
    /// Days of the story from which the versions are in force.
    let versionDays: [Int]
    /// Installs without an ad on a day.
    let organicInstalls: Double
    let campaigns: [Campaign]
    let kind: SampleUser.Kind
  }

  /// Installs of a campaign and day from which half of the values are shown: about half of what networks recommend, since
  /// the campaigns are as small, so that the sample is made in seconds.
  static let revealingInstalls = 15.0

  /// Days of the story; the last one is today.
  static let days = 70
  /// The day on which the second mapping version of the game takes effect.
  static let mappingChange = 46
  /// The day on which the game's largest campaign lost part of its budget.
  static let budgetCut = 56
  /// The day from which one campaign reaches more users that pay less.
  static let broadening = 49

  static let apps: [App] = [game, fitness, radio].compactMap { $0 }

  private static var game: App? {
    guard let id = AppID(6_400_000_001), let currency = CurrencyCode("USD") else { return nil }
    return App(
      id: id, name: "Dragon Merge", currency: currency, versionDays: [-60, mappingChange],
      organicInstalls: 30,
      campaigns: [
        Campaign(
          network: .northstar, digits: "5211", name: "US broad", installs: 55, quality: 1, cost: 620_000
        ) { ($0 >= budgetCut ? 0.55 : 1, 1) },
        Campaign(
          network: .northstar, digits: "5348", name: "US lookalike 2 %", installs: 28, quality: 1.35,
          cost: 1_050_000
        ) { ($0 >= broadening ? 1.7 : 1, $0 >= broadening ? 0.6 : 1) },
        Campaign(
          network: .meridian, digits: "1704", name: "Playable, worldwide", installs: 40, quality: 0.75,
          cost: 430_000),
        Campaign(
          network: .meridian, digits: "1722", name: "Rewarded video", installs: 22, quality: 0.3,
          cost: 520_000),
        Campaign(
          network: .harbor, digits: "8090", name: "Creator clips", installs: 6, quality: 1.6, cost: 800_000
        ),
      ], kind: .game)
  }

  private static var fitness: App? {
    guard let id = AppID(6_400_000_002), let currency = CurrencyCode("EUR") else { return nil }
    return App(
      id: id, name: "FitCoach", currency: currency, versionDays: [-60], organicInstalls: 18,
      campaigns: [
        Campaign(
          network: .harbor, digits: "8115", name: "New year, new you", installs: 30, quality: 1.1,
          cost: 700_000),
        Campaign(
          network: .northstar, digits: "5467", name: "DACH prospecting", installs: 20, quality: 0.9,
          cost: 900_000),
        Campaign(
          network: .beacon, digits: "2031", name: "Display retargeting", installs: 5, quality: 0.5,
          cost: 1_900_000),
      ], kind: .subscription)
  }

  private static var radio: App? {
    guard let id = AppID(6_400_000_003), let currency = CurrencyCode("USD") else { return nil }
    return App(
      id: id, name: "Radio Nova", currency: currency, versionDays: [-60], organicInstalls: 20,
      campaigns: [
        Campaign(
          network: .beacon, digits: "31", name: "Audio banners", installs: 35, quality: 1, cost: 150_000),
        Campaign(
          network: .meridian, digits: "12", name: "Morning show", installs: 25, quality: 1.4, cost: 210_000),
      ], kind: .ads)
  }
}
