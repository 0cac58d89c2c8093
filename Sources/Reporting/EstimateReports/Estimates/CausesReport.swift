package import Arguments
package import Campaigns
package import Estimates
import Ledger
import MappingLibrary
import Mappings
import Postbacks
package import Tables
package import Values

/// Why decoded revenue moved from an earlier period to a later one.
package struct CausesReport: Report {
  package var period = Period<Day>()
  package var compare = Comparison.previous
  package var scope = Scope()
  /// Last digits of a source identifier that distinguish campaigns; a postback without a value has no more than two, so
  /// that with more digits withheld values are in other campaigns than the values that are shown.
  package var digits = 2
  package var currency: CurrencyCode?

  package init() {}

  /// A cause, or all of them together.
  package struct Row: Sendable {
    package let currency: CurrencyCode
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
    package let currency: CurrencyCode
    let campaign: Place
    let name: CampaignNames.Match
    let before: RevenueMove.Counts
    let after: RevenueMove.Counts
    let causes: [RevenueMove.Cause: Double]
    package let spend: (before: Amount?, after: Amount?)

    package var place: CampaignPlace {
      CampaignPlace(
        app: campaign.app, network: campaign.network, digits: campaign.campaign.text, name: name.name)
    }
    fileprivate var moved: Double { after.total - before.total }
    /// Of its revenue.
    package var change: Amount? { Amount(rounding: moved) }
    /// What of the change comes from a cause; `nil` where it is not known.
    package func change(by cause: RevenueMove.Cause) -> Amount? {
      causes[cause].flatMap { Amount(rounding: $0) }
    }
    package var conversions: (before: Int64, after: Int64) {
      (Int64(before.conversions), Int64(after.conversions))
    }
  }

  struct Place: Hashable, Sendable {
    let app: AppID
    let network: String
    let campaign: Campaign
  }

  /// Both periods of one currency.
  package struct Sums: Sendable {
    package let currency: CurrencyCode
    let before: RevenueMove.Counts
    let after: RevenueMove.Counts

    /// Decoded mid revenue.
    package var revenue: (before: Amount?, after: Amount?) {
      (Amount(rounding: before.total), Amount(rounding: after.total))
    }
    /// Winning ones.
    package var conversions: (before: Int64, after: Int64) {
      (Int64(before.conversions), Int64(after.conversions))
    }
    /// The share of conversions without a value that the mapping knows; `nil` without conversions.
    package var notShown: (before: Share?, after: Share?) {
      (Self.notShown(before), Self.notShown(after))
    }

    private static func notShown(_ counts: RevenueMove.Counts) -> Share? {
      counts.conversions > 0 ? Share((counts.conversions - counts.shown) / counts.conversions) : nil
    }
  }

  package static let name = "causes"
  package static let summary = "Divide a change of revenue between two periods into its causes."
  package static let discussion = [
    "The revenue is the decoded mid revenue of first windows, by arrival date. The causes change one thing after the "
      + "other, in this order, and add up to the whole change: volume (more or fewer conversions), mix (other shares of "
      + "campaigns; a new campaign is mix), withheld (another share of values that are shown), mapping (versions that "
      + "read the same users otherwise) and worth (users that pay more or less). With --currency these are at the rates of "
      + "the earlier period, and exchange-rates is what other rates add.",
    "How versions read the same users is known from own users (`skan users import`). Where several versions are in the "
      + "two periods and own users are not known for each, mapping and worth are one cause, mapping-or-worth.",
    "The interval of a cause is what chance alone gives counts of this size, of this line alone. Which causes are sure is "
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
        "currency", \.currency,
        "Currency to convert amounts to, by the rates of `skan rates import`; amounts without a rate stay as they are."
      ),
    ]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let reader = source.reader
    var period = period
    // The last seven whole days, or seven days beside the one that is given.
    let to = period.to ?? period.from.map { Day(number: $0.number + 7) } ?? source.now.day
    let from = period.from ?? Day(number: to.number - 7)
    (period.from, period.to) = (from, to)
    let earlier = try compare.days(for: period, by: [])
    let (catalog, worths, names, first, second) = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      let rates = ExchangeRates(currency == nil ? [] : try reader.rates())
      let names = try CampaignNames.of(reader)
      return (
        catalog, try reader.valueWorth(), names,
        try PeriodCounts(earlier, self, catalog, names, rates, reader),
        try PeriodCounts(from..<to, self, catalog, names, rates, reader)
      )
    }
    let last = Day(number: to.number - 1)
    var found: [(row: Row, part: RevenueMove.Part)] = []
    var campaigns: [CampaignRow] = []
    var sums: [Sums] = []
    var isMerged = false
    let rates = first.meanRates
    for currency in first.currencies.union(second.currencies).ordered(by: { $0.text < $1.text }) {
      let places = first.places(of: currency).union(second.places(of: currency)).ordered {
        ($0.app.number, $0.network, $0.campaign.text) < ($1.app.number, $1.network, $1.campaign.text)
      }
      var readings: [AppID: RevenueMove.Reading?] = [:]
      for app in Set(places.map(\.app)) {
        readings[app] = VersionReadings(app, catalog, worths).reading(
          before: first.versions[app] ?? [:], after: second.versions[app] ?? [:])
      }
      let move = RevenueMove(
        places.map { place in
          RevenueMove.Campaign(
            before: first.counts(place, currency, at: rates),
            after: second.counts(place, currency, at: rates),
            reading: readings[place.app] ?? nil)
        })
      isMerged = isMerged || move.parts[.mappingOrWorth] != nil
      found += rows(of: move, currency)
      sums.append(Sums(currency: currency, before: move.before, after: move.after))
      for (index, place) in places.enumerated() {
        campaigns.append(
          CampaignRow(
            currency: currency, campaign: place,
            name: names.match(
              network: place.network, campaign: place.campaign, app: place.app.number, days: last...last),
            before: first.counts(place, currency, at: rates),
            after: second.counts(place, currency, at: rates), causes: move.ofCampaigns[index],
            spend: (first.spend(place, currency), second.spend(place, currency))))
      }
    }
    campaigns.sort { abs($0.moved) > abs($1.moved) }
    let isSure = RevenueMove.areSure(found.map(\.part))
    var rows = Rows.held(
      zip(found, isSure).map { line, isSure in
        var row = line.row
        row.isSure = isSure
        return row
      })
    rows.details = [Self.campaigns.table(campaigns), Self.periods.table(sums)]
    rows.notes = scope.environment.notes
    if isMerged {
      rows.notes.append(
        Sentence(
          "nothing distinguishes mapping and worth: several versions are in these days, and own users are not known for "
            + "each; import them with `skan users import`"
        ).onPages(
          Sentence(
            "a change of the mapping and one of what users pay cannot be distinguished: import users of these days on the page Data in"
          )))
    }
    if found.count > 0 {
      rows.notes.append(Self.addUp)
    }
    rows.noteIfEmpty =
      Sentence(
        "no decoded conversions of the first window in these days; load mappings with `skan mapping load`"
      ).onPages(nil)
    return rows
  }

  /// How its lines go together.
  package static let addUp = Sentence(
    "the causes add up; their intervals do not, because causes depend on each other; what is sure is decided for all lines "
      + "together: where nothing changed, nine of ten reports have no line that is sure"
  ).onPages(nil)

  /// The causes in millionths that add up to the rounded change: the last one takes what rounding leaves.
  private func rows(of move: RevenueMove, _ currency: CurrencyCode) -> [(row: Row, part: RevenueMove.Part)] {
    guard let whole = Amount(rounding: move.change.amount), let before = Amount(rounding: move.before.total)
    else { return [] }
    let causes = RevenueMove.Cause.allCases.filter { move.parts[$0] != nil }
    var rest = whole.micros
    var rows: [(row: Row, part: RevenueMove.Part)] = []
    for cause in causes {
      guard let part = move.parts[cause], let rounded = Amount(rounding: part.amount) else { continue }
      let amount = cause == causes.last ? Amount(micros: rest) : rounded
      rest = rest.subtractingHeld(amount.micros)
      rows.append(
        (Row(currency: currency, cause: cause, amount: amount, interval: part.interval, before: before), part)
      )
    }
    return rows + [
      (
        Row(currency: currency, cause: nil, amount: whole, interval: move.change.interval, before: before),
        move.change
      )
    ]
  }
}
