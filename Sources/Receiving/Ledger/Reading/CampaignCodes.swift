import Postbacks
import Values
import Verification

/// The numbers that stand for the words of dimensions while a campaign report is added up.
struct CampaignCodes {
  /// The words by their numbers in the tables.
  let networks: [Int64: String]
  let publishers: [Int64: String]
  let marketplaces: [Int64: String]

  /// Stands for no word; before all others.
  private static let none = Int64.min
  private static let sourceIdentifier: Int64 = 1 << 56
  private static let otherCountry: Int64 = 1 << 56

  func number(of dimension: CampaignDimension, _ facts: borrowing CampaignAggregation.Facts, digits: Int?)
    -> Int64
  {
    switch dimension {
    case .day: Int64(facts.day)
    case .week: Int64(Day(number: facts.day).monday.number)
    case .month: Int64(Day(number: facts.day).startOfMonth.number)
    case .app: facts.app
    case .network: facts.network
    case .campaign:
      Self.number(of: facts.campaign, isSource: facts.version >= ProtocolVersion.v4_0.code, digits)
    case .version: facts.version
    case .window: facts.window
    case .outcome: facts.outcome
    case .interaction: facts.interaction ?? Self.none
    case .publisher: facts.publisher ?? Self.none
    case .country: facts.country.map(Self.number) ?? Self.none
    case .marketplace: facts.marketplace ?? Self.none
    case .tier: facts.tier.map { Int64($0.rawValue) } ?? Self.none
    }
  }

  /// In the order of text; source identifiers follow the others.
  private static func number(of campaign: ShortText, isSource: Bool, _ digits: Int?) -> Int64 {
    guard isSource else { return campaign.number }
    return (digits.map { campaign.number(ofLast: $0) } ?? campaign.number) | sourceIdentifier
  }

  private static func number(of country: ShortText) -> Int64 {
    country.count == 2 ? country.number : otherCountry
  }

  private static func country(_ number: Int64) -> String {
    number == otherCountry
      ? Country.other
      : ShortText.text(number)
  }

  /// Whether numbers of a dimension are in the order of their words.
  func areInOrder(_ dimension: CampaignDimension) -> Bool {
    dimension != .publisher && dimension != .marketplace
  }

  /// Whether one number's word comes before another's.
  func isBefore(_ dimension: CampaignDimension, _ a: Int64, _ b: Int64) -> Bool {
    switch dimension {
    case .publisher, .marketplace:
      if a == Self.none || b == Self.none { return a < b }
      return word(of: dimension, a).utf8.lexicographicallyPrecedes(word(of: dimension, b).utf8)
    default: return a < b
    }
  }

  func word(of dimension: CampaignDimension, _ number: Int64) -> String {
    guard number != Self.none else { return CampaignDimension.none }
    let day = Day(number: Int32(truncatingIfNeeded: number))
    return switch dimension {
    case .day, .week: "\(day)"
    case .month: day.monthText
    case .app: "\(number)"
    case .network: networks[number] ?? ""
    case .campaign: ShortText.text(number & ~Self.sourceIdentifier)
    case .version: versionWord(number)
    case .window: "\(number + 1)"
    case .outcome: outcomeWord(number)
    case .interaction: interactionWord(number)
    case .publisher: publishers[number] ?? ""
    case .country: Self.country(number)
    case .marketplace: marketplaces[number] ?? ""
    case .tier: "\(number)"
    }
  }

  func set(_ dimension: CampaignDimension, _ number: Int64, in row: inout CampaignRow) {
    guard number != Self.none else { return }
    let day = Day(number: Int32(truncatingIfNeeded: number))
    switch dimension {
    case .day: row.day = day
    case .week: row.week = day
    case .month: row.month = day
    case .app: row.app = AppID(number)
    case .network: row.network = networks[number]
    case .campaign:
      let text = ShortText.text(number & ~Self.sourceIdentifier)
      row.campaign =
        number & Self.sourceIdentifier != 0
        ? SourceIdentifier(text).map { .sourceIdentifier($0) }
        : Int64(text).flatMap { CampaignID($0) }.map { .campaignID($0) }
    case .version: row.version = decoded(number) { $0.code }
    case .window: row.window = ConversionWindow(rawValue: Int(number))
    case .outcome: row.outcome = decoded(number) { $0.code }
    case .interaction: row.interaction = decoded(number) { $0.code }
    case .publisher: row.publisher = publishers[number]
    case .country: row.country = Self.country(number)
    case .marketplace: row.marketplace = marketplaces[number]
    case .tier: row.tier = PostbackTier(rawValue: Int(number))
    }
  }
}
