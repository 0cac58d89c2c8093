import Postbacks
import SQLite

/// What reports ask of one stored postback, in the codes of its table.
struct PostbackFacts: Hashable {
  struct Source: Hashable {
    var environment: Int64
    var app: Int64
    var network: Int64
    var version: Int64
    var window: Int64
    var outcome: Int64
  }

  /// Milliseconds, UTC.
  var receivedAt: Int64
  var source: Source
  var campaign: String
  var interaction: Int64?
  var value: Int64?
  var country: String?
  var publisher: Int64?
  var marketplace: Int64?
}

extension PostbackFacts {
  /// The columns that ``init(_:)`` reads.
  static let columns = """
    received_at, environment, app, network, version, window, outcome, campaign, interaction, value, country, publisher,
      marketplace
    """

  init(_ row: borrowing Row) {
    receivedAt = row.count(0)
    source = Source(
      environment: row.count(1), app: row.count(2), network: row.count(3), version: row.count(4),
      window: row.count(5), outcome: row.count(6))
    campaign = row.text(7) ?? ""
    interaction = row.integer(8)
    value = row.integer(9)
    country = row.text(10)
    publisher = row.integer(11)
    marketplace = row.integer(12)
  }

  /// The facts as a block has them, in the order of its columns.
  func numbers(source: Int64) -> [Int64] {
    let (seconds, rest) = receivedAt.quotientAndRemainder(dividingBy: 1000)
    return [
      rest < 0 ? seconds - 1 : seconds, source, CampaignDigits(campaign).number, detail, countryNumber,
      publisher ?? 0, marketplace ?? 0,
    ]
  }

  /// The slot of the value and 69 times the interaction: 0 none, 1 view, 2 click; 255 where a code is not known.
  var detail: Int64 {
    let interactions: [Int64?: Int64] = [nil: 0, 0: 1, 1: 2]
    guard let slot = ConversionValue.slot(ofCode: value), let interaction = interactions[interaction] else {
      return Self.unknownDetail
    }
    return slot + Self.slots * interaction
  }

  static let slots: Int64 = 69
  static let unknownDetail: Int64 = 255

  /// 0 for none, 1 for other, 2 and more for two letters.
  var countryNumber: Int64 {
    guard let country else { return 0 }
    guard country.utf8.count == 2 else { return 1 }
    return 2 + country.utf8.reduce(0) { $0 << 8 | Int64($1) }
  }

  /// The country of a number; `nil` for none.
  static func country(_ number: Int64) -> String? {
    switch number {
    case ...0: nil
    case 1: Country.other
    default:
      String(
        decoding: [UInt8(truncatingIfNeeded: (number - 2) >> 8), UInt8(truncatingIfNeeded: number - 2)],
        as: UTF8.self)
    }
  }
}
