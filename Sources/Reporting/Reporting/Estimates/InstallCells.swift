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
struct InstallCells {
  /// The version of an app's mapping that values are counted under.
  struct Scheme: Hashable {
    let app: AppID
    let version: Int
    /// The type of the conversions, where values of the version depend on it.
    let type: ConversionType?
  }

  private(set) var cells: [Scheme: [EstimatedCampaign: [Day: DayCounts]]] = [:]
  /// The share of each install day's first postbacks that is expected to have come by now, by app.
  private(set) var completeness: [AppID: [Day: Double]] = [:]
  /// Postbacks of a time without a mapping.
  private(set) var undated = 0.0
  /// Campaigns that have postbacks with more digits than they are counted by.
  private(set) var shortened: Set<EstimatedCampaign> = []
  private let coarseWorth: (Scheme, CoarseValue, Meaning) -> Double

  private struct Law: Hashable {
    let app: AppID
    let delay: SendingDelay
  }

  /// A version that the value of some postbacks can be of.
  private struct Reading {
    let law: Law
    let scheme: Scheme
    var number = 0
    let probability: Double
    let isUnmapped: Bool
    /// What a postback is worth on average, if it has a coarse value.
    let worth: Double
    /// The days of install that count together, with their probabilities.
    var days: [(day: Day, probability: Double)] = []
  }

  /// Everything that decides where postbacks of a kind count.
  private struct Kind {
    let value: ConversionValue
    let bin: Int
    /// The probability that they are of the time before the first version, which is under no mapping either.
    let undated: Double
    var readings: [Reading]
  }

  /// Visits the campaigns, by their place, and the postbacks of each: a kind and how many.
  private typealias Postbacks = ((Int, Int, Int64) -> Void) -> Void

  /// Gathers the cells of a ledger; `coarseWorth` gives what a postback with a coarse value is worth on average.
  ///
  /// Of very many campaigns, days that no row of the query tells apart are one cell, under one of these days.
  init(
    _ reader: LedgerReader, _ catalog: MappingCatalog, _ query: EstimateReport, now: Instant,
    coarseWorth: @escaping (Scheme, CoarseValue, Meaning) -> Double
  ) throws(LedgerError) {
    self.coarseWorth = coarseWorth
    let counts = try reader.firstWindowCounts(
      CampaignQuery(environment: query.scope.environment), digits: query.digits)
    let campaigns = counts.campaigns.map(EstimatedCampaign.init)
    let mapped = campaigns.map { catalog.histories[$0.app] != nil }
    var zeroes = campaigns.map { _ in false }
    let zeroMeansNull = Set(query.nullIsZero.map(\.canonical))
    for (place, campaign) in counts.campaigns.enumerated() where mapped[place] {
      if campaign.isShortened { shortened.insert(campaigns[place]) }
      zeroes[place] = zeroMeansNull.contains(campaign.network)
    }
    // Behind the kinds, those with the value 0 again for networks that report a withheld value so.
    var kinds = counts.kinds
    var withheld: [Int: Int] = [:]
    for (number, kind) in counts.kinds.enumerated() where !zeroMeansNull.isEmpty && kind.isZero {
      withheld[number] = kinds.count
      kinds.append(kind.withheld)
    }
    let isMany = mapped.count { $0 } > EstimatedCrowd.mostDrawnApart
    gather(
      { visit in
        for place in campaigns.indices where mapped[place] {
          counts.forEach(ofCampaign: place) { kind, postbacks in
            visit(place, zeroes[place] ? withheld[kind] ?? kind : kind, postbacks)
          }
        }
      }, of: campaigns, kinds, catalog, query.scope.environment.timers, now: now,
      together: isMany ? query.cellDay : { $0 })
  }

  /// Gathers one campaign for each app that stands for all of its campaigns, and one for those of other networks than were
  /// asked for.
  ///
  /// - Parameters:
  ///   - timers: The timers that the postbacks' devices can run by.
  ///   - now: What arrived until then is all there is.
  init(
    ofAllCampaigns summary: FirstWindowSummary, _ catalog: MappingCatalog, _ timers: DeviceTimers,
    now: Instant
  ) {
    coarseWorth = { _, _, _ in 0 }
    let arrivals = summary.arrivals.filter { catalog.histories[$0.app] != nil }
    let named = arrivals.map { row -> EstimatedCampaign in
      row.isOfNetworks ? .all(of: row.app) : .others(of: row.app)
    }
    let places = Dictionary(grouping: arrivals.indices, by: { named[$0] })
    let campaigns = places.keys.sorted()
    gather(
      { visit in
        for (place, campaign) in campaigns.enumerated() {
          for number in places[campaign] ?? [] { visit(place, number, arrivals[number].postbacks) }
        }
      }, of: campaigns, arrivals.map(FirstWindowKind.init), catalog, timers, now: now)
  }

