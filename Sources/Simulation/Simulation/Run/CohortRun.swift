import Mappings
import Postbacks
import Values

/// The work of running one cohort: sums by the cohort's own numbers, put under names at the end.
struct CohortRun {
  private let simulator: Simulator
  private let cohort: Cohort
  private let crowd: Crowd
  private let random: RandomStream
  private let version: ProtocolVersion
  private let nonWinnerShare: Double
  private var campaigns: [CampaignOutcome]
  private var days: [DaySums] = []
  private var dayIndex: DayIndex
  /// What separates groups, by the number of the origin; empty if nothing does.
  private let origins: [UserOrigin]
  /// The groups of users with an origin, by its number, campaign and day.
  private var crowds: [[CampaignDay: CrowdPlace]]
  private(set) var organicUsers = 0
  private(set) var organicRevenue = MoneySum.zero

  init(_ simulator: Simulator, _ cohort: Cohort, _ crowd: Crowd, run: Int) {
    self.simulator = simulator
    self.cohort = cohort
    self.crowd = crowd
    random = RandomStream(seed: simulator.configuration.seed, run: run)
    version = simulator.version
    nonWinnerShare = simulator.configuration.nonWinnerShare
    dayIndex = DayIndex(cohort)
    origins = simulator.crowdOrigins(of: cohort)
    crowds = Array(repeating: [:], count: origins.count)
    var empty = CampaignOutcome()
    empty.addsUp = simulator.addsUp
    empty.windows[0].trueFine = Array(repeating: 0, count: 64)
    empty.windows[0].revenueByFine = Array(repeating: .zero, count: 64)
    empty.windows[0].visibleFine = Array(repeating: 0, count: 64)
    campaigns = Array(repeating: empty, count: cohort.names.campaigns.count)
  }

  /// Counts what is sent of one user.
  ///
  /// - Parameters:
  ///   - replayed: What became of the user under the mapping.
  ///   - ends: Where the user's windows lie among others.
  mutating func add(
    _ user: CohortUser, _ replayed: ReplayedUser, _ ends: [WindowEnd],
    _ each: ((SimulatedPostback) -> Void)? = nil
  ) {
    guard user.campaign >= 0 else {
      organicUsers += 1
      organicRevenue.add(replayed.inHorizon)
      return
    }
    let campaign = Int(user.campaign)
    let day = place(user.campaign, user.day(after: 0))
    meetCrowd(day)
    days[day].truth.installs += 1
    days[day].truth.revenue.add(replayed.inHorizon)
    campaigns[campaign].installs += 1
    campaigns[campaign].revenueEver.add(replayed.ever)
    campaigns[campaign].revenue.add(replayed.inHorizon)

    if replayed.isChainBroken {
      campaigns[campaign].chainsBroken += 1
      campaigns[campaign].lostByChain.add(replayed.lostByChain)
    }
    var conversion = -1
    var at = day
    var crowdPlace = days[day].crowd
    var disclosure = Disclosure()
    var isReported = false
    for index in Int(replayed.ends.lowerBound)..<Int(replayed.ends.upperBound) {
      let end = ends[index]
      if end.conversion != conversion {
        if end.conversion > 0 { campaigns[campaign].laterConversions += 1 }
        conversion = end.conversion
        isReported = false
        at = end.start == 0 ? day : place(user.campaign, user.day(after: end.start))
        meetCrowd(at)
        crowdPlace = self.crowdPlace(of: user, at)
        disclosure = Disclosure.decide(
          crowd.model, crowdPlace, hasWindows: version.hasWindows,
          value: random.fraction(user: user.key, .value, conversion: conversion),
          source: random.fraction(user: user.key, .source, conversion: conversion))
      }
      if send(user, end, disclosure, crowdPlace, each), !isReported {
        isReported = true
        campaigns[campaign].reported += 1
      }
    }
  }

  /// Counts one window of a conversion; whether a winning postback is sent.
  private mutating func send(
    _ user: CohortUser, _ end: WindowEnd, _ disclosure: Disclosure, _ crowdPlace: CrowdPlace,
    _ each: ((SimulatedPostback) -> Void)?
  ) -> Bool {
    let campaign = Int(user.campaign)
    let window = end.window.rawValue
    let shown = disclosure.shown(end, crowd.model, crowdPlace)
    let isSent = end.window == .first || disclosure.sendsLater
    let arrival = arrival(user, end, .delay)
    let worth = simulator.worth(of: end.kind)
    let truth = worth[end.window, fine: end.fine, coarse: end.coarse]
    let visible = worth[end.window, fine: shown.fine, coarse: shown.coarse]
    campaigns[campaign].windows[window].count(end, worth: truth)
    guard isSent else {
      campaigns[campaign].windows[window].withheld += 1
      return false
    }
    campaigns[campaign].windows[window].count(shown: shown, worth: visible, delay: arrival.delay)
    let day = place(user.campaign, arrival.instant.day.number)
    days[day].arrivals[window].count(shown: shown, worth: visible)
    if let each { each(postback(user, end, disclosure, shown, arrival.instant, didWin: true)) }

    // A re-engagement has no losers. Source: Apple, "Receiving ad attributions and postbacks" of AdAttributionKit.
    if nonWinnerShare > 0, end.window == .first, end.kind != .reengagement,
      random.fraction(user: user.key, .nonWinner, conversion: end.conversion) < nonWinnerShare
    {
      let arrival = self.arrival(user, end, .nonWinnerDelay)
      campaigns[campaign].windows[window].nonWinners += 1
      days[place(user.campaign, arrival.instant.day.number)].arrivals[window].nonWinners += 1
      if let each { each(postback(user, end, disclosure, (-1, -1), arrival.instant, didWin: false)) }
    }
    return true
  }

