import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

/// What a plan rests on: what arrived of each campaign day by day, its money, and what people call it.
struct PlanEvidence {
  typealias Place = PlannedCampaign.Place

  /// A campaign that the plan is about.
  struct Asked {
    let campaign: EstimatedCampaign
    let name: CampaignNames.Match
    /// The row of estimates that its money is of; `nil` where it has none in the plan's currency.
    let estimate: EstimateReport.Row?
  }

  /// All campaigns of the apps that are asked for; those of other networks count for the models alone.
  let campaigns: [PlannedCampaign]
  let asked: [Place: Asked]
  /// The networks that the plan is about, those that only a cost was given for included.
  let networks: Set<String>
  /// What they are called.
  let networkNames: [String: String]
  /// How many campaigns of one app each network had with a postback in the last days; of several apps the most.
  let active: [String: Int]
  /// Campaigns that are asked for and had none in the last days.
  let idle: Int
  /// How few users of a campaign and week a value was shown for.
  let sharing: FewestSharing
  /// The mapping in force of each app that is asked for.
  let mappings: [Mapping]
  /// What all money is in; `nil` where no app has a mapping.
  let currency: CurrencyCode?
  let horizons: [EstimateHorizon]
  /// Whether some campaigns have money in other currencies or of other times since the install, which the plan is without.
  let hasOtherMoney: Bool

  /// How many days of arrivals the models rest on.
  private static let days: Int32 = 90
  /// Postbacks of a day of installs arrive three or four days later, so that half of what arrives on a day is of the fourth
  /// day before.
  private static let delay: Int32 = 4
  /// A campaign is active with a postback in so many last days.
  private static let activeDays = 7

  init(_ report: PlanReport, _ installs: Range<Day>, from source: ReportSource) throws {
    let reader = source.reader
    let end = Day(number: min(installs.upperBound.number + Self.delay, source.now.day.number))
    let first = Day(number: min(end.number - Self.days, installs.lowerBound.number + Self.delay))
    let catalog = try MappingCatalog(from: reader)
    let names = try CampaignNames.of(reader)
    let counts = try catalog.firstWindowCounts(
      CampaignQuery(environment: report.scope.environment, from: first, to: end, apps: report.scope.apps),
      digits: 2, from: reader)
    let money = ReportingMoney(
      currency: try report.currency ?? ReportingMoney(ofService: reader, now: source.now).currency,
      days: report.horizon)
    currency = money.currency
    var estimates = EstimateReport(installs, report.scope, in: money)
    estimates.target = report.target
    // The same question has the same answer for an hour.
    let rows = try estimates.estimated(from: source, now: source.now.startOfHour).rows
    let best = Dictionary(grouping: rows.filter { $0.currency == money.currency }, by: \.campaign)
      .compactMapValues { rows in rows.max { $0.conversions < $1.conversions } }
    horizons = Set(best.values.map(\.horizon)).sorted()
    hasOtherMoney = rows.contains { row in
      row.campaign.flatMap { best[$0] }.map { $0.currency != row.currency || $0.horizon != row.horizon }
        ?? true
    }
    let last = Day(number: end.number - 1)
    // What was installed on the last days has not arrived yet.
    let begin = installs.lowerBound.number + Self.delay
    let played = begin..<max(begin, min(end.number, installs.upperBound.number + Self.delay))
    var (campaigns, asked) = ([PlannedCampaign](), [Place: Asked]())
    var networks = Set(report.costs.map(\.network.canonical))
    var sharing = FewestSharing(known: Int(first.number)..<Int(end.number))
    ArrivedDays.forEach(of: counts, catalog, report.scope.environment.timers) { days in
      let (campaign, start) = (days.campaign, Int32(days.firstNumber))
      let place = Place(campaign)
      if estimates.isShown(campaign) {
        networks.insert(campaign.network)
        asked[place] = Asked(
          campaign: campaign, name: names.match(campaign, on: last), estimate: best[campaign])
      }
      let tallies = days.consecutive
      sharing.add(tallies.map(\.fine), from: Int(start))
      let arrivals = tallies.map(PlannedCampaign.Arrived.init)
      let missing = max(0, Int(end.number - start) - arrivals.count)
      campaigns.append(
        PlannedCampaign(
          place, firstDay: Int(start),
          arrivals: arrivals + [PlannedCampaign.Arrived](repeating: .init(), count: missing),
          played: Int(played.lowerBound - start)..<Int(played.upperBound - start),
          weeks: PlannedCampaign.Week.all(
            of: tallies[max(0, min(tallies.count, Int(played.lowerBound - start)))...]),
          money: .init(best[campaign]), isAsked: estimates.isShown(campaign)))
    }
    (self.campaigns, self.asked) = (campaigns, asked)
    let isActive = { (campaign: PlannedCampaign) in
      campaign.arrivals.suffix(Self.activeDays).contains { $0.total > 0 }
    }
    let own = campaigns.filter { asked[$0.place] != nil }
    active = Dictionary(grouping: own.filter(isActive), by: \.place.network).mapValues { campaigns in
      Dictionary(grouping: campaigns, by: \.place.app).values.map(\.count).max() ?? 0
    }
    idle = own.count { !isActive($0) }
    self.sharing = sharing
    networkNames = Dictionary(
      uniqueKeysWithValues: networks.compactMap { network in
        names.name(ofNetwork: network, on: last).map { (network, $0) }
      })
    self.networks = networks
    let apps = Set(asked.values.map(\.campaign.app)).sorted { $0.number < $1.number }
    mappings = apps.compactMap { catalog.histories[$0]?.versions.last { $0.effectiveFrom <= source.now } }
  }
}

