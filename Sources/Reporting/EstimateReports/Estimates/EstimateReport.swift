import Arguments
package import Campaigns
package import Estimates
import Ledger
import MappingLibrary
import Mappings
package import Postbacks
package import Values

/// What campaigns are worth with the values that Apple withheld, and how sure that is.
package struct EstimateReport: Sendable {
  package var period = Period<Day>()
  package var scope = Scope()
  /// The clock of install dates.
  package var zone = ReportingZone.utc
  /// What a row is about.
  package var by: [EstimateDimension] = [.campaign]
  /// Last digits of a source identifier that distinguish campaigns.
  ///
  /// From SKAdNetwork 4 on a postback without a value always has two digits, so campaigns that more digits distinguish
  /// have their nulls elsewhere. Source: Apple, "Receiving postbacks in multiple conversion windows".
  package var digits = 2
  /// Networks that report a withheld value as 0; their zeroes count as withheld.
  package var nullIsZero: [AdNetworkID] = []
  /// The event whose users are estimated; `nil` for revenue.
  package var event: String?
  /// Days since install whose revenue counts; `nil` for the time that values of the first window count.
  package var days: Int?
  /// What foreign currencies are turned into where there is a rate for the install date; `nil` leaves them as they are.
  package var currency: CurrencyCode?
  /// The return that rows are judged by.
  package var target = ReturnTarget.one
  /// The only rows to print; empty for all.
  package var verdicts: [ReturnVerdict] = []
  /// The fewest installs of a row.
  package var leastInstalls = 0
  package var estimator = Estimator.tree
  package var seed = 1
  /// What pages show of the answer, where that is not all.
  package var part = Part()

  package struct Part: AskedInside, Hashable {
    /// Whether rows are shown, and not what they come to alone.
    var hasRows = true
    /// The digits of the only campaigns that are shown; `nil` for all.
    package var campaign: String?
  }

  package init() {}

  /// Campaigns, networks or install dates together, or everything, of one currency and horizon.
  package struct Row: Sendable {
    let group: EstimateGroup
    /// `nil` for users of an event.
    package let currency: CurrencyCode?
    package let horizon: EstimateHorizon
    /// Nothing where all of its postbacks are left out.
    package let sum: EstimatedSum
    /// First postbacks that ``sum`` is without, because no own users of their mapping version are known by the horizon.
    package let leftOut: Double
    /// Those of them that are of first installs.
    let leftOutFirstInstalls: Double
    /// What of ``sum`` is of campaigns and days that spend is known of; `nil` for nothing.
    let comparedSum: EstimatedSum?
    /// The share of the first postbacks that is expected to have arrived by now, of the date that least has arrived of;
    /// `nil` where rows are of all dates.
    let completeness: Double?
    /// Whether the interval of its revenue costs little.
    package var isIntervalCheap: Bool { sum.isIntervalCheap }
    /// `nil` for several campaigns.
    var campaign: EstimatedCampaign? { group.campaign }
    /// The install date, or the first one of its week or month; `nil` for all that were asked for.
    package var day: Day? { group.first }
    /// Why the decoded revenue is not that of the campaign in the report on campaigns.
    var differences: Set<EstimateDifference> = []
    /// What was paid, in the row's currency; `nil` for nothing in it.
    package internal(set) var spend: Amount?
    /// What was paid in other currencies than the row's, which no rate turns into it.
    package internal(set) var foreignSpend: [CurrencyCode: Amount] = [:]
    /// Whether it is everything, and not one of the rows.
    package internal(set) var isTotal = false
    /// What people call the campaign and its network; unknown for everything.
    package var name: CampaignNames.Match {
      guard let campaign, let called else { return .unknown }
      return called.names.match(campaign, on: called.day)
    }
    package var networkName: String? {
      guard let network = group.network, let called else { return nil }
      return called.names.name(ofNetwork: network, on: called.day)
    }
    /// Where its names are looked up when they are asked for: a page shows fifty of a hundred thousand rows.
    fileprivate(set) var called: (names: CampaignNames, day: Day)?
    /// What its return is of; `nil` where no spend can be compared with its installs.
    var compared: ComparedSpend?
    /// Of ``sum``, what ``compared`` is without; `nil` where the row has no spend of its own.
    var unpaidConversions: Double?
    /// Of ``spend``, what ``compared`` is without; `nil` as ``unpaidConversions``.
    var uncomparedSpend: Amount?
    /// Of ``uncomparedSpend``, that of days that no postbacks have arrived of yet.
    var awaitedSpend = Amount.zero
    /// Whether something was paid in other currencies, too.
    var hasForeignSpend = false
    /// The verdict on its return; `nil` without one.
    package var verdict: ReturnVerdict? {
      compared?.interval.map { ReturnVerdict($0, target, canRise: compared?.isIncomplete ?? false) }
    }
    /// The return that it is judged by.
    var target = ReturnTarget.one
    /// The day of the estimate.
    var today: Day?
    /// The estimate if postbacks that do not show a publisher or country are shared out like those of the same campaign
    /// that do; `nil` where rows are not by them.
    var shared: Double?
    /// The rows of postbacks that do not show what this one's do, and can be of it; `nil` where rows are not by that, and
    /// for such a row itself.
    var others: [EstimatedSum]?
  }

  /// The rows of a question, everything by currency and horizon, and what they rest on.
  typealias Estimated = (rows: [Row], totals: [Row], basis: Basis)

  /// A fit with what a question is asked of besides.
  private struct Answer {
    let fit: EstimateFit
    /// When the fit was made, where newer conversions are not in it.
    let madeAt: Instant?
    /// Whether campaigns that are not fitted yet may be fitted now.
    let makesParts: Bool
    let paid: PaidDays?
    let names: CampaignNames
    let rates: ExchangeRates
  }

  /// Estimates; what arrived until `now` is all there is.
  ///
  /// - Returns: The rows by ``by``, and everything by currency and horizon.
  /// - Throws: ``LedgerError``, ``ParameterError`` for an event that no mapping knows or a horizon of which no own users
  ///   of any version are known, or ``EstimationError`` where a fit fails.
  func estimated(
    from reader: LedgerReader, now: Instant
  ) throws -> Estimated {
    try estimated(from: ReportSource(reader: reader, now: now), now: now)
  }

  /// Estimates from what the source keeps, or anew.
  func estimated(
    from source: ReportSource, now: Instant
  ) throws -> Estimated {
    defer { source.keeper?.releaseMemory() }
    // What was paid for rows is read once these are known, of the state that they are of.
    return try source.reader.consistently { () throws(LedgerError) in
      Result { try estimatedOfOneState(source, now: now) }
    }.get()
  }

  private func estimatedOfOneState(
    _ source: ReportSource, now: Instant
  ) throws -> Estimated {
    let reader = source.reader
    let (fit, madeAt) = try EstimateFit.of(self, from: source, now: now) { campaigns throws(LedgerError) in
      paidDays(of: campaigns, try Imported(self, reader))
    }
    guard source.keeper != nil else { return try estimated(from: fit, madeAt: madeAt, source, now: now) }
    let question = EstimateQuestion(
      self, today: zone.day(of: now), madeAt: madeAt, rowChanges: try reader.rowChanges())
    return try fit.answers.value(question, mayMake: source.makesParts) {
      try estimated(from: fit, madeAt: madeAt, source, now: now)
    }
  }

  /// What was imported that a question is about.
  private struct Imported {
    let names: CampaignNames
    let rates: ExchangeRates
    /// `nil` where rows have no spend.
    let spend: HeldSpend?

    init(_ report: EstimateReport, _ reader: LedgerReader) throws(LedgerError) {
      names = try CampaignNames.of(reader)
      rates = ExchangeRates(report.currency == nil ? [] : try reader.rates())
      let hasSpend = report.event == nil && report.by.areOfSpend
      spend = hasSpend ? try HeldSpend(reader, for: report.spendQuery(by: [])) : nil
    }
  }

  /// What was paid for campaigns; `nil` where rows have no spend.
  private func paidDays(of campaigns: Set<EstimatedCampaign>, _ imported: Imported) -> PaidDays? {
    imported.spend.flatMap {
      PaidDays($0, of: campaigns, for: self, names: imported.names, rates: imported.rates)
    }
  }

  private func estimated(
    from fit: EstimateFit, madeAt: Instant?, _ source: ReportSource, now: Instant
  ) throws -> Estimated {
    let imported = try Imported(self, source.reader)
    let paid = fit.cells.paid ?? paidDays(of: fit.cells.campaigns, imported)
    let answer = Answer(
      fit: fit, madeAt: madeAt, makesParts: source.makesParts, paid: paid, names: imported.names,
      rates: imported.rates)
    let parts = try estimatedParts(answer)
    var rows = by.contains(where: \.isPartlyShown) ? parts.sharedRows(by: by) : parts.rows(of: \.rows)
    var totals = parts.rows(of: \.totals)
    let spend = EstimateSpend(
      imported.spend, for: self, groups: Set(rows.map(\.group)), of: fit.catalog.apps, names: answer.names,
      rates: answer.rates, cells: fit.cells, paid, measures: parts.measures)
    let today = zone.day(of: now)
    describe(&rows, answer, on: today)
    judge(&rows, on: today)
    judge(&totals, on: today)
    rows.take(spend)
    totals.takeTotal(of: spend)
    return (rows, totals, basis(rows, totals, parts, spend, answer))
  }

  private var worthHorizon: WorthHorizon { days.map { .days($0) } ?? .firstWindow }

  /// Estimates the campaigns of each mapping version that own users or the mapping's amounts are known for, and leaves out
  /// the others.
  private func estimatedParts(_ answer: Answer) throws -> EstimateParts {
    var parts = EstimateParts(arrived: answer.fit.cells.arrived(inRowsOf: self), hasRows: part.hasRows)
    for (scheme, campaigns) in answer.fit.cells.cells.ordered(by: {
      ($0.key.app, $0.key.version, $0.key.type?.rawValue ?? "")
        < ($1.key.app, $1.key.version, $1.key.type?.rawValue ?? "")
    }) {
      guard let mapping = answer.fit.catalog.histories[scheme.app]?.versions[scheme.version],
        campaigns.contains(where: { isShown($0.key) && $0.value.keys.contains(where: isShown) })
      else { continue }
      if let worth = answer.fit.worths[scheme] {
        try estimate(scheme, mapping, worth, answer, into: &parts)
      } else if scheme.type == .reengagement {
        // Own users came by an install; nothing is known of a re-engagement's later revenue.
        parts.leavesOutReengagements = true
      } else if answer.fit.worths.knowHorizon(of: scope.apps) {
        leaveOut(campaigns, scheme, mapping, answer, from: &parts)
      } else {
        throw ParameterError.unknownHorizon(
          days ?? 0, of: mapping, known: answer.fit.worths.horizons(of: scheme))
      }
    }
    return parts
  }

  private func estimate(
    _ scheme: InstallCells.Scheme, _ mapping: Mapping, _ worth: MappingWorth, _ answer: Answer,
    into parts: inout EstimateParts
  ) throws {
    let crowds = try answer.fit.crowds(of: scheme, at: worth, mayMake: answer.makesParts)
    if crowds.groups.contains(where: { $0.contains(where: \.isCalibratedOnSample) }) {
      parts.sampledCampaigns = max(parts.sampledCampaigns ?? 0, crowds.campaigns.count)
    }
    let horizon = EstimateHorizon(worthHorizon, mapping)
    for (index, campaign) in crowds.campaigns.enumerated() where isShown(campaign) {
      for crowd in crowds.groups[index] {
        add(crowd, campaign, mapping.currency, horizon, answer, to: &parts)
        guard let divided = crowd.divided else { continue }
        add(divided, crowds.parts[index], campaign, mapping.currency, horizon, answer, to: &parts)
      }
    }
  }

  /// Gives rows the names of campaigns and networks, and the reasons why they differ from the report on campaigns.
  private func describe(_ rows: inout [Row], _ answer: Answer, on today: Day) {
    let last = Day(number: min(period.to?.number ?? .max, today.next.number) - 1)
    for index in rows.indices {
      let row = rows[index]
      rows[index].differences = differences(of: row, answer)
      rows[index].called = (answer.names, last)
    }
  }

  /// Gives rows what their return is judged by.
  private func judge(_ rows: inout [Row], on today: Day) {
    for index in rows.indices { (rows[index].target, rows[index].today) = (target, today) }
  }

  private func basis(
    _ rows: [Row], _ totals: [Row], _ parts: EstimateParts, _ spend: EstimateSpend, _ answer: Answer
  ) -> Basis {
    Basis(
      report: self, horizons: Set(rows.map(\.horizon)).sorted(), withoutMapping: answer.fit.cells.undated,
      ownUsers: totals.reduce(0) { $0 + $1.sum.ownUsers },
      carriers: totals.compactMap(\.sum.carriers).max { $0.deviation < $1.deviation },
      didWorthSaturate: event == nil && answer.fit.worths.didSaturate, notDivided: notDivided(rows, totals),
      hasOneSided: (rows + totals).contains(where: \.isOneSided),
      ownCampaigns: days == nil ? 0 : answer.fit.worths.ownCampaigns, spend: spend,
      leftOut: parts.leftOut, leavesOutReengagements: parts.leavesOutReengagements,
      sampledCampaigns: parts.sampledCampaigns, isWithoutNewerThan: answer.madeAt)
  }

  private func differences(of row: Row, _ answer: Answer) -> Set<EstimateDifference> {
    guard let campaign = row.campaign else { return [] }
    var found: Set<EstimateDifference> = []
    if row.sum.ownUsers > 0 { found.insert(.ownUsers) }
    if days != nil { found.insert(.horizon) }
    if answer.fit.cells.shortened.contains(campaign.whole) { found.insert(.digits) }
    if answer.fit.laterWindows.contains(campaign.whole) { found.insert(.firstWindow) }
    if row.day != nil || period.from != nil || period.to != nil { found.insert(.installDates) }
    if nullIsZero.contains(where: { $0.canonical == campaign.network }) { found.insert(.nullIsZero) }
    return found
  }

  func isShown(_ campaign: EstimatedCampaign) -> Bool {
    (part.campaign.map { $0 == campaign.campaign } ?? true)
      && (scope.apps.isEmpty || scope.apps.contains(campaign.app))
      && (scope.networks.isEmpty || scope.networks.contains { $0.canonical == campaign.network })
  }

  func isShown(_ day: Day) -> Bool {
    period.from.map { $0 <= day } ?? true && period.to.map { day < $0 } ?? true
  }

  private func add(
    _ crowd: EstimatedCrowd, _ campaign: EstimatedCampaign, _ own: CurrencyCode, _ horizon: EstimateHorizon,
    _ answer: Answer, to parts: inout EstimateParts
  ) {
    let isPaid = answer.paid?.isKnown(of: campaign.whole) ?? false
    for (index, day) in crowd.days.enumerated() where isShown(day) {
      let (place, factor) = place(of: campaign, day, own, horizon, answer)
      let part = EstimatedSum.Part(crowd, day: index, scale: factor ?? 1)
      if crowd.divided == nil {
        let isCompared =
          isPaid
          && answer.fit.cells.isCompared(
            campaign, on: day, answer.paid, in: place.currency)
        parts.add(place, of: campaign.app) {
          $0.add(part, isCompared: isCompared)
        }
      } else {
        parts.addToTotal(of: place) { $0.add(part, isCompared: false) }
        parts.note(campaign.app, at: place)
      }
    }
  }

  /// Adds the parts of a campaign's days to the rows of what they show.
  private func add(
    _ divided: DividedCrowd, _ shown: [Day: [InstallCells.Part]], _ campaign: EstimatedCampaign,
    _ own: CurrencyCode, _ horizon: EstimateHorizon, _ answer: Answer, to parts: inout EstimateParts
  ) {
    for (index, day) in divided.crowd.days.enumerated() where isShown(day) {
      let (place, factor) = place(of: campaign, day, own, horizon, answer)
      parts.add(
        EstimatedSum.Part(divided.crowd, day: index, scale: factor ?? 1), of: campaign,
        place.showing(shown[day]?[divided.places[index]].shown))
    }
  }

  private func leaveOut(
    _ campaigns: [EstimatedCampaign: [Day: DayCounts]], _ scheme: InstallCells.Scheme, _ mapping: Mapping,
    _ answer: Answer, from parts: inout EstimateParts
  ) {
    let horizon = EstimateHorizon(worthHorizon, mapping)
    var version = LeftOutVersion(
      app: scheme.app, number: scheme.version + 1, effectiveFrom: mapping.effectiveFrom)
    for (campaign, days) in campaigns where isShown(campaign) {
      let divided = answer.fit.cells.parts[scheme]?[campaign]
      for (day, counts) in days where isShown(day) {
        let (place, _) = place(of: campaign, day, mapping.currency, horizon, answer)
        version.postbacks += counts.postbacks
        if divided == nil {
          parts.add(place, of: campaign.app) { $0.leaveOut(counts) }
        } else {
          parts.addToTotal(of: place) { $0.leaveOut(counts) }
          parts.note(campaign.app, at: place)
        }
      }
      for (day, shown) in divided ?? [:] where isShown(day) {
        let (place, _) = place(of: campaign, day, mapping.currency, horizon, answer)
        for (shown, counts) in shown {
          parts.addToRow(place.showing(shown)) { $0.leaveOut(counts) }
        }
      }
    }
    parts.leaveOut(version)
  }

  /// The row of a campaign's day, and the rate at which its amounts count there; `nil` for their own currency.
  private func place(
    of campaign: EstimatedCampaign, _ day: Day, _ own: CurrencyCode, _ horizon: EstimateHorizon,
    _ answer: Answer
  ) -> (EstimateParts.Place, factor: Double?) {
    let factor =
      event == nil ? currency.flatMap { answer.rates.factor(from: own, to: $0, on: day) } : nil
    let money = event == nil ? (factor == nil ? own : currency) : nil
    let group = group(of: campaign, on: day, answer.names)
    return (.init(group: group, currency: money, horizon: horizon), factor)
  }

  /// What distinguishes the rows of a campaign's day.
  func group(of campaign: EstimatedCampaign, on day: Day, _ names: CampaignNames) -> EstimateGroup {
    var group = EstimateGroup(campaign, day, by: by)
    if by.haveTraits {
      group.traits = EstimateTraits(campaign, by: by) { names.match(campaign, on: day) }
    }
    return group
  }
}
