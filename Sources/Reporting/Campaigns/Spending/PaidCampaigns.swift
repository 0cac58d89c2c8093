import Ledger
import Mappings
import Postbacks
import Values

/// A campaign as spend names it, in one currency, and what follows from that on some days.
final class PaidCampaign {
  fileprivate let key: PaidCampaignKey
  /// `nil` where ISO 4217 does not list it.
  let currency: CurrencyCode?
  /// The days on which its names are the same, of which all that follows is.
  fileprivate var days = Day(number: 0)..<Day(number: 0)
  /// Whether its spend counts, whatever is asked of its days.
  fileprivate(set) var isAdmitted = false
  /// What it is called in postbacks; `nil` if unknown.
  fileprivate(set) var digits: String?
  /// Where rows can be that it fits; `nil` where it is no campaign's.
  fileprivate var places: SpendPlaces?
  /// The rows that it fitted last, and the number of what the question distinguishes of days then.
  fileprivate var lastFit: (days: UInt32, fit: SpendFit)?
  /// Why it fits no row, once that was looked for.
  var reason: Unmatched.Reason?
  /// The number of the campaign that came next when spend of this one came last.
  fileprivate var next = 0

  fileprivate init(_ key: PaidCampaignKey) {
    self.key = key
    currency = CurrencyCode(key.currency)
  }
}

struct PaidCampaignKey: Hashable {
  let campaign: String
  let currency: String
  let app: Int64?
  let network: String

  init(_ paid: SpendRow) {
    (campaign, currency, app, network) = (paid.campaign, paid.currency, paid.app, paid.network)
  }

  func isOf(_ paid: SpendRow) -> Bool {
    campaign == paid.campaign && currency == paid.currency && app == paid.app && network == paid.network
  }
}

/// The campaigns that spend names, each of which is looked up once for all days on which its names are the same: a campaign
/// has a piece of spend for each day.
struct PaidCampaigns<Rows: Collection<CampaignRow>> {
  /// Campaigns that are known at once; where there are more, they are looked up anew.
  private static var most: Int { 1 << 18 }

  private let query: CampaignQuery
  private let naming: CampaignNaming
  private let names: CampaignNames
  private let networks: Set<String>
  private let apps: Set<Int64>
  private let conditions: [CampaignCondition]
  private var index: SpendIndex<Rows>
  private var campaigns: [PaidCampaign] = []
  private var numbers: [PaidCampaignKey: Int] = [:]
  private var last = 0

  init(
    _ index: SpendIndex<Rows>, _ query: CampaignQuery, _ naming: CampaignNaming, _ names: CampaignNames
  ) {
    (self.index, self.query, self.naming, self.names) = (index, query, naming, names)
    networks = Set(query.networks.map(\.canonical))
    apps = Set(query.apps.map(\.number))
    conditions = query.conditions.filter { !$0.dimension.isOfDays }
  }

  /// The campaign of a piece of spend, as it is on its day.
  mutating func campaign(of paid: SpendRow) -> PaidCampaign {
    let campaign = known(paid)
    if !campaign.days.contains(paid.day) { lookUp(campaign, paid) }
    return campaign
  }

  private mutating func known(_ paid: SpendRow) -> PaidCampaign {
    // Spend comes by day, network and campaign, so that most days have the campaigns of the day before in the same order.
    if last < campaigns.count {
      let next = campaigns[last].next
      if campaigns[next].key.isOf(paid) {
        last = next
        return campaigns[next]
      }
    }
    let key = PaidCampaignKey(paid)
    let number = numbers[key] ?? add(key)
    if last < campaigns.count { campaigns[last].next = number }
    last = number
    return campaigns[number]
  }

  private mutating func add(_ key: PaidCampaignKey) -> Int {
    if campaigns.count == Self.most {
      campaigns.removeAll(keepingCapacity: true)
      numbers.removeAll(keepingCapacity: true)
    }
    numbers[key] = campaigns.count
    campaigns.append(PaidCampaign(key))
    return campaigns.count - 1
  }

  private mutating func lookUp(_ campaign: PaidCampaign, _ paid: SpendRow) {
    campaign.days = names.days(like: paid, isMatched: !naming.isEmpty)
    let digits = names.digits(of: paid.campaign, network: paid.network, app: paid.app, on: paid.day)
    let match = naming.isEmpty ? .unknown : names.match(paid)
    campaign.digits = digits
    campaign.isAdmitted =
      (networks.isEmpty || networks.contains(paid.network))
      && (apps.isEmpty || paid.app.map(apps.contains) ?? true) && naming.admits(match)
      && conditions.allSatisfy { $0.admits(paid, digits: digits, kept: query.digits) }
    // A name that is not in force is no campaign's: the row without a name is for digits without a name.
    let isNoCampaign = digits == nil && match == .unknown && !naming.dimensions.isEmpty
    let label = naming.dimensions.isEmpty ? nil : CampaignLabel(match, naming.dimensions)
    campaign.places = isNoCampaign ? nil : index.places(for: paid, digits: digits, label: label)
    (campaign.lastFit, campaign.reason) = (nil, nil)
  }

  /// The rows that a campaign's spend of a day fits.
  mutating func rows(for campaign: PaidCampaign, on day: Day) -> SpendFit {
    guard let places = campaign.places, let days = index.number(of: day) else { return .no }
    if let last = campaign.lastFit, last.days == days { return last.fit }
    let fit = index.rows(at: places, ofDays: days)
    campaign.lastFit = (days, fit)
    return fit
  }
}
