import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

/// Postbacks by campaign and day of install, with the withheld values apart.
///
/// The cells are fixed: they follow from everything that is stored, whatever days a report shows, so parts add up
/// to the whole. The day of install is inferred from the hours of arrival, app by app and law of delay by law of
/// delay, and each postback is shared out over the days that it can be of.
struct InstallCells: Sendable {
  /// The version of an app's mapping that values are counted under.
  struct Scheme: Hashable, Sendable {
    let app: AppID
    let version: Int
    /// The type of the conversions, where values of the version depend on it.
    let type: ConversionType?
  }

  private(set) var cells: [Scheme: [EstimatedCampaign: [Day: DayCounts]]] = [:]
  /// What cells consist of, where the question distinguishes what only some postbacks show; days that no row distinguishes
  /// are one, under one of them.
  private(set) var parts: [Scheme: [EstimatedCampaign: [Day: [ShownDetails: DayCounts]]]] = [:]
  /// The share of each install day's first postbacks that is expected to have come by now, by app.
  private(set) var completeness: [AppID: [Day: Double]] = [:]
  /// The days of each app of which installs are known.
  ///
  /// They are from the first one with a mapping to the last one that postbacks have arrived of; on a day between them
  /// without installs of a campaign it had none.
  private(set) var knownDays: [AppID: ClosedRange<Day>] = [:]
  /// All campaigns that have any.
  private(set) var campaigns: Set<EstimatedCampaign> = []
  /// Whether there are so many that cells are of the days and the spend of one question.
  private(set) var areMany = false
  /// What is known of the spend of very many campaigns; `nil` for fewer.
  private(set) var paid: PaidDays?
  /// Postbacks of a time without a mapping.
  private(set) var undated = 0.0
  /// Campaigns that have postbacks with more digits than they are counted by.
  private(set) var shortened: Set<EstimatedCampaign> = []

  private struct Law: Hashable {
    let app: AppID
    let delay: SendingDelay
  }

  /// A version that the value of some postbacks can be of.
  private struct Reading {
    /// The place among the laws.
    let law: Int
    /// The place among the versions and types of the app.
    let scheme: Int
    let probability: Double
    /// Where postbacks count in a cell.
    let part: Int
    /// What a postback is worth on average, if it has a coarse value.
    let worth: Double
    let isFirstInstall: Bool
  }

  /// The readings of all kinds, with the laws and versions that they name, each once.
  private struct Readings {
    var laws: [Law] = []
    /// By app.
    var schemes: [AppID: [Scheme]] = [:]
    var all: [Reading] = []
  }

  /// Everything that decides where postbacks of a kind count.
  private struct Kind {
    /// The probability that they are of the time before the first version, which is under no mapping either.
    let undated: Double
    /// Places among the readings.
    let readings: Range<Int>
  }

  /// A campaign with those whose postbacks count for it.
  private struct Member {
    let campaign: EstimatedCampaign
    /// Places among those that were counted.
    let places: [Int]
    /// Whether the value 0 stands for a withheld one.
    var zeroIsNull = false
    /// What their postbacks show; `nil` where that does not count.
    var shown: ShownDetails?
  }

  /// What a postback with a coarse value is worth on average.
  typealias CoarseWorth = (Scheme, CoarseValue, Meaning) -> Double

  /// Gathers the cells of a ledger.
  ///
  /// Of very many campaigns, days that no row tells apart, and that spend does not, are one cell, under one of these days.
  ///
  /// - Parameter spend: What was paid for campaigns; asked of very many alone.
  init(
    _ reader: LedgerReader, _ catalog: MappingCatalog, _ settings: FitSettings, _ days: CellDays,
    now: Instant,
    spend: (Set<EstimatedCampaign>) throws(LedgerError) -> PaidDays?, coarseWorth: CoarseWorth
  ) throws(LedgerError) {
    let counts = try catalog.firstWindowCounts(
      CampaignQuery(environment: settings.environment), digits: settings.digits, from: reader,
      by: settings.traits)
    let isDivided = settings.isDivided
    var members: [Member] = []
    for (place, counted) in counts.campaigns.enumerated() where catalog.histories[counted.app] != nil {
      let campaign = EstimatedCampaign(counted)
      if counted.isShortened { shortened.insert(campaign.whole) }
      members.append(
        Member(
          campaign: campaign, places: [place], zeroIsNull: settings.nullIsZero.contains(campaign.network),
          shown: isDivided ? ShownDetails(counted.traits) : nil))
    }
    campaigns = Set(members.lazy.map(\.campaign.whole))
    let count = isDivided ? Set(members.map(\.campaign)).count : members.count
    areMany = count > EstimatedCrowd.mostDrawnApart
    if areMany { paid = try spend(campaigns) }
    gather(
      counts, members, catalog, settings.environment.timers, now: now, by: settings.zone,
      together: areMany ? { days.first(togetherWith: $0) } : nil, ofParts: { days.first(togetherWith: $0) },
      coarseWorth: coarseWorth)
  }