  private mutating func gather(
    _ forEach: Postbacks, of campaigns: [EstimatedCampaign], _ kinds: [FirstWindowKind],
    _ catalog: MappingCatalog, _ timers: DeviceTimers, now: Instant, together: (Day) -> Day = { $0 }
  ) {
    let hours = kinds.lazy.filter { catalog.histories[$0.app] != nil }.map(\.hour)
    guard let firstHour = hours.min(), let lastHour = hours.max() else { return }
    let origin = firstHour.day.start
    var expectations = FirstWindowExpectations(catalog, timers)
    var dated = kinds.map { kind in
      catalog.histories[kind.app].map {
        self.dated(kind, expectations.expectation(of: kind)?.readings ?? [], $0, origin: origin)
      }
    }
    // What came until now is all there is; days that can still get postbacks are not complete.
    let end = now > lastHour ? now : lastHour + 3_600_000
    let passed =
      Double(end.milliseconds - origin.milliseconds) / (Double(DelayKernel.binHours) * 3_600_000)
    let bins = Int(passed.rounded(.up))
    var sums = [Int64](repeating: 0, count: kinds.count)
    forEach { _, number, postbacks in sums[number] += postbacks }
    var arrivals: [Law: [Double]] = [:]
    for (kind, postbacks) in zip(dated, sums) {
      guard let kind else { continue }
      undated += Double(postbacks) * kind.undated
      for reading in kind.readings {
        arrivals[reading.law, default: [Double](repeating: 0, count: bins)][kind.bin] +=
          Double(postbacks) * reading.probability
      }
    }
    let days = infer(arrivals, bins: bins, lastBinShare: passed - Double(bins - 1), origin: origin)
    share(&dated, over: days, origin: origin, together: together)
    // The cells of one campaign at a time, in lists, since a hash of each key for each postback takes longer than the rest.
    let schemes = Self.number(&dated)
    var last: Int?
    var open = schemes.map { _ in [Day: DayCounts]() }
    func close() {
      guard let last else { return }
      for (number, scheme) in schemes.enumerated() where !open[number].isEmpty {
        cells[scheme, default: [:]][campaigns[last]] = open[number]
        open[number] = [:]
      }
    }
    forEach { campaign, number, postbacks in
      if campaign != last { close() }
      last = campaign
      guard let kind = dated[number] else { return }
      for reading in kind.readings {
        let count = Double(postbacks) * reading.probability
        for (day, probability) in reading.days {
          open[reading.number][day, default: DayCounts()]
            .add(count * probability, kind.value, isUnmapped: reading.isUnmapped, worth: reading.worth)
        }
      }
    }
    close()
  }

  /// Everything about a kind but the days of install.
  private func dated(
    _ kind: FirstWindowKind, _ readings: [Expectation.Reading], _ history: MappingHistory, origin: Instant
  ) -> Kind {
    Kind(
      value: kind.value,
      bin: Int(
        (kind.hour.milliseconds - origin.milliseconds) / (Int64(DelayKernel.binHours) * 3_600_000)),
      undated: max(0, 1 - readings.reduce(0) { $0 + $1.probability }),
      readings: readings.map { reading in
        let version = history.versions[reading.version]
        let scheme = Scheme(
          app: kind.app, version: reading.version,
          type: version.isByConversionType ? kind.outcome.conversionType : nil)
        let meaning = version.decode(kind.value, window: .first, type: scheme.type)
        var worth = 0.0
        if case .coarse(let value) = kind.value { worth = coarseWorth(scheme, value, meaning) }
        return Reading(
          law: Law(app: kind.app, delay: reading.delay), scheme: scheme, probability: reading.probability,
          isUnmapped: meaning == .unmapped, worth: worth)
      })
  }

