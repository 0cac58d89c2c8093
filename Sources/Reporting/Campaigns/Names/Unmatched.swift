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
    let app: Int64?
    let currency: CurrencyCode?
    let reason: Reason

    package init(network: String, campaign: String, app: Int64?, currency: CurrencyCode?, reason: Reason) {
      self.network = network
      self.campaign = campaign
      self.app = app
      self.currency = currency
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
  private var rows: [Unmatched.Key: Unmatched] = [:]
  private let most: Int

  /// - Parameter most: How many it has at most; further ones are left out.
  package init(most: Int = .max) { self.most = most }

  package mutating func add(_ key: Unmatched.Key, _ days: ClosedRange<Day>, _ amount: Amount? = nil) {
    guard var row = rows[key] else {
      guard rows.count < most else { return }
      rows[key] = Unmatched(key: key, days: days, amount: amount)
      return
    }
    row.days = min(row.days.lowerBound, days.lowerBound)...max(row.days.upperBound, days.upperBound)
    if let amount { row.amount = (row.amount ?? .zero).adding(amount).sum }
    rows[key] = row
  }

  /// The rows by network, campaign, app and currency, each with what was probably meant.
  package func sorted(_ received: ReceivedCampaigns, _ names: CampaignNames) -> [Unmatched] {
    var searches: [String: NameSearch] = [:]
    func search(_ network: String) -> NameSearch {
      let search = searches[network] ?? names.search(network: network)
      searches[network] = search
      return search
    }
    return rows.values.sorted { $0.isBefore($1) }.map { row in
      var row = row
      let key = row.key
      let digits =
        names.digits(of: key.campaign, network: key.network, app: key.app, on: row.days.lowerBound)
        ?? key.campaign
      row.nearest =
        switch key.reason {
        case .unknownNetwork: received.nearest(toNetwork: key.network)
        case .unknownName: search(key.network).nearest(to: key.campaign)
        case .ambiguousName:
          names.campaigns(
            called: key.campaign, network: key.network, app: key.app, on: row.days.lowerBound)
        case .unknownCampaign, .ambiguousDigits: received.nearest(toCampaign: digits, of: key.network)
        case .otherApp:
          (received.apps(ofCampaign: digits, of: key.network) ?? []).sorted().prefix(3).map { "\($0)" }
        case .otherDay, .severalRows: []
        }
      return row
    }
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