  /// What a cell has that shows the same.
  typealias Part = (shown: ShownDetails, counts: DayCounts)

  /// The parts of each day of campaigns, in a fixed order; none where cells have none.
  func sortedParts(of campaigns: [EstimatedCampaign], _ scheme: Scheme) -> [[Day: [Part]]] {
    guard let parts = parts[scheme] else { return [] }
    return campaigns.map { campaign in
      (parts[campaign] ?? [:]).mapValues { days in
        days.ordered { $0.key < $1.key }.map { (shown: $0.key, counts: $0.value) }
      }
    }
  }

  /// Gathers one campaign for each app that stands for all of its campaigns, and one for those of other networks than were
  /// asked for.
  ///
  /// - Parameters:
  ///   - networks: The networks that were asked for; none for all.
  ///   - timers: The timers that the postbacks' devices can run by.
  ///   - now: What arrived until then is all there is.
  init(
    ofAllCampaigns counts: FirstWindowCounts, of networks: [AdNetworkID], _ catalog: MappingCatalog,
    _ timers: DeviceTimers, now: Instant
  ) {
    let wanted = Set(networks.map(\.canonical))
    var places: [EstimatedCampaign: [Int]] = [:]
    for (place, campaign) in counts.campaigns.enumerated() where catalog.histories[campaign.app] != nil {
      let isWanted = wanted.isEmpty || wanted.contains(campaign.network)
      places[isWanted ? .all(of: campaign.app) : .others(of: campaign.app), default: []].append(place)
    }
    let members = places.ordered { $0.key < $1.key }.map { Member(campaign: $0.key, places: $0.value) }
    gather(counts, members, catalog, timers, now: now, coarseWorth: { _, _, _ in 0 })
  }

  /// Millions of postbacks pass here, so what is decided for each of them is a look at a list of numbers.
  private mutating func gather(
    _ counts: FirstWindowCounts, _ members: [Member], _ catalog: MappingCatalog, _ timers: DeviceTimers,
    now: Instant, by zone: ReportingZone = .utc, together: ((Day) -> Day)? = nil,
    ofParts: (Day) -> Day = { $0 }, coarseWorth: CoarseWorth
  ) {
    var (firstHour, lastHour) = (Int32.max, Int32.min)
    for place in members.lazy.flatMap(\.places) {
      counts.forEachList(ofCampaign: place) { _, hours, _ in
        for index in hours.indices {
          firstHour = min(firstHour, hours[index])
          lastHour = max(lastHour, hours[index])
        }
      }
    }
    guard firstHour <= lastHour else { return }
    let clock = ArrivalClock(firstHour: firstHour, lastHour: lastHour, now: now, zone)
    var found = Readings()
    let decided = counts.kinds.map { dated($0, catalog, timers, coarseWorth, &found) }
    // For networks that report a withheld value as 0.
    let hasZeroAsNull = members.contains(where: \.zeroIsNull)
    let withheld = zip(counts.kinds, decided).map { kind, asItIs in
      kind.isZero && hasZeroAsNull
        ? dated(kind.withheld, catalog, timers, coarseWorth, &found) : asItIs
    }
    let (schemes, readings) = (found.schemes, found.all)
    let arrivals = arrivals(counts, members, decided, withheld, found, clock)
    let days = infer(found.laws, arrivals, clock, catalog)
    let paidDays = paid?.days ?? []
    var unpaid = SharedDays<Day>()
    let origins = InstallOrigins(days, arrivals, clock.origin) { day in
      guard let together, !paidDays.contains(day) else { return day }
      return paidDays.isEmpty ? together(day) : unpaid.first(of: together(day), day)
    }
    var open = OpenCells(schemes: schemes.values.map(\.count).max() ?? 0, days: origins.days)
    for member in members {
      let kinds = member.zeroIsNull ? withheld : decided
      for place in member.places {
        counts.forEachList(ofCampaign: place) { numbers, hours, counts in
          for index in numbers.indices {
            let bin = clock.bin(ofHour: hours[index])
            let postbacks = counts.isEmpty ? 1 : Double(counts[index])
            for place in kinds[Int(numbers[index])].readings {
              let reading = readings[place]
              for share in origins.places(ofLaw: reading.law, bin: bin) {
                let share = origins.shares[share]
                open.add(
                  postbacks * reading.probability * share.probability, reading.part, worth: reading.worth,
                  isFirstInstall: reading.isFirstInstall, scheme: reading.scheme, day: share.day)
              }
            }
          }
        }
      }
      let schemes = schemes[member.campaign.app] ?? []
      var shared = SharedDays<SpendPlace>()
      let campaign = member.campaign.whole
      let isPaid = paid?.isKnown(of: campaign) ?? false
      open.take({ day in
        guard let together, !paidDays.isEmpty else { return day }
        let state = isPaid ? spendState(of: campaign, on: day, paid) : .unknown
        return shared.first(of: .init(day: together(day), state: state), day)
      }) { scheme, days in
        guard let shown = member.shown else {
          cells[schemes[scheme], default: [:]][member.campaign] = days
          return
        }
        add(days, showing: shown, to: member.campaign, schemes[scheme], ofParts)
      }
    }
  }