extension PlanEvidence {
  /// The fine values of each mapping, by app.
  var values: [Int64: [Int]] {
    mappings.reduce(into: [:]) { values, mapping in
      values[mapping.app.number] = Set(mapping.fine.map { Int($0.value.number) }).sorted()
    }
  }

  /// An amount in words, without a currency where no app has a mapping.
  func money(_ units: Double) -> Sentence {
    let number = Sentence("\(number: fixed(units, 2))")
    return currency.map { Sentence("\(number) \(code: $0.text)") } ?? number
  }
}

extension PlannedCampaign.Place {
  init(_ campaign: EstimatedCampaign) {
    self.init(
      app: campaign.app.number, network: campaign.network, kind: campaign.kind, digits: campaign.campaign)
  }
}

extension PlannedCampaign.Week {
  /// Whole weeks of arrival; a coarse value is neither shown nor withheld.
  fileprivate static func all(of days: ArraySlice<ArrivedDays.Tally>) -> [Self] {
    stride(from: days.startIndex, to: days.endIndex - 6, by: 7).map { start in
      let week = days[start..<start + 7].reduce(ArrivedDays.Tally(), +)
      return Self(installs: week.postbacks - week.coarse, values: week.fine)
    }
  }
}

extension PlannedCampaign.Arrived {
  /// Zeroes and values that the mapping does not have are shown too.
  fileprivate init(_ tally: ArrivedDays.Tally) {
    self.init(
      total: tally.postbacks, fine: tally.postbacks - tally.nulls - tally.coarse, coarse: tally.coarse)
  }
}

extension PlannedCampaign.Money {
  fileprivate init(_ row: EstimateReport.Row?) {
    self.init()
    guard let row else { return }
    sum = row.sum.installs > 0 ? row.sum : nil
    costPerInstall = row.compared?.costPerInstall
    if let compared = row.compared { spend = compared.spend.units }
    returns = row.compared?.value
    daysToDecide = row.daysToDecide
    returnsInterval = row.compared?.interval
    isSurelyBelow = row.verdict == .no
    isDecided = isSurelyBelow || row.verdict == .yes
  }
}
