package import Tables
package import Values

/// Imported rows of one network and campaign that no postbacks belong to.
package struct Unmatched: Hashable, Sendable {
  /// Why, with the nearest things that there are; the raw value is the stable code.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    case unknownNetwork = "unknown-network"
    case unknownName = "unknown-name"
    case ambiguousName = "ambiguous-name"
    case ambiguousDigits = "ambiguous-digits"
    case unknownCampaign = "unknown-campaign"
    case otherApp = "other-app"
    case otherDay = "other-day"
    case severalRows = "several-rows"
  }

  package struct Key: Hashable {
    let network: String
    let campaign: String
    let currency: CurrencyCode?
    let app: Int64?
    let reason: Reason

    package init(
      network: String, campaign: String, currency: CurrencyCode? = nil, app: Int64? = nil, reason: Reason
    ) {
      self.network = network
      self.campaign = campaign
      self.currency = currency
      self.app = app
      self.reason = reason
    }
  }

  /// Rows that people see at most; programs get all.
  package static let mostForPeople = 20

  let key: Key
  /// The first and the last day of the rows; a name without an end has its first day alone.
  var days: ClosedRange<Day>
  /// The spend; `nil` for what is no spend.
  var amount: Amount?
  /// What was probably meant: networks, campaigns, names or apps, by the reason.
  var nearest: [String] = []

  package static let columns: [Column<Unmatched>] = [
    Column("from", "from", "First UTC day of the rows.", \.days.lowerBound),
    Column("to", "to", "First UTC day after the rows.", \.days.upperBound.next),
    Column("network", "network", "Ad network of the rows.") { Identifier($0.key.network) },
    Column("campaign", "campaign", "Campaign of the rows, as the file has it.") {
      Identifier($0.key.campaign)
    },
    Column("app", "app", "App Store number of the rows; none if the file has none.", shown: .whereUseful) {
      $0.key.app.map { Identifier("\($0)") }
    },
    Column("currency", "currency", "Currency of the spend.", shown: .whereUseful) { $0.key.currency?.text },
    Column("amount", "amount", "Spend of the rows.", shown: .whereUseful, \.amount),
    Column(
      "reason", "reason",
      "Why: unknown-network, unknown-name, ambiguous-name, ambiguous-digits, unknown-campaign, other-app, other-day or several-rows."
    ) { $0.key.reason.rawValue },
    Column("nearest", "nearest", "Networks, names, campaigns or apps that were probably meant.", \.nearest),
  ]

  /// What a person reads at an import, without a full stop.
  package var sentence: Sentence {
    let isNumber = key.campaign.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let digitsOrName = isNumber ? key.campaign : "'\(key.campaign)'"
    let network = "'\(key.network)'"
    let campaign = Sentence("campaign \(name: digitsOrName) of \(name: network)")
    let names = nearest.joined(separator: ", ")
    func with(_ more: Sentence, _ sentence: Sentence, mark: String = "; ") -> Sentence {
      nearest.isEmpty ? sentence : .joined([sentence, more], by: mark)
    }
    switch key.reason {
    case .unknownNetwork:
      let meant = Sentence.either(nearest.map { Sentence(name: $0) })
      return with(
        Sentence("did you mean \(meant)?"), Sentence("network \(name: network) has no postbacks"))
    case .unknownName:
      let meant = Sentence.either(nearest.map { Sentence("'\(name: $0)'") })
      return with(
        Sentence("did you mean \(meant)?"), Sentence("\(campaign) is no name in use on these days"))
    case .ambiguousName:
      return Sentence("\(campaign) is the name of several campaigns: \(name: names); use digits")
    case .ambiguousDigits:
      return with(
        Sentence(name: names),
        Sentence("\(campaign) has postbacks under other digits only, which several names or none fit"),
        mark: ": ")
    case .unknownCampaign:
      return with(Sentence("the network has \(name: names)"), Sentence("\(campaign) has no postbacks"))
    case .otherApp:
      let app = key.app.map { "\($0)" } ?? ""
      return with(
        Sentence("it has those of \(name: names)"),
        Sentence("\(campaign) has no postbacks of app \(code: app)"))
    case .otherDay: return Sentence("\(campaign) has no postbacks on these days")
    case .severalRows: return Sentence("\(campaign) belongs to several rows")
    }
  }
}

