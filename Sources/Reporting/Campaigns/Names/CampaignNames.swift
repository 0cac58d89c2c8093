package import Ledger
package import Postbacks
package import Values

/// What people call campaigns, networks and apps.
package struct CampaignNames: Sendable {
  package enum Match: Hashable, Sendable {
    case unknown
    /// One name fits, in all days of the row.
    ///
    /// It is indirect, so that a hundred thousand rows without a name take little memory.
    indirect case known(CampaignNameRow)
    /// Several fit: the digits are the last ones of several campaigns, or the name changed in the row's days.
    case ambiguous([String])
  }

  private var networks: [String: NetworkNames] = [:]
  private var apps: [Int64: [CampaignNameRow]] = [:]

  /// The names that a ledger has now; readers that share a memory load them once.
  package static func of(_ reader: LedgerReader) throws(LedgerError) -> Self {
    try reader.remembered(bytes: { $0.bytes }) { () throws(LedgerError) in
      var names = Self()
      try reader.forEachCampaignName { names.add($0) }
      names.addBuiltIn()
      return names
    }
  }

  /// Takes imported names, and the built-in ones that none of them replaces.
  package init(_ imported: [CampaignNameRow]) {
    for row in imported { add(row) }
    addBuiltIn()
  }

  private init() {}

  private mutating func add(_ row: CampaignNameRow) {
    if row.namesApp, let app = row.app {
      apps[app, default: []].append(row)
    } else {
      networks[row.network, default: NetworkNames(row.network)].add(row)
    }
  }

  private mutating func addBuiltIn() {
    // A name of one app replaces none of the others' campaigns.
    let missing = BuiltInName.all.filter { networks[$0.network]?.hasName(of: $0.campaign) != true }
    for name in missing { add(name.row) }
  }

  /// The memory that the names of campaigns take.
  private var bytes: Int { networks.values.reduce(0) { $0 + $1.bytes } }

  /// Whether any campaign of a network has a name; the network is in lower case.
  func hasCampaigns(of network: String) -> Bool { networks[network]?.hasCampaigns ?? false }

  /// The name of a campaign in some days.
  ///
  /// A source identifier has four digits, or fewer if the group was small; the short forms are its last
  /// digits. A name for exactly these digits counts before one for shorter forms. Digits that came short may be a
  /// longer campaign's, so that a name for `77` beside one for `4477` leaves a doubt about `77`, and none about `4477`.
  /// A name that does not hold on all of the days leaves a doubt. Only names that the app can have count; a name of the
  /// app counts before one of any app for the same digits.
  /// Source: Apple, "Receiving postbacks in multiple conversion windows"; the last digits are those of Apple's own
  /// samples, where 5239 becomes 39.
  ///
  /// - Parameters:
  ///   - network: The network, in lower case.
  ///   - app: The app; `nil` for several.
  ///   - days: The first and the last day.
  package func match(network: String, campaign: Campaign, app: Int64?, days: ClosedRange<Day>) -> Match {
    guard let names = networks[network] else { return .unknown }
    let digits = campaign.text
    var fitting = names.inForce(names.places(of: digits), app: app, days)
    if case .sourceIdentifier = campaign {
      let others =
        fitting.isEmpty ? names.fittingPlaces(digits) : names.places(endingWith: digits)
      fitting = names.inForce(others, app: app, days) + fitting
    }
    let rows = fitting.map(names.row)
    var distinct: [String] = []
    for name in rows.map(\.name) where !distinct.contains(name) { distinct.append(name) }
    guard let last = rows.last else { return .unknown }
    guard distinct.count == 1 else { return .ambiguous(distinct) }
    return Self.cover(rows, days) ? .known(last) : .ambiguous(distinct + ["(unnamed)"])
  }

  /// Pairs of names that a postback with only the shorter one's digits does not distinguish.
  ///
  /// - Parameter rows: The names, by network, campaign and day.
  /// - Returns: Pairs that one app can have on a common day and that are called differently, the one with fewer digits
  ///   first.
  package static func doubts(_ rows: [CampaignNameRow]) -> [(short: CampaignNameRow, long: CampaignNameRow)] {
    Dictionary(grouping: rows, by: \.network).ordered { $0.key < $1.key }.flatMap { _, rows in
      var endings = CampaignEndings<CampaignNameRow>()
      for row in rows { endings.add(row, digits: row.campaign) }
      return rows.flatMap { short -> [(short: CampaignNameRow, long: CampaignNameRow)] in
        let longer = endings.fitting(short.campaign).filter { areConfused(short, $0) }
        return longer.map { (short, $0) }
      }
    }
  }

  /// Whether one app can have both names on a common day, the second with more digits.
  private static func areConfused(_ short: CampaignNameRow, _ long: CampaignNameRow) -> Bool {
    guard long.campaign.utf8.count > short.campaign.utf8.count, long.name != short.name,
      long.canBe(of: short.app)
    else { return false }
    let (shortEnd, longEnd) = (short.to ?? Day(number: .max), long.to ?? Day(number: .max))
    return long.from < shortEnd && short.from < longEnd
  }

  /// Whether names, in the order of their days, leave none of the days without one.
  static func cover(_ names: [CampaignNameRow], _ days: ClosedRange<Day>) -> Bool {
    var next = days.lowerBound
    for name in names.ordered(by: { $0.from < $1.from }) where name.from <= next {
      guard let end = name.to else { return true }
      next = max(next, end)
    }
    return next > days.upperBound
  }

  /// The digits that a campaign of a spend file stands for: itself where it is digits, and otherwise the one campaign
  /// of that name or network's own number on that day.
  package func digits(of campaign: String, network: String, app: Int64?, on day: Day) -> String? {
    if Self.isDigits(campaign) { return campaign }
    let found = campaigns(called: campaign, network: network, app: app, on: day)
    return found.count == 1 ? found.first : nil
  }

  private static func isDigits(_ campaign: String) -> Bool {
    (1...4).contains(campaign.utf8.count) && campaign.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// What the campaign of a spend file is called on its day, by its digits or by its name.
  package func match(_ paid: SpendRow) -> Match {
    let named = (networks[paid.network]?.called(paid.campaign) ?? []).filter { name in
      name.canBe(of: paid.app) && name.from <= paid.day && (name.to.map { paid.day < $0 } ?? true)
    }
    if let first = named.first {
      let isOne = named.allSatisfy {
        ($0.name, $0.adSet, $0.creative, $0.country)
          == (first.name, first.adSet, first.creative, first.country)
      }
      return isOne ? .known(first) : .ambiguous(Set(named.map(\.name)).sorted())
    }
    let days = paid.day...paid.day
    if let number = Int64(paid.campaign), let id = CampaignID(number) {
      let match = match(network: paid.network, campaign: .campaignID(id), app: paid.app, days: days)
      if match != .unknown { return match }
    }
    return SourceIdentifier(paid.campaign).map {
      match(network: paid.network, campaign: .sourceIdentifier($0), app: paid.app, days: days)
    } ?? .unknown
  }

  /// The days around that of a piece of spend on which its campaign has the same digits, and where `isMatched` the same
  /// ``match(_:)``.
  func days(like paid: SpendRow, isMatched: Bool) -> Range<Day> {
    var (first, end) = (Day(number: .min), Day(number: .max))
    guard let names = networks[paid.network] else { return first..<end }
    func narrow(by places: [Int32]) {
      for place in places {
        let (from, to, app) = names.period(place)
        guard app == nil || paid.app == nil || app == paid.app else { continue }
        for change in [from, to ?? end] where change != end {
          if change <= paid.day { first = max(first, change) } else { end = min(end, change) }
        }
      }
    }
    if isMatched || !Self.isDigits(paid.campaign) { narrow(by: names.places(called: paid.campaign)) }
    guard isMatched else { return first..<end }
    // A campaign identifier can be written with zeros in front.
    for digits in [paid.campaign] + (Int64(paid.campaign).map { ["\($0)"] } ?? []) {
      narrow(by: names.places(of: digits) + names.fittingPlaces(digits))
    }
    return first..<end
  }

  /// The digits of the campaigns that have a name on a day.
  package func campaigns(called name: String, network: String, app: Int64?, on day: Day) -> [String] {
    Set(
      (networks[network]?.called(name) ?? []).filter { name in
        name.canBe(of: app) && name.from <= day && (name.to.map { day < $0 } ?? true)
      }.map(\.campaign)
    ).sorted()
  }

  /// The name of a network on a day; the network is in lower case.
  package func name(ofNetwork network: String, on day: Day) -> String? {
    Self.name(networks[network]?.own, on: day)
  }

  package func name(ofApp app: Int64, on day: Day) -> String? { Self.name(apps[app], on: day) }

  private static func name(_ rows: [CampaignNameRow]?, on day: Day) -> String? {
    rows?.first { $0.from <= day && $0.to.map { day < $0 } ?? true }?.name
  }

  /// Finds names of a network's campaigns that were probably meant.
  func search(network: String) -> NameSearch {
    var search = NameSearch()
    for name in networks[network]?.words ?? [] { search.add(name) }
    return search
  }
}

extension CampaignNameRow {
  /// Whether it names an app, which is of no network.
  package var namesApp: Bool { network.isEmpty && campaign.isEmpty }

  /// Whether it can be the name of an app's campaign; `nil` for an app that is not known.
  func canBe(of app: Int64?) -> Bool { self.app == nil || app == nil || self.app == app }
}
