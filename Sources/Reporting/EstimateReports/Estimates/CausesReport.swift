package import Arguments
package import Campaigns
package import Estimates
import Ledger
import Postbacks
package import Tables
package import Values

/// Why estimated revenue moved from installs of earlier days to those of later ones.
package struct CausesReport: Report {
  package var period = Period<Day>()
  package var compare = Comparison.previous
  package var scope = Scope()
  /// Last digits of a source identifier that distinguish campaigns; a postback without a value has no more than two, so
  /// that with more digits withheld values are in other campaigns than the values that are shown.
  package var digits = 2
  /// Days since install whose revenue counts; `nil` for the time that values of the first window count.
  package var days: Int?
  package var currency: CurrencyCode?

  package init() {}

  /// What never adds up with another: amounts in a currency up to a time since the install.
  package struct Measure: Hashable, Sendable {
    package let currency: CurrencyCode
    package let horizon: EstimateHorizon
  }

  /// A cause, or all of them together.
  package struct Row: Sendable {
    package let measure: Measure
    /// `nil` for all causes together.
    package let cause: RevenueMove.Cause?
    /// What the cause added to revenue; the causes add up to the whole change.
    package let amount: Amount
    /// Of this line alone.
    let interval: Interval
    /// Whether it is more than chance, decided for all lines of the report together.
    package fileprivate(set) var isSure = false
    /// The earlier period's revenue.
    let before: Amount

    package var isWhole: Bool { cause == nil }
    /// The 90 % interval of ``amount``.
    package var amountInterval: Bounds<Amount> {
      Bounds(Amount(rounding: interval.low), Amount(rounding: interval.high))
    }
    /// The amount as part of the earlier period's revenue; `nil` where that is nothing.
    package var relativeChange: Change? {
      before == .zero ? nil : Change(Double(amount.micros) / Double(before.micros.magnitude))
    }
  }

  /// A campaign and what it contributed.
  package struct CampaignRow: Sendable {
    package let measure: Measure
    let campaign: EstimatedCampaign
    let name: CampaignNames.Match
    /// Of its estimated revenue; `nil` where one of the periods has no estimate of its own.
    package let change: Amount?
    fileprivate let causes: [RevenueMove.Cause: Amount]
    /// Winning ones.
    package let conversions: (before: Double, after: Double)
    package let spend: (before: Amount?, after: Amount?)

    package var place: CampaignPlace {
      CampaignPlace(
        app: campaign.app, network: campaign.network, digits: campaign.campaign, name: name.name)
    }
    /// What of the change comes from a cause; `nil` where it is not known.
    package func change(by cause: RevenueMove.Cause) -> Amount? { causes[cause] }
  }

  /// Both periods in one currency up to one time since the install.
  package struct Sums: Sendable {
    package let measure: Measure
    /// What a report on the installs of the days has; `nil` where it has nothing of this measure.
    fileprivate let before: EstimateReport.Row?
    fileprivate let after: EstimateReport.Row?
    /// When the estimates were made, where conversions have arrived since then that are not in them.
    package let isWithoutNewerThan: Instant?

    /// Estimated revenue; `nil` where there is no estimate.
    package var revenue: (before: Amount?, after: Amount?) {
      (before?.estimatedRevenue, after?.estimatedRevenue)
    }
    /// Its 90 % intervals.
    var intervals: (before: Bounds<Amount>?, after: Bounds<Amount>?) {
      (before?.estimatedRevenueInterval, after?.estimatedRevenueInterval)
    }
    /// Winning ones.
    package var conversions: (before: Double, after: Double) {
      (before?.conversions ?? 0, after?.conversions ?? 0)
    }
    /// The share of withheld values; `nil` without conversions that could have a value.
    package var nullShare: (before: Share?, after: Share?) { (before?.nullShare, after?.nullShare) }
  }

  package static let name = "causes"
  package static let summary = "Divide a change of revenue between two periods into its causes."
  package static let discussion = [
    "The revenue is the estimated revenue of the installs of the days, with withheld values, as `skan report estimates` has it. "
      + "The causes change one thing after the other, in this order, and add up to the whole change: volume (more or fewer "
      + "conversions), mix (other shares of campaigns; a new campaign is mix) and worth (conversions that are worth more or "
      + "less). With --currency these are at the rates of the earlier period, and exchange-rates is what other rates add. "
      + "Another share of withheld values is no cause: estimates include them, with a wider interval.",
    "Where several versions of a mapping state what values are worth, a change of the mapping and one of what users pay are "
      + "one cause, mapping-or-worth. Own users of each version (`skan users import`) show what they pay, whatever the version.",
    "The interval of a cause is what chance and the estimates leave open, of this line alone. Which causes are sure is "
      + "decided for all lines together (Holm), so that a line whose interval has one sign need not be: where nothing changed, "
      + "nine of ten reports have no line that is sure. Intervals do not add up. The table `moved-campaigns` has the campaigns that moved "
      + "most, `compared-periods` both periods.",
  ]
  package static let examples: [Command.Example] = [
    .init(
      "Explain the change of a week against the week before",
      "skan report causes -d skan.db --from 2026-11-16 --to 2026-11-23"),
    .init(
      "Compare with the same week a month ago, in one currency",
      "skan report causes -d skan.db --from 2026-11-16 --to 2026-11-23 --compare 2026-10-19..2026-10-26 --currency EUR"
    ),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init(
        "compare", \.compare,
        "Days to compare --from and --to with: previous for as many days directly before, or FROM..TO."
      ) { (report) throws(ParameterError) in
        guard report.period.from != nil, report.period.to != nil else { return }
        _ = try report.compare.days(for: report.period, by: [])
      }
    ] + Parameter.all(of: \.scope) + [
      .init(
        "digits", \.digits,
        "Last digits of a source identifier that distinguish campaigns; nulls always have two.", in: 2...4),
      .init(
        "horizon", \.days,
        "Days since install whose revenue is estimated; needs own users (`skan users import --horizon`).",
        in: 1...3_650, as: .init(placeholder: "DAYS", defaultNote: "the hours that fine values count")),
      .init(
        "currency", \.currency,
        "Currency to convert amounts to, by the rates of `skan rates import` on the install date; amounts without a rate "
          + "stay as they are."),
    ]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let (earlier, later) = try periods(at: source.now)
    let both = try estimated(earlier, later, from: source)
    let (before, after) = (both[0], both[1])
    var found: [(row: Row, part: RevenueMove.Part)] = []
    var campaigns: [CampaignRow] = []
    var sums: [Sums] = []
    var isMerged = false
    for measure in Set((before.totals + after.totals).compactMap(\.measure)).sorted() {
      let own = Sums(
        measure: measure, before: before.totals.first { $0.measure == measure },
        after: after.totals.first { $0.measure == measure },
        isWithoutNewerThan: after.basis.isWithoutNewerThan)
      sums.append(own)
      guard let first = own.before, let second = own.after, first.estimatedRevenue != nil,
        second.estimatedRevenue != nil
      else { continue }
      let pairs = CausePairs(
        measure, before: before.rows, after: after.rows, (before: first.sum, after: second.sum))
      isMerged = isMerged || !pairs.knowsMapping
      let move = pairs.move
      found += rows(of: move, own)
      campaigns += zip(pairs.pairs, move.ofCampaigns).compactMap { CampaignRow(measure, $0, $1) }
    }
    let isSure = RevenueMove.areSure(found.map(\.part))
    var rows = Rows.held(
      zip(found, isSure).map { line, isSure in
        var row = line.row
        row.isSure = isSure
        return row
      })
    rows.details = [
      Self.campaigns.table(
        campaigns.enumerated().sorted {
          (-($0.element.change?.magnitude.units ?? -1), $0.offset)
            < (-($1.element.change?.magnitude.units ?? -1), $1.offset)
        }.map(\.element)), Self.periods.table(sums),
    ]
    rows.notes = notes(sums, isMerged: isMerged, both.map(\.basis), later, now: source.now)
    rows.noteIfEmpty =
      sums.isEmpty
      ? Sentence(
        "no winning postbacks of the first window under a mapping; load mappings with `skan mapping load`"
      ).onPages(nil) : Sentence("no causes without an estimate of both periods").onPages(nil)
    return rows
  }

  /// The earlier and the later install days: those that are asked for, or a week of which most postbacks have arrived.
  private func periods(at now: Instant) throws(ParameterError) -> (Range<Day>, Range<Day>) {
    var period = period
    let usual = EstimateReport.installDays(7, at: now)
    let to = period.to ?? period.from.map { Day(number: $0.number + 7) } ?? usual.upperBound
    let from = period.from ?? Day(number: to.number - 7)
    (period.from, period.to) = (from, to)
    return (try compare.days(for: period, by: []), from..<to)
  }

  /// What the report on estimates has of both periods, from one fit.
  private func estimated(
    _ earlier: Range<Day>, _ later: Range<Day>, from source: ReportSource
  ) throws -> [EstimateReport.Estimated] {
    var source = source
    source.keeper = source.keeper ?? PartKeeper()
    let money = ReportingMoney(currency: currency, days: days)
    return try source.reader.consistently { () throws(LedgerError) in
      Result {
        try [earlier, later].map { days in
          var report = EstimateReport(days, scope, in: money)
          report.digits = digits
          return try report.estimated(from: source, now: source.now.startOfHour)
        }
      }
    }.get()
  }

  /// How its lines go together.
  package static let addUp = Sentence(
    "the causes add up; their intervals do not, because causes depend on each other; what is sure is decided for all lines "
      + "together: where nothing changed, nine of ten reports have no line that is sure"
  ).onPages(nil)

  private func notes(
    _ sums: [Sums], isMerged: Bool, _ bases: [EstimateReport.Basis], _ later: Range<Day>, now: Instant
  ) -> [Sentence] {
    var notes = scope.environment.notes
    guard !sums.isEmpty else { return notes }
    if isMerged {
      notes.append(
        Sentence(
          "nothing distinguishes mapping and worth: several versions of a mapping state what values are worth; import own users of "
            + "each with `skan users import`"
        ).onPages(
          Sentence(
            "a change of the mapping and one of what users pay cannot be distinguished: import users of these days on the page Data in"
          )))
    }
    for own in sums where own.revenue.before == nil || own.revenue.after == nil {
      let code = own.measure.currency.text
      notes.append(
        own.revenue.after == nil
          ? Sentence("no causes in \(code: code): installs of the later days have no estimated revenue")
          : Sentence("no causes in \(code: code): installs of the earlier days have no estimated revenue"))
    }
    for note in bases.flatMap(\.leftOutNotes) where !notes.contains(note) { notes.append(note) }
    let complete = EstimateReport.installDays(1, at: now).upperBound
    if later.upperBound > complete {
      notes.append(
        Sentence(
          "postbacks of installs on \(max(complete, later.lowerBound)) and later days are still to come"))
    }
    if sums.contains(where: { $0.revenue.before != nil && $0.revenue.after != nil }) {
      notes.append(Self.addUp)
    }
    return notes
  }

  private func rows(of move: RevenueMove, _ sums: Sums) -> [(row: Row, part: RevenueMove.Part)] {
    guard let before = sums.revenue.before, let after = sums.revenue.after else { return [] }
    let whole = after.subtracting(before)
    let parts = move.parts
    let amounts = Self.amounts(parts.mapValues(\.amount), addingUpTo: whole)
    let causes = RevenueMove.Cause.allCases.compactMap { cause in
      amounts[cause].flatMap { amount in parts[cause].map { (cause: cause as RevenueMove.Cause?, amount, $0) }
      }
    }
    return (causes + [(nil, whole, move.change)]).map { cause, amount, part in
      (
        Row(measure: sums.measure, cause: cause, amount: amount, interval: part.interval, before: before),
        part
      )
    }
  }

  /// The causes in millionths that add up to the whole change: the last one takes what rounding leaves.
  fileprivate static func amounts(
    _ parts: [RevenueMove.Cause: Double], addingUpTo whole: Amount
  ) -> [RevenueMove.Cause: Amount] {
    var rest = whole
    var amounts: [RevenueMove.Cause: Amount] = [:]
    let causes = RevenueMove.Cause.allCases.filter { parts[$0] != nil }
    for cause in causes {
      guard let amount = cause == causes.last ? rest : Amount(rounding: parts[cause]) else { continue }
      amounts[cause] = amount
      rest = rest.subtracting(amount)
    }
    return amounts
  }
}

extension CausesReport.Measure: Comparable {
  package static func < (a: Self, b: Self) -> Bool { (a.currency, a.horizon) < (b.currency, b.horizon) }
}

extension CausesReport.CampaignRow {
  /// `nil` where nothing of the campaign is known.
  fileprivate init?(
    _ measure: CausesReport.Measure, _ pair: CausePairs.Pair, _ parts: [RevenueMove.Cause: Double]
  ) {
    guard let row = pair.after ?? pair.before, let campaign = row.campaign else { return nil }
    (self.measure, self.campaign, name) = (measure, campaign, row.name)
    conversions = (pair.before?.conversions ?? 0, pair.after?.conversions ?? 0)
    spend = (pair.before?.spend, pair.after?.spend)
    let rows = [pair.before, pair.after].compactMap(\.self)
    // Of a campaign without a value of its own the app's mean is in the totals alone.
    guard rows.allSatisfy({ $0.estimatedRevenue != nil }) else {
      (change, causes) = (nil, [:])
      return
    }
    let change = (pair.after?.estimatedRevenue ?? .zero).subtracting(pair.before?.estimatedRevenue ?? .zero)
    self.change = change
    causes = CausesReport.amounts(parts, addingUpTo: change)
  }
}
