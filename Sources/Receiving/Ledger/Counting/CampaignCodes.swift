import Postbacks
import Values

/// The numbers that stand for the words of dimensions while postbacks are counted; -1 stands for none.
struct CampaignCodes {
  /// The words by their numbers in the tables.
  let networks: [Int64: String]
  let publishers: [Int64: String]
  let marketplaces: [Int64: String]

  private static let none: Int64 = -1
  private static let otherCountry: Int64 = 1

  /// The ranks of a dimension's codes in the order of rows: by text for publishers and marketplaces, else by number; source
  /// identifiers follow campaign ids.
  func ranks(_ dimension: CampaignDimension, _ codes: Set<Int64>) -> [Int64: Int64] {
    switch dimension {
    case .publisher, .marketplace:
      let words = codes.map { (code: $0, word: $0 == Self.none ? "" : word(of: dimension, $0)) }
      let sorted = words.sorted {
        $0.code == Self.none || ($1.code != Self.none && $0.word.utf8.lexicographicallyPrecedes($1.word.utf8))
      }
      return Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.code, Int64($0)) })
    case .campaign:
      return Dictionary(
        uniqueKeysWithValues: codes.map { ($0, CampaignDigits(number: $0 >> 1).rank | ($0 & 1) << 56) })
    case .country:
      return Dictionary(uniqueKeysWithValues: codes.map { ($0, $0 == Self.otherCountry ? .max : $0) })
    default: return Dictionary(uniqueKeysWithValues: codes.map { ($0, $0) })
    }
  }

  func word(of dimension: CampaignDimension, _ code: Int64) -> String {
    let day = Day(number: Int32(truncatingIfNeeded: code))
    switch dimension {
    case .day, .week: return "\(day)"
    case .month: return day.monthText
    case .app: return "\(code)"
    case .network: return networks[code] ?? ""
    case .campaign: return CampaignDigits(number: code >> 1).text
    case .version: return versionWord(code)
    case .window: return "\(code + 1)"
    case .outcome: return outcomeWord(code)
    case .interaction, .publisher, .country, .marketplace, .tier: break
    }
    guard code != Self.none else { return CampaignDimension.none }
    return switch dimension {
    case .interaction: interactionWord(code)
    case .publisher: publishers[code] ?? ""
    case .country: PostbackFacts.country(code) ?? ""
    case .marketplace: marketplaces[code] ?? ""
    default: "\(code)"
    }
  }

  func set(_ dimension: CampaignDimension, _ code: Int64, in row: inout CampaignRow) {
    let day = Day(number: Int32(truncatingIfNeeded: code))
    switch dimension {
    case .day: row.day = day
    case .week: row.week = day
    case .month: row.month = day
    case .app: row.app = AppID(code)
    case .network: row.network = networks[code]
    case .campaign: row.campaign = Self.campaign(code)
    case .version: row.version = decoded(code) { $0.code }
    case .window: row.window = ConversionWindow(rawValue: Int(code))
    case .outcome: row.outcome = decoded(code) { $0.code }
    case .interaction: row.interaction = decoded(code) { $0.code }
    case .publisher: row.publisher = publishers[code]
    case .country: row.country = PostbackFacts.country(code)
    case .marketplace: row.marketplace = marketplaces[code]
    case .tier: row.tier = PostbackTier(rawValue: Int(code))
    }
  }

  /// The campaign of a code: its digits, and in the lowest bit whether they are a source identifier's.
  static func campaign(_ code: Int64) -> Campaign? {
    Campaign(digits: CampaignDigits(number: code >> 1).text, isSourceIdentifier: code & 1 == 1)
  }
}