/// Collects rows that no postbacks belong to, and finds what was probably meant once for each network and campaign.
package struct UnmatchedCollection {
  /// What distinguishes the rows of a network.
  ///
  /// There can be a hundred thousand of them, so that members of eight bytes come before smaller ones.
  private struct Place: Hashable {
    let campaign: String
    let currency: CurrencyCode?
    let app: Int64?
    let reason: Unmatched.Reason
  }

  private struct Sum {
    var days: ClosedRange<Day>
    var amount: Amount?
  }

  private var networks: [String: [Place: Sum]] = [:]
  private var count = 0
  private let most: Int

  /// - Parameter most: How many it has at most; further ones are left out.
  package init(most: Int = .max) { self.most = most }

  package mutating func add(_ key: Unmatched.Key, _ days: ClosedRange<Day>, _ amount: Amount? = nil) {
    let place = Place(campaign: key.campaign, currency: key.currency, app: key.app, reason: key.reason)
    guard var sum = networks[key.network]?[place] else {
      guard count < most else { return }
      count += 1
      networks[key.network, default: [:]][place] = Sum(days: days, amount: amount)
      return
    }
    sum.days = min(sum.days.lowerBound, days.lowerBound)...max(sum.days.upperBound, days.upperBound)
    if let amount { sum.amount = (sum.amount ?? .zero).adding(amount).sum }
    networks[key.network]?[place] = sum
  }

  /// The rows by network, campaign, app and currency, each with what was probably meant.
  package func sorted(_ received: ReceivedCampaigns, _ names: CampaignNames) -> [Unmatched] {
    var rows: [Unmatched] = []
    rows.reserveCapacity(count)
    for (network, sums) in networks {
      for (place, sum) in sums {
        let key = Unmatched.Key(
          network: network, campaign: place.campaign, currency: place.currency, app: place.app,
          reason: place.reason)
        rows.append(Unmatched(key: key, days: sum.days, amount: sum.amount))
      }
    }
    rows.sort { $0.isBefore($1) }
    var searches: [String: NameSearch] = [:]
    var nearestNetworks: [String: [String]] = [:]
    for index in rows.indices {
      let (key, day) = (rows[index].key, rows[index].days.lowerBound)
      let digits =
        names.digits(of: key.campaign, network: key.network, app: key.app, on: day) ?? key.campaign
      switch key.reason {
      case .unknownNetwork:
        let nearest = nearestNetworks[key.network] ?? received.nearest(toNetwork: key.network)
        nearestNetworks[key.network] = nearest
        rows[index].nearest = nearest
      case .unknownName:
        let search = searches[key.network] ?? names.search(network: key.network)
        searches[key.network] = search
        rows[index].nearest = search.nearest(to: key.campaign)
      case .ambiguousName:
        rows[index].nearest = names.campaigns(
          called: key.campaign, network: key.network, app: key.app, on: day)
      case .unknownCampaign, .ambiguousDigits:
        rows[index].nearest = received.nearest(toCampaign: digits, of: key.network)
      case .otherApp:
        rows[index].nearest = (received.apps(ofCampaign: digits, of: key.network) ?? []).sorted().prefix(3)
          .map { "\($0)" }
      case .otherDay, .severalRows: break
      }
    }
    return rows
  }
}

extension Unmatched {
  fileprivate func isBefore(_ other: Self) -> Bool {
    let (a, b) = (key, other.key)
    if a.network != b.network { return a.network < b.network }
    if a.campaign != b.campaign { return a.campaign < b.campaign }
    if a.app != b.app { return (a.app.map { "\($0)" } ?? "") < (b.app.map { "\($0)" } ?? "") }
    if a.currency != b.currency { return (a.currency?.text ?? "") < (b.currency?.text ?? "") }
    return a.reason.rawValue < b.reason.rawValue
  }
}