  /// Adds postbacks that show the same to the cells of their campaign and to the parts of these.
  private mutating func add(
    _ days: [Day: DayCounts], showing shown: ShownDetails, to campaign: EstimatedCampaign, _ scheme: Scheme,
    _ together: (Day) -> Day
  ) {
    for (day, counts) in days.ordered(by: { $0.key < $1.key }) {
      cells[scheme, default: [:]][campaign, default: [:]][day, default: DayCounts()] += counts
      parts[scheme, default: [:]][campaign, default: [:]][together(day), default: [:]][
        shown, default: DayCounts()] += counts
    }
  }

  /// How many postbacks of each law arrived, by bin.
  private mutating func arrivals(
    _ counts: FirstWindowCounts, _ members: [Member], _ decided: [Kind], _ withheld: [Kind],
    _ found: Readings, _ clock: ArrivalClock
  ) -> [[Double]] {
    let readings = found.all
    var arrivals = [Double](repeating: 0, count: clock.bins * found.laws.count)
    var undated = 0.0
    for member in members {
      let kinds = member.zeroIsNull ? withheld : decided
      for place in member.places {
        counts.forEachList(ofCampaign: place) { numbers, hours, counts in
          for index in numbers.indices {
            let kind = kinds[Int(numbers[index])]
            let bin = clock.bin(ofHour: hours[index])
            let postbacks = counts.isEmpty ? 1 : Double(counts[index])
            undated += postbacks * kind.undated
            for place in kind.readings {
              arrivals[readings[place].law * clock.bins + bin] += postbacks * readings[place].probability
            }
          }
        }
      }
    }
    self.undated += undated
    return found.laws.indices.map { Array(arrivals[$0 * clock.bins..<($0 + 1) * clock.bins]) }
  }

  /// Everything about a kind but the days of install.
  private func dated(
    _ kind: FirstWindowKind, _ catalog: MappingCatalog, _ timers: DeviceTimers, _ coarseWorth: CoarseWorth,
    _ readings: inout Readings
  ) -> Kind {
    let first = readings.all.count
    let found = catalog.expectation(of: kind, timers)?.readings ?? []
    for reading in found {
      guard let version = catalog.histories[kind.app]?.versions[reading.version] else { continue }
      let scheme = Scheme(
        app: kind.app, version: reading.version,
        type: version.isByConversionType ? kind.outcome.conversionType : nil)
      let meaning = version.decode(kind.value, window: .first, type: scheme.type)
      var worth = 0.0
      if case .coarse(let value) = kind.value { worth = coarseWorth(scheme, value, meaning) }
      readings.all.append(
        Reading(
          law: readings.laws.number(of: Law(app: kind.app, delay: reading.delay)),
          scheme: readings.schemes[kind.app, default: []].number(of: scheme),
          probability: reading.probability,
          part: OpenCells.part(kind.value, isUnmapped: meaning == .unmapped), worth: worth,
          isFirstInstall: kind.outcome.isAttributedInstall))
    }
    return Kind(
      undated: catalog.histories[kind.app] == nil
        ? 0 : max(0, 1 - found.reduce(0) { $0 + $1.probability }),
      readings: first..<readings.all.count)
  }

