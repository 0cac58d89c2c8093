package import Ledger
import NetworkForms
package import Postbacks
package import Values

/// The names that networks sent beside postbacks, by campaign.
///
/// Apple signs none of them.
package struct SentNames {
  package struct Campaign: Hashable {
    /// The network, in lower case.
    package let network: String
    package let digits: String
    package let app: Int64
  }

  /// The evidence of one name of a campaign.
  package struct Evidence {
    /// The network's name of the campaign; its own number where it sent no name.
    package var name: String
    package var campaignIDs: Set<String> = []
    var adSets: Set<String> = []
    var creatives: Set<String> = []
    package var postbacks: Int64 = 0
    package var first: Instant
    package var last: Instant
    package var senders: Set<String> = []
    /// Whether the name is the network's number, because it sent no name with it.
    fileprivate var isNumber: Bool
    fileprivate var lastConversion: Int64 = 0
    package fileprivate(set) var version: ProtocolVersion

    /// The only ad set that came with the name; `nil` for none or several.
    package var adSet: String? { adSets.count == 1 ? adSets.first : nil }
    package var creative: String? { creatives.count == 1 ? creatives.first : nil }

    fileprivate mutating func add(_ other: Evidence) {
      campaignIDs.formUnion(other.campaignIDs)
      adSets.formUnion(other.adSets)
      creatives.formUnion(other.creatives)
      senders.formUnion(other.senders)
      postbacks += other.postbacks
      (first, last) = (min(first, other.first), max(last, other.last))
    }
  }

  /// Different names that are kept of one campaign; a sender can invent any number.
  static let mostNames = 50
  /// Different ad sets, creatives, numbers and senders that are kept of a name.
  private static let mostParts = 20

  package private(set) var campaigns: [Campaign: [Evidence]] = [:]
  private var endings: [String: CampaignEndings<Campaign>] = [:]

  /// - Parameters:
  ///   - newest: How many of the newest conversions are looked at; `nil` for all.
  ///   - most: Bodies that are read at most.
  package init(
    _ query: PostbackQuery, from reader: LedgerReader, ofNewest newest: Int64? = nil, reading most: Int
  ) throws(LedgerError) {
    var left = most
    var found: [Campaign: [String: Evidence]] = [:]
    try reader.forEachSentBody(query, ofNewest: newest) { body in
      left -= 1
      guard left >= 0 else { return false }
      guard let names = AdNames(stored: body.bytes, profile: body.profile) else { return true }
      let campaign = Campaign(network: body.network, digits: body.campaign, app: body.app)
      let key = (names[.campaign] == nil ? "number " : "name ") + names.title
      guard found[campaign]?[key] != nil || (found[campaign]?.count ?? 0) < Self.mostNames else {
        return true
      }
      var evidence =
        found[campaign]?[key]
        ?? Evidence(
          name: names.title, first: body.receivedAt, last: body.receivedAt,
          isNumber: names[.campaign] == nil, version: body.version)
      // A conversion counts once for a name, however many copies of it have it.
      if evidence.lastConversion != body.conversion { evidence.postbacks += 1 }
      evidence.lastConversion = body.conversion
      evidence.first = min(evidence.first, body.receivedAt)
      evidence.last = max(evidence.last, body.receivedAt)
      Self.insert(names[.campaignID], into: &evidence.campaignIDs)
      Self.insert(names[.adSet] ?? names[.adSetID], into: &evidence.adSets)
      Self.insert(names[.creative] ?? names[.creativeID], into: &evidence.creatives)
      Self.insert(body.sender.name, into: &evidence.senders)
      found[campaign, default: [:]][key] = evidence
      return true
    }
    for (campaign, names) in found {
      campaigns[campaign] = Self.joined(names.values.ordered { $0.name < $1.name })
      guard names.values.contains(where: \.version.hasWindows) else { continue }
      endings["\(campaign.app) \(campaign.network)", default: .init()].add(campaign, digits: campaign.digits)
    }
  }

  private static func insert(_ text: String?, into texts: inout Set<String>) {
    if let text, !text.isEmpty, texts.count < mostParts { texts.insert(text) }
  }

  /// Adds a number that came without a name to the one name that came with this number.
  private static func joined(_ names: [Evidence]) -> [Evidence] {
    var named = names.filter { !$0.isNumber }
    var rest: [Evidence] = []
    for number in names where number.isNumber {
      let places = named.indices.filter { named[$0].campaignIDs.contains(number.name) }
      if places.count == 1, let place = places.first { named[place].add(number) } else { rest.append(number) }
    }
    return named + rest
  }

  /// Whether digits are also the last ones of a longer campaign that has a name, so that they name several campaigns.
  package func isShortForm(_ campaign: Campaign) -> Bool {
    guard campaigns[campaign]?.contains(where: \.version.hasWindows) == true else { return false }
    let others = endings["\(campaign.app) \(campaign.network)"]?.fitting(campaign.digits) ?? []
    return others.contains { $0.digits.utf8.count > campaign.digits.utf8.count }
  }
}