  @inline(__always)
  private func arrival(_ user: CohortUser, _ end: WindowEnd, _ purpose: RandomStream.Purpose) -> (
    instant: Instant, delay: Int64
  ) {
    let bits = random.bits(user: user.key, purpose, conversion: end.conversion, window: end.window.rawValue)
    let delay =
      end.prepared * 1000 + PostbackDelay.milliseconds(version: version, window: end.window, bits: bits)
    return (user.installed + (end.start * 1000 + delay), delay)
  }

  private func postback(
    _ user: CohortUser, _ end: WindowEnd, _ disclosure: Disclosure, _ shown: (fine: Int8, coarse: Int8),
    _ sentAt: Instant, didWin: Bool
  ) -> SimulatedPostback {
    let name = cohort.names.campaigns[Int(user.campaign)]
    // The second and third postback always have two digits.
    let digits = end.window == .first ? disclosure.digits : 2
    let value: ConversionValue =
      if didWin, let fine = FineValue(Int64(shown.fine)) {
        .fine(fine)
      } else if didWin, let coarse = CoarseValue(step: shown.coarse) {
        .coarse(coarse)
      } else {
        .absent
      }
    let showsSource = didWin && end.window == .first && disclosure.showsSource
    let origin = showsSource && user.origin >= 0 ? cohort.names.origins[Int(user.origin)] : .unknown
    return SimulatedPostback(
      campaign: name,
      campaignOnWire: crowd.directory.campaign(name, hasWindows: version.hasWindows, digits: digits),
      user: user.key, installed: user.installed, conversion: end.conversion, kind: end.kind,
      convertedAt: user.installed + end.start * 1000, version: version, window: end.window, didWin: didWin,
      value: value, tier: disclosure.tier < 0 ? nil : disclosure.tier,
      showsSource: showsSource, sourceApp: origin.sourceApp,
      // Groups of AdAttributionKit are of one country, so that the country is shown if the source is.
      country: version == .adAttributionKit ? origin.country : nil,
      preparedAt: user.installed + (end.start + end.prepared) * 1000, sentAt: sentAt,
      trueFine: FineValue(Int64(end.fine)), trueCoarse: CoarseValue(step: end.coarse),
      revenue: Amount(micros: end.revenue), revenueAtUpdate: Amount(micros: end.revenueAtUpdate))
  }

  /// Returns where a campaign's day lies in ``days``.
  private mutating func place(_ campaign: Int32, _ day: Int32) -> Int {
    let (index, isNew) = dayIndex.place(campaign, day)
    if isNew { days.append(DaySums()) }
    return index
  }

  /// Looks up the group of a day on which a user converts.
  @inline(__always)
  private mutating func meetCrowd(_ index: Int) {
    guard !days[index].isCrowdKnown else { return }
    let key = dayIndex.keys[index]
    days[index].crowd = CrowdPlace(
      crowd, CrowdGroup(campaign: cohort.names.campaigns[key.campaign], origin: .unknown), day: key.day,
      hasWindows: version.hasWindows)
    days[index].isCrowdKnown = true
  }

  /// The group of a user who converts on a day that ``meetCrowd(_:)`` has seen.
  @inline(__always)
  private mutating func crowdPlace(of user: CohortUser, _ index: Int) -> CrowdPlace {
    guard !origins.isEmpty, user.origin >= 0 else { return days[index].crowd }
    let key = dayIndex.keys[index]
    let origin = Int(user.origin)
    if let known = crowds[origin][key] { return known }
    let group = CrowdGroup(campaign: cohort.names.campaigns[key.campaign], origin: origins[origin])
    let place = CrowdPlace(crowd, group, day: key.day, hasWindows: version.hasWindows)
    crowds[origin][key] = place
    return place
  }

  /// What came of each campaign of the cohort, by its number.
  consuming func outcomes() -> [CampaignOutcome] {
    for (key, sums) in zip(dayIndex.keys, days) {
      let day = Day(number: key.day)
      if sums.truth.installs > 0 { campaigns[key.campaign].installDays[day] = sums.truth }
      for window in campaigns[key.campaign].windows.indices
      where sums.arrivals[window].postbacks + sums.arrivals[window].nonWinners > 0 {
        campaigns[key.campaign].windows[window].arrivals[day] = sums.arrivals[window]
      }
    }
    return campaigns
  }

  /// Puts the sums under the names of campaigns.
  consuming func outcome(_ others: [MoneySum]) -> SimulationOutcome {
    var outcome = SimulationOutcome(currency: simulator.configuration.currency)
    outcome.organicUsers = organicUsers
    outcome.organicRevenue = organicRevenue
    for (currency, sum) in zip(cohort.names.currencies, others) where sum != .zero {
      outcome.otherRevenue[currency, default: .zero] += sum
    }
    let names = cohort.names.campaigns
    for (name, campaign) in zip(names, outcomes()) where campaign.installs > 0 {
      outcome.campaigns[name, default: CampaignOutcome()].merge(campaign)
    }
    return outcome
  }
}

private struct DaySums {
  /// The group of those who convert on the day.
  var crowd = CrowdPlace()
  var isCrowdKnown = false
  var truth = InstallDay()
  /// What arrives on the day, by window.
  var arrivals: InlineArray<3, ArrivalDay> = [ArrivalDay(), ArrivalDay(), ArrivalDay()]
}