  private static func number(_ kinds: inout [Kind?]) -> [Scheme] {
    var schemes: [Scheme] = []
    var numbers: [Scheme: Int] = [:]
    for kind in kinds.indices {
      for (place, reading) in (kinds[kind]?.readings ?? []).enumerated() {
        let number = numbers[reading.scheme] ?? schemes.count
        if number == schemes.count { schemes.append(reading.scheme) }
        numbers[reading.scheme] = number
        kinds[kind]?.readings[place].number = number
      }
    }
    return schemes
  }

  private mutating func infer(
    _ arrivals: [Law: [Double]], bins: Int, lastBinShare: Double, origin: Instant
  ) -> [Law: InstallDays] {
    var inferred: [Law: InstallDays] = [:]
    var weights: [AppID: Double] = [:]
    for (law, counts) in arrivals {
      let kernel = DelayKernel(law.delay)
      let before = Int((law.delay.longest / 24).rounded(.up)) + 1
      let days = -before..<(bins / DelayKernel.binsPerDay + 1)
      let daily = counts.reduce(0, +) / Double(max(1, bins / DelayKernel.binsPerDay))
      let found = InstallDays(
        arrivals: counts, kernel: kernel, days: days, rounds: InstallDays.rounds(forDaily: daily),
        lastBinShare: lastBinShare)
      inferred[law] = found
      // The most frequent delay distribution determines how complete an app's days are.
      let weight = counts.reduce(0, +)
      guard weight > weights[law.app, default: 0] else { continue }
      weights[law.app] = weight
      var shares: [Day: Double] = [:]
      for (index, share) in found.completeness.enumerated() {
        let end = Int(origin.day.number) + found.firstDay + index
        let whole = kernel.completeness(
          after: bins - (found.firstDay + index) * DelayKernel.binsPerDay, lastBinShare: lastBinShare)
        shares[Day(number: Int32(end))] = found.firstDay + index < 0 ? whole : share
      }
      completeness[law.app] = shares
    }
    return inferred
  }

  private func share(
    _ kinds: inout [Kind?], over inferred: [Law: InstallDays], origin: Instant, together: (Day) -> Day
  ) {
    // Kinds of one law and bin have the same days.
    var known: [Law: [Int: [(day: Day, probability: Double)]]] = [:]
    for number in kinds.indices {
      guard let kind = kinds[number] else { continue }
      for place in kind.readings.indices {
        let law = kind.readings[place].law
        if known[law]?[kind.bin] == nil {
          known[law, default: [:]][kind.bin] = origins(
            law, inferred[law], bin: kind.bin, origin: origin, together: together)
        }
        kinds[number]?.readings[place].days = known[law]?[kind.bin] ?? []
      }
    }
  }

  private func origins(
    _ law: Law, _ days: InstallDays?, bin: Int, origin: Instant, together: (Day) -> Day
  ) -> [(day: Day, probability: Double)] {
    var origins = days?.origins(ofBin: bin) ?? []
    if origins.isEmpty {
      // Nothing explains the bin: the middle of the delay does.
      let middle = (law.delay.shortest + law.delay.longest) / 2
      let hours = Double(bin * DelayKernel.binHours) - middle
      origins = [(day: Int((hours / 24).rounded(.down)), probability: 1)]
    }
    var shared: [(day: Day, probability: Double)] = []
    for (day, probability) in origins {
      let day = together(Day(number: origin.day.number + Int32(day)))
      if let place = shared.firstIndex(where: { $0.day == day }) {
        shared[place].probability += probability
      } else {
        shared.append((day, probability))
      }
    }
    return shared
  }
}

extension FirstWindowKind {
  fileprivate init(_ arrivals: FirstWindowArrivals) {
    self.init(
      app: arrivals.app, version: arrivals.version, outcome: arrivals.outcome, hour: arrivals.hour,
      value: arrivals.value)
  }

  fileprivate var isZero: Bool { if case .fine(let value) = value { value.number == 0 } else { false } }

  fileprivate var withheld: Self {
    Self(app: app, version: version, outcome: outcome, hour: hour, value: .absent)
  }
}

extension DayCounts {
  fileprivate mutating func add(_ count: Double, _ value: ConversionValue, isUnmapped: Bool, worth: Double) {
    switch value {
    case .absent: nulls += count
    case .rejected: unmapped += count
    case .fine where isUnmapped, .coarse where isUnmapped: unmapped += count
    case .fine(let value): revealed[Int(value.number)] += count
    case .coarse:
      coarse += count
      coarseWorth += count * worth
    }
  }
}
