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

  /// The cells by protocol, campaign and day.
  private(set) var cells: [Scheme: [EstimatedCampaign: [Day: DayCounts]]] = [:]
  /// The share of each install day's first postbacks that is expected to have come by now, by app.
  private(set) var completeness: [AppID: [Day: Double]] = [:]
  /// Postbacks of a time without a mapping.
  private(set) var undated = 0.0
  /// Campaigns that have postbacks with more digits than they are counted by.
  private(set) var shortened: Set<EstimatedCampaign> = []
  /// What a postback with a coarse value is worth on average, by scheme.
  private let coarseWorth: (Scheme, CoarseValue, Meaning) -> Double

  /// A law of delay within an app.
  private struct Law: Hashable {
    let app: AppID
    let delay: SendingDelay
  }

  /// Postbacks with everything that decides where they count.
  private struct Item {
    let law: Law
    let scheme: Scheme
    let campaign: EstimatedCampaign
    let bin: Int
    let value: ConversionValue
    let count: Double
  }

  /// Postbacks of one hour and value.
  private struct Arrivals {
    let campaign: EstimatedCampaign
    let version: ProtocolVersion
    let outcome: Outcome
    let hour: Instant
    let value: ConversionValue
    let postbacks: Int64
  }

  /// Gathers the cells of a ledger; `coarseWorth` says what a postback with a coarse value is worth on average.
  init(
    _ reader: LedgerReader, _ catalog: MappingCatalog, _ query: EstimateReport, now: Instant,
    coarseWorth: @escaping (Scheme, CoarseValue, Meaning) -> Double
  ) throws(LedgerError) {
    self.coarseWorth = coarseWorth
    let zeroMeansNull = Set(query.nullIsZero.map(\.canonical))
    var rows: [FirstWindowHour] = []
    try reader.forEachFirstWindowHour(CampaignQuery(environment: query.scope.environment)) { row in
      if catalog.histories[row.app] != nil { rows.append(row) }
    }
    for row in rows {
      let campaign = EstimatedCampaign(row, digits: query.digits)
      if campaign.campaign != row.campaign.text { shortened.insert(campaign) }
    }
    gather(
      rows.lazy.map { row in
        let isZero = if case .fine(let value) = row.value { value.number == 0 } else { false }
        return Arrivals(
          campaign: EstimatedCampaign(row, digits: query.digits), version: row.version, outcome: row.outcome,
          hour: row.hour, value: isZero && zeroMeansNull.contains(row.network) ? .absent : row.value,
          postbacks: row.postbacks)
      }, catalog, query.scope.environment.timers, now: now)
  }

  /// Gathers one campaign for each app that stands for all of its campaigns, and one for those of other networks than were
  /// asked for.
  ///
  /// - Parameters:
  ///   - summary: What came.
  ///   - catalog: The mappings.
  ///   - timers: The timers that the postbacks' devices can run by.
  ///   - now: What arrived until then is all there is.
  init(
    ofAllCampaigns summary: FirstWindowSummary, _ catalog: MappingCatalog, _ timers: DeviceTimers,
    now: Instant
  ) {
    coarseWorth = { _, _, _ in 0 }
    gather(
      summary.arrivals.lazy.filter { catalog.histories[$0.app] != nil }.map { row in
        Arrivals(
          campaign: row.isOfNetworks ? .all(of: row.app) : .others(of: row.app), version: row.version,
          outcome: row.outcome, hour: row.hour, value: row.value, postbacks: row.postbacks)
      }, catalog, timers, now: now)
  }

  private mutating func gather(
    _ rows: some Collection<Arrivals>, _ catalog: MappingCatalog, _ timers: DeviceTimers, now: Instant
  ) {
    guard let firstHour = rows.lazy.map(\.hour).min(), let lastHour = rows.lazy.map(\.hour).max() else {
      return
    }
    let origin = firstHour.day.start
    var items: [Item] = []
    var known: [FirstWindowKind: Expectation] = [:]
    for row in rows {
      let app = row.campaign.app
      guard let history = catalog.histories[app] else { continue }
      let value = row.value
      let kind = FirstWindowKind(
        app: app, framework: row.version.kind, hasWindows: row.version.hasWindows, value: value,
        type: row.outcome.conversionType,
        hour: row.hour)
      let expectation =
        known[kind]
        ?? history.expectation(
          of: value, version: row.version, window: .first, timers: timers,
          arrival: row.hour.followingHour, type: kind.type)
      known[kind] = expectation
      // The part of the time before the first version is under no mapping either.
      undated += Double(row.postbacks) * max(0, 1 - expectation.readings.reduce(0) { $0 + $1.probability })
      for reading in expectation.readings {
        items.append(
          Item(
            law: Law(app: app, delay: reading.delay),
            scheme: Scheme(
              app: app, version: reading.version,
              type: history.versions[reading.version].isByConversionType ? kind.type : nil),
            campaign: row.campaign,
            bin: Int(
              (row.hour.milliseconds - origin.milliseconds) / (Int64(DelayKernel.binHours) * 3_600_000)),
            value: value, count: Double(row.postbacks) * reading.probability))
      }
    }
    // What came until now is all there is; days that can still get postbacks are not complete.
    let end = now > lastHour ? now : lastHour + 3_600_000
    let passed =
      Double(end.milliseconds - origin.milliseconds) / (Double(DelayKernel.binHours) * 3_600_000)
    let bins = Int(passed.rounded(.up))
    let days = infer(items, bins: bins, lastBinShare: passed - Double(bins - 1), origin: origin)
    for item in items { share(item, days[item.law], catalog, origin: origin) }
  }

  private struct FirstWindowKind: Hashable {
    let app: AppID
    let framework: PostbackKind
    let hasWindows: Bool
    let value: ConversionValue
    let type: ConversionType?
    let hour: Instant
  }

  /// Infers the days of install for each law of delay.
  private mutating func infer(
    _ items: [Item], bins: Int, lastBinShare: Double, origin: Instant
  ) -> [Law: InstallDays] {
    var arrivals: [Law: [Double]] = [:]
    for item in items {
      arrivals[item.law, default: [Double](repeating: 0, count: bins)][item.bin] += item.count
    }
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

  /// Shares postbacks out over their days of install.
  private mutating func share(
    _ item: Item, _ days: InstallDays?, _ catalog: MappingCatalog, origin: Instant
  ) {
    var origins = days?.origins(ofBin: item.bin) ?? []
    if origins.isEmpty {
      // Nothing explains the bin: the middle of the delay does.
      let middle = (item.law.delay.shortest + item.law.delay.longest) / 2
      let hours = Double(item.bin * DelayKernel.binHours) - middle
      origins = [(day: Int((hours / 24).rounded(.down)), probability: 1)]
    }
    let meaning: Meaning? = catalog.histories[item.scheme.app].map {
      $0.versions[item.scheme.version].decode(item.value, window: .first, type: item.scheme.type)
    }
    for (day, probability) in origins {
      let date = Day(number: origin.day.number + Int32(day))
      let count = item.count * probability
      var worth = 0.0
      if case .coarse(let value) = item.value, let meaning {
        worth = coarseWorth(item.scheme, value, meaning)
      }
      cells[item.scheme, default: [:]][item.campaign, default: [:]][date, default: DayCounts()]
        .add(count, item.value, isUnmapped: meaning == .unmapped, worth: worth)
    }
  }
}

extension DayCounts {
  /// Adds postbacks with a value.
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
