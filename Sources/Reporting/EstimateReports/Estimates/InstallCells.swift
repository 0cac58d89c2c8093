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
  /// Whether there are so many that each has one cell, under no day, and a question has cells of its own.
  private(set) var areMany = false
  /// Whether they are so many, and of an estimator that needs the cells of a question.
  private(set) var areOfQuestion = false
  /// What is known of the spend of very many campaigns where it decides which days are one cell; `nil` elsewhere.
  private(set) var paid: PaidDays?
  /// What was inferred of each law, and from when on.
  private var laws: [Law: LawDays] = [:]
  private var clock: ArrivalClock?
  /// Postbacks of a time without a mapping.
  private(set) var undated = 0.0
  /// Campaigns that have postbacks with more digits than they are counted by.
  private(set) var shortened: Set<EstimatedCampaign> = []

  /// What a postback with a value is worth on average.
  typealias Worth = (Scheme, ConversionValue, Meaning) -> Double

  /// Cells of all days of a campaign together are under this one.
  static let noDay = Day(number: 0)
  /// More days of campaigns than these are not kept one by one.
  private static let mostCells = 20_000

  /// Gathers the cells of a ledger.
  ///
  /// - Parameters:
  ///   - days: Which days count together, as far as cells are of a question.
  ///   - spend: What was paid for campaigns; asked for where it decides which days are one cell.
  init(
    _ reader: LedgerReader, _ catalog: MappingCatalog, _ settings: FitSettings, _ days: CellDays,
    now: Instant, spend: (Set<EstimatedCampaign>) throws(LedgerError) -> PaidDays?, worth: Worth
  ) throws(LedgerError) {
    let counts = try catalog.firstWindowCounts(
      CampaignQuery(environment: settings.environment), digits: settings.digits, from: reader,
      by: settings.traits)
    let members = members(of: counts, catalog, settings)
    campaigns = Set(members.lazy.map(\.campaign.whole))
    let count = settings.isDivided ? Set(members.map(\.campaign)).count : members.count
    areMany = count > EstimatedCrowd.mostDrawnApart || count * counts.days > Self.mostCells
    // Which values a threshold withholds depends on the days that are one cell.
    if areMany, case .threshold = settings.estimator { areOfQuestion = true }
    if areOfQuestion { paid = try spend(campaigns) }
    let areTotals = areMany && !areOfQuestion
    let isEach = !areMany
    gather(
      counts, members, catalog, settings.environment.timers, now: now, by: settings.zone,
      together: { areTotals ? Self.noDay : isEach ? $0 : days.first(togetherWith: $0) },
      ofParts: areTotals ? nil : { days.first(togetherWith: $0) }, worth: worth)
  }

  /// The cells of the days of a question, of very many campaigns.
  ///
  /// Days that no row tells apart, and that spend does not, are one cell, under one of these days.
  ///
  /// - Parameters:
  ///   - now: That of these cells.
  ///   - spend: What was paid for campaigns; asked for where it decides which days are one cell.
  func asked(
    _ reader: LedgerReader, _ catalog: MappingCatalog, _ settings: FitSettings, _ days: CellDays,
    now: Instant, spend: (Set<EstimatedCampaign>) throws(LedgerError) -> PaidDays?,
    worth: Worth
  ) throws(LedgerError) -> Self {
    var asked = self
    (asked.cells, asked.parts) = ([:], [:])
    if !days.areApart { asked.paid = try spend(campaigns) }
    let arrivals = days.arrivals(longest: laws.keys.lazy.map(\.delay.longest).max() ?? 0)
    let counts = try catalog.firstWindowCounts(
      CampaignQuery(environment: settings.environment, from: arrivals.from, to: arrivals.to),
      digits: settings.digits, from: reader, by: settings.traits)
    let members = asked.members(of: counts, catalog, settings)
    asked.gather(
      counts, members, catalog, settings.environment.timers, now: now, by: settings.zone,
      together: { days.has($0) ? days.first(togetherWith: $0) : nil },
      ofParts: { days.first(togetherWith: $0) }, worth: worth)
    return asked
  }

  /// The campaigns of apps with a mapping.
  private mutating func members(
    of counts: FirstWindowCounts, _ catalog: MappingCatalog, _ settings: FitSettings
  ) -> [Member] {
    var members: [Member] = []
    for (place, counted) in counts.campaigns.enumerated() where catalog.histories[counted.app] != nil {
      let campaign = EstimatedCampaign(counted)
      if counted.isShortened { shortened.insert(campaign.whole) }
      members.append(
        Member(
          campaign: campaign, places: [place], zeroIsNull: settings.nullIsZero.contains(campaign.network),
          shown: settings.isDivided ? ShownDetails(counted.traits) : nil))
    }
    return members
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
    gather(counts, members, catalog, timers, now: now, together: { $0 }, worth: { _, _, _ in 0 })
  }

  /// Millions of postbacks pass here, so what is decided for each of them is a look at a list of numbers.
  ///
  /// - Parameters:
  ///   - together: The day that a day counts under; `nil` for one that does not count.
  ///   - ofParts: The same for parts of cells; `nil` for none.
  private mutating func gather(
    _ counts: FirstWindowCounts, _ members: [Member], _ catalog: MappingCatalog, _ timers: DeviceTimers,
    now: Instant, by zone: ReportingZone = .utc, together: (Day) -> Day?,
    ofParts: ((Day) -> Day)? = nil, worth: Worth
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
    // What is asked of all postbacks later has their clock.
    let isWhole = self.clock == nil
    let clock = self.clock ?? ArrivalClock(firstHour: firstHour, lastHour: lastHour, now: now, zone)
    self.clock = clock
    var found = Readings()
    let decided = counts.kinds.map { dated($0, catalog, timers, worth, &found) }
    // For networks that report a withheld value as 0.
    let hasZeroAsNull = members.contains(where: \.zeroIsNull)
    let withheld = zip(counts.kinds, decided).map { kind, asItIs in
      kind.isZero && hasZeroAsNull
        ? dated(kind.withheld, catalog, timers, worth, &found) : asItIs
    }
    let (schemes, readings) = (found.schemes, found.all)
    let arrivals = arrivals(counts, members, decided, withheld, found, clock)
    if isWhole { infer(found.laws, arrivals, clock, catalog) }
    let paidDays = paid?.days ?? []
    var unpaid = SharedDays<Day>()
    let origins = InstallOrigins(found.laws.map { laws[$0] }, arrivals, clock.origin) { day in
      guard let first = together(day), !paidDays.isEmpty else { return together(day) }
      return paidDays.contains(day) ? day : unpaid.first(of: first, day)
    }
    var open = OpenCells(
      schemes: schemes.values.map(\.count).max() ?? 0, days: origins.days, edges: origins.edges)
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
              for edge in origins.edges(ofLaw: reading.law, bin: bin) {
                open.add(
                  postbacks * reading.probability, reading.part, worth: reading.worth,
                  scheme: reading.scheme, edge: origins.edgeShares[edge])
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
        guard !paidDays.isEmpty, let first = together(day) else { return day }
        let state = isPaid ? spendState(of: campaign, on: day, paid) : .unknown
        return shared.first(of: .init(day: first, state: state), day)
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
    _ together: ((Day) -> Day)?
  ) {
    for (day, counts) in days.ordered(by: { $0.key < $1.key }) {
      cells[scheme, default: [:]][campaign, default: [:]][day, default: DayCounts()] += counts
      guard let together else { continue }
      let first = together(day)
      parts[scheme, default: [:]][campaign, default: [:]][first, default: [:]][
        shown, default: DayCounts()] += counts.counted(on: first, together)
    }
  }

  /// How many postbacks of each law arrived, by bin; the whole also counts those of no mapping.
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
    if laws.isEmpty { self.undated += undated }
    return found.laws.indices.map { Array(arrivals[$0 * clock.bins..<($0 + 1) * clock.bins]) }
  }

  /// Everything about a kind but the days of install.
  private func dated(
    _ kind: FirstWindowKind, _ catalog: MappingCatalog, _ timers: DeviceTimers, _ worth: Worth,
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
      readings.all.append(
        Reading(
          law: readings.laws.number(of: Law(app: kind.app, delay: reading.delay)),
          scheme: readings.schemes[kind.app, default: []].number(of: scheme),
          probability: reading.probability,
          part: OpenCells.part(kind.value, isUnmapped: meaning == .unmapped),
          worth: worth(scheme, kind.value, meaning),
          isFirstInstall: kind.outcome.isAttributedInstall))
    }
    return Kind(
      undated: catalog.histories[kind.app] == nil
        ? 0 : max(0, 1 - found.reduce(0) { $0 + $1.probability }),
      readings: first..<readings.all.count)
  }

  private mutating func infer(
    _ laws: [Law], _ arrivals: [[Double]], _ clock: ArrivalClock, _ catalog: MappingCatalog
  ) {
    var weights: [AppID: Double] = [:]
    for (law, counts) in zip(laws, arrivals) {
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
      self.laws[law] = LawDays(found, middle: (law.delay.shortest + law.delay.longest) / 2)
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

extension ShownDetails {
  fileprivate init(_ traits: FirstWindowTraits) {
    self.init(publisher: traits.publisher, country: traits.country)
  }
}
