package import Ledger
import Postbacks

/// The networks, campaigns and apps that postbacks came from, to name the nearest ones to what matches none.
package struct ReceivedCampaigns {
  private struct Network {
    var apps: [String: Set<Int64>] = [:]
    var endings = CampaignEndings<String>()
    var numbers: [(number: Int, digits: String)] = []

    mutating func add(_ campaign: String?, app: Int64?) {
      guard let campaign else { return }
      if apps[campaign] == nil {
        endings.add(campaign, digits: campaign)
        if let number = Int(campaign) { numbers.append((number, campaign)) }
      }
      apps[campaign, default: []].formUnion(app.map { [$0] } ?? [])
    }
  }

  private var networks: [String: Network] = [:]
  private var search = NameSearch()

  package var isEmpty: Bool { networks.isEmpty }

  /// Adds the rows of an answer; without a network or campaign in the question these are not distinguished.
  package init(_ rows: some Sequence<CampaignRow>) {
    for row in rows {
      let network = row.network ?? ""
      networks[network, default: Network()].add(row.campaign?.text, app: row.app?.number)
    }
    for network in networks.keys.sorted() {
      networks[network]?.numbers.sort { $0.number < $1.number }
      search.add(network)
    }
    // Meta's two identifiers have one name.
    for name in BuiltInName.all where name.campaign.isEmpty && networks[name.network] != nil {
      search.add(String(name.name.prefix { $0 != "(" }), meaning: name.network)
    }
  }

  /// Why spend belongs to no row of a question's answer, of which these are the campaigns.
  ///
  /// Where rows are by name, a campaign with a name can have postbacks and no row of its own.
  func reason(
    against paid: SpendRow, _ digits: String?, _ names: CampaignNames, _ query: CampaignQuery,
    isByName: Bool = false
  ) -> Unmatched.Reason {
    let asks = Set(query.dimensions)
    let network = asks.contains(.network) ? paid.network : ""
    guard has(network: network) else { return .unknownNetwork }
    if asks.contains(.campaign) {
      guard let digits else {
        let fitting = names.campaigns(
          called: paid.campaign, network: paid.network, app: paid.app, on: paid.day)
        if isByName, case .known = names.match(paid) { return .otherDay }
        return fitting.isEmpty ? .unknownName : .ambiguousName
      }
      let short = query.digits.map { String(digits.suffix($0)) }
      let apps = [digits, short].compactMap { $0 }.compactMap { self.apps(ofCampaign: $0, of: network) }
      guard !apps.isEmpty else {
        guard isByName, names.match(paid) != .unknown else { return .unknownCampaign }
        return fits(digits, network) ? .ambiguousDigits : .otherDay
      }
      if asks.contains(.app), let app = paid.app, !apps.contains(where: { $0.contains(app) }) {
        return .otherApp
      }
    }
    return asks.contains(.day) ? .otherDay : .otherApp
  }

  package func has(network: String) -> Bool { networks[network] != nil }

  /// The apps with postbacks of a campaign; `nil` for a campaign without any.
  package func apps(ofCampaign campaign: String, of network: String) -> Set<Int64>? {
    networks[network]?.apps[campaign]
  }

  package var apps: Set<Int64> {
    networks.values.reduce(into: []) { apps, network in
      for found in network.apps.values { apps.formUnion(found) }
    }
  }

  /// Whether digits of a name fit those of any campaign, or of one of an app: all of them, or the last ones of either.
  package func fits(_ digits: String, _ network: String, app: Int64? = nil) -> Bool {
    guard let campaigns = networks[network] else { return false }
    let fitting = [digits] + campaigns.endings.fitting(digits)
    return fitting.contains { campaign in
      campaigns.apps[campaign].map { apps in app.map { apps.contains($0) } ?? true } ?? false
    }
  }

  func nearest(toNetwork network: String) -> [String] { search.nearest(to: network) }

  /// Campaigns of a network that were probably meant: those with the same last digits, and the next lower and higher.
  func nearest(toCampaign digits: String, of network: String) -> [String] {
    guard let campaigns = networks[network], let number = Int(digits) else { return [] }
    var found = Array(campaigns.endings.fitting(digits).prefix(2))
    var (low, high) = (0, campaigns.numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if campaigns.numbers[middle].number < number { low = middle + 1 } else { high = middle }
    }
    for index in [low - 1, low] where campaigns.numbers.indices.contains(index) {
      let next = campaigns.numbers[index].digits
      if next != digits, !found.contains(next) { found.append(next) }
    }
    return Array(found.prefix(3))
  }
}