  private mutating func infer(
    _ laws: [Law], _ arrivals: [[Double]], _ clock: ArrivalClock, _ catalog: MappingCatalog
  ) -> [LawDays] {
    var weights: [AppID: Double] = [:]
    return zip(laws, arrivals).map { law, counts in
      let kernel = DelayKernel(law.delay)
      let before = Int(nearest: (law.delay.longest / 24).rounded(.up)) + 1
      let days = -before..<(clock.bins / DelayKernel.binsPerDay + 1)
      let daily = counts.reduce(0, +) / Double(max(1, clock.bins / DelayKernel.binsPerDay))
      let found = InstallDays(
        arrivals: counts, kernel: kernel, days: days, rounds: InstallDays.rounds(forDaily: daily),
        lastBinShare: clock.lastBinShare)
      // The most frequent delay distribution determines how complete an app's days are.
      let weight = counts.reduce(0, +)
      if weight > weights[law.app, default: 0] {
        weights[law.app] = weight
        var shares: [Day: Double] = [:]
        for (index, share) in found.completeness.enumerated() {
          let end = Int(clock.origin.day.number) + found.firstDay + index
          let whole = kernel.completeness(
            after: clock.bins - (found.firstDay + index) * DelayKernel.binsPerDay,
            lastBinShare: clock.lastBinShare)
          shares[Day(number: Int32(end))] = found.firstDay + index < 0 ? whole : share
        }
        completeness[law.app] = shares
      }
      addKnownDays(of: law.app, found, clock, catalog)
      return LawDays(found, middle: (law.delay.shortest + law.delay.longest) / 2)
    }
  }
}

extension InstallCells {
  private mutating func addKnownDays(
    of app: AppID, _ found: InstallDays, _ clock: ArrivalClock, _ catalog: MappingCatalog
  ) {
    guard let days = found.knownDays,
      let begin = (catalog.histories[app]?.versions.first?.effectiveFrom).map(clock.shown)
    else { return }
    func day(_ index: Int) -> Day { Day(number: clock.origin.day.number + Int32(index)) }
    // Installs of a day that a mapping does not have as a whole are not all estimated.
    let first = max(day(days.lowerBound), begin == begin.day.start ? begin.day : begin.day.next)
    let last = day(days.upperBound)
    guard first <= last else { return }
    let known = knownDays[app] ?? first...last
    knownDays[app] = min(known.lowerBound, first)...max(known.upperBound, last)
  }
}

extension Array where Element: Hashable {
  /// The place of an element, which is added where it is new.
  fileprivate mutating func number(of element: Element) -> Int {
    if let place = firstIndex(of: element) { return place }
    append(element)
    return count - 1
  }
}

extension MappingCatalog {
  /// Winning first-window postbacks by campaign, hour of arrival, and value as far as its meaning differs.
  func firstWindowCounts(
    _ query: CampaignQuery, digits: Int?, from reader: LedgerReader, by traits: [CampaignDimension] = []
  ) throws(LedgerError) -> FirstWindowCounts {
    try reader.firstWindowCounts(
      query, digits: digits, decodingFor: apps, hourly: hourlyDays(query.environment.timers), by: traits)
  }

  /// The expectation of a kind; `nil` for an app without a mapping.
  func expectation(of kind: FirstWindowKind, _ timers: DeviceTimers) -> Expectation? {
    guard let history = histories[kind.app], let arrival = kind.arrival else { return nil }
    return history.expectation(
      of: kind.value, version: kind.version, window: .first, timers: timers, arrival: arrival,
      type: kind.outcome.conversionType)
  }
}

extension ShownDetails {
  fileprivate init(_ traits: FirstWindowTraits) {
    self.init(publisher: traits.publisher, country: traits.country)
  }
}

extension FirstWindowKind {
  fileprivate var isZero: Bool { if case .fine(let value) = value { value.number == 0 } else { false } }

  fileprivate var withheld: Self {
    Self(app: app, version: version, outcome: outcome, value: .absent, arrival: arrival)
  }
}
