package import Arguments
import Estimates
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
  package var digits: Int?
  package var currency: CurrencyCode?

  package init() {}

  /// A cause, or all of them together.
  package struct Row: Sendable {
    let currency: CurrencyCode
    /// `nil` for all causes together.
    let cause: RevenueMove.Cause?
    let amount: Amount
    let interval: Interval
    /// The earlier period's revenue.
    let before: Amount
  }

  /// A campaign and what it contributed.
  fileprivate struct CampaignRow: Sendable {
    let currency: CurrencyCode
    let place: Place
    let name: CampaignNames.Match
    let before: RevenueMove.Counts
    let after: RevenueMove.Counts
    let causes: [RevenueMove.Cause: Double]
    let spend: (before: Amount?, after: Amount?)

    var change: Double { after.revenue - before.revenue }
  }

  fileprivate struct Place: Hashable, Sendable {
    let app: AppID
    let network: String
    let campaign: Campaign
  }

  private struct Sums: Sendable {
    let currency: CurrencyCode
    let before: RevenueMove.Counts
    let after: RevenueMove.Counts
  }

  package static let name = "causes"
  package static let summary = "Divide a change of revenue between two periods into its causes."
  package static let discussion = [
    "The revenue is the decoded mid revenue of first windows, by arrival date. The causes change one thing after the "
      + "other, in this order, and add up to the whole change: volume (more or fewer conversions), mix (other shares of "
      + "campaigns; a new campaign is mix), withheld (another share of values that are shown), mapping (versions that "
      + "read the same users otherwise) and worth (users that pay more or less).",
    "How versions read the same users is known from own users (`skan users import`). Where several versions are in the "
      + "two periods and own users are not known for each, mapping and worth are one cause, mapping-or-worth.",
    "The interval of a cause is what chance alone gives counts of this size: a cause whose interval has both signs "
      + "explains nothing for sure. Intervals do not add up. The table `moved-campaigns` has the campaigns that moved "
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
      ) { (report) throws(ParameterError) in _ = try report.compare.days(for: report.period, by: []) }
    ] + Parameter.all(of: \.scope) + [
      .init(
        "digits", \.digits, "Last digits of a source identifier that distinguish campaigns.", in: 2...4,
        as: .init(defaultNote: "all")),
      .init(
        "currency", \.currency,
        "Currency to convert amounts to, by the rates of `skan rates import`; amounts without a rate stay as they are."
      ),
    ]

  package static let columns: [Column<Row>] = [
    Column("currency", "currency", "Currency of the amounts.", \.currency.text),
    Column(
      "cause", "cause",
      "volume, mix, withheld, mapping, worth or mapping-or-worth; together for the whole change."
    ) { $0.cause?.rawValue ?? "together" },
    Column(
      "amount", "amount", "What the cause added to revenue; the causes add up to the whole change.", \.amount),
    Column("amount", "90 % interval", "What chance alone leaves open of it.") {
      Bounds(Amount(rounding: $0.interval.low), Amount(rounding: $0.interval.high))
    },
    Column("relative-change", "of before", "The amount as part of the earlier period's revenue.") { row in
      row.before.micros == 0 ? nil : Change(Double(row.amount.micros) / Double(row.before.micros.magnitude))
    },
    Column(
      "is-sure", "sure",
      "Whether the interval leaves no doubt that the cause added something, or took something away."
    ) { $0.interval.low > 0 || $0.interval.high < 0 },
  ]

  private static let campaigns = Detail<CampaignRow>(
    "moved-campaigns",
    [
      Column("currency", "currency", "Currency of the amounts.", \.currency.text),
      Column("app", "app", "App Store number of the advertised app.") {
        Identifier("\($0.place.app.number)")
      },
      Column("network", "network", "Ad network.") { Identifier($0.place.network) },
      Column("campaign", "campaign", "Campaign's digits.") { Identifier($0.place.campaign.text) },
      Column("name", "name", "Name of the campaign, where its digits leave no doubt.", shown: .whereUseful) {
        row -> String? in
        if case .known(let name) = row.name { name.name } else { nil }
      },
      Column("change", "change", "Change of its revenue.") { Amount(rounding: $0.change) },
      Column(
        "volume", "volume and mix", "What of it comes from more or fewer conversions of the campaign."
      ) { $0.causes[.volume].flatMap { Amount(rounding: $0) } },
      Column("withheld", "withheld", "What of it comes from the share of values that are shown.") {
        $0.causes[.withheld].flatMap { Amount(rounding: $0) }
      },
      Column("mapping", "mapping", "What of it comes from the mapping.", shown: .whereUseful) {
        $0.causes[.mapping].flatMap { Amount(rounding: $0) }
      },
      Column("worth", "worth", "What of it comes from what users are worth.", shown: .whereUseful) {
        $0.causes[.worth].flatMap { Amount(rounding: $0) }
      },
      Column(
        "mapping-or-worth", "mapping or worth", "The last two, where they cannot be told apart.",
        shown: .whereUseful
      ) { $0.causes[.mappingOrWorth].flatMap { Amount(rounding: $0) } },
      Column("previous-conversions", "conversions before", "Winning conversions of the earlier period.") {
        Int64($0.before.conversions)
      },
      Column("conversions", "conversions", "Winning conversions of the later period.") {
        Int64($0.after.conversions)
      },
      Column(
        "previous-spend", "spend before", "Spend of the earlier period.", shown: .whereUseful, \.spend.before),
      Column("spend", "spend", "Spend of the later period.", shown: .whereUseful, \.spend.after),
    ], mostForPeople: 10)

  private static let periods = Detail<Sums>(
    "compared-periods",
    [
      Column("currency", "currency", "Currency of the amounts.", \.currency.text),
      Column("previous-revenue", "before", "Decoded mid revenue of the earlier period.") {
        Amount(rounding: $0.before.revenue)
      },
      Column("revenue", "after", "Decoded mid revenue of the later period.") {
        Amount(rounding: $0.after.revenue)
      },
      Column("previous-conversions", "conversions before", "Winning conversions of the earlier period.") {
        Int64($0.before.conversions)
      },
      Column("conversions", "conversions", "Winning conversions of the later period.") {
        Int64($0.after.conversions)
      },
      Column(
        "previous-not-shown", "not shown before", "Share of them without a value that the mapping knows."
      ) {
        notShown($0.before)
      },
      Column("not-shown", "not shown", "Share of them without a value that the mapping knows.") {
        notShown($0.after)
      },
    ])
  package static let details = [campaigns.header, periods.header]

  private static func notShown(_ counts: RevenueMove.Counts) -> Share? {
    counts.conversions > 0 ? Share((counts.conversions - counts.shown) / counts.conversions) : nil
  }

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let reader = source.reader
    guard let from = period.from, let to = period.to else {
      throw ParameterError("from", "found no days to explain. Give --from and --to.")
    }
    let earlier = try compare.days(for: period, by: [])
    let (catalog, worths, names, spend, first, second) = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      let rates = ExchangeRates(currency == nil ? [] : try reader.rates())
      return (
        catalog, try reader.valueWorth(), CampaignNames(try reader.campaignNames()),
        (
          try reader.spend(from: earlier.lowerBound, to: earlier.upperBound, environment: scope.environment),
          try reader.spend(from: from, to: to, environment: scope.environment)
        ),
        try PeriodCounts(earlier, self, catalog, rates, reader),
        try PeriodCounts(from..<to, self, catalog, rates, reader)
      )
    }
    let spent = (SpendSums(spend.0, names), SpendSums(spend.1, names))
    let last = Day(number: to.number - 1)
    var found: [Row] = []
    var campaigns: [CampaignRow] = []
    var sums: [Sums] = []
    var isMerged = false
    for currency in first.currencies.union(second.currencies).sorted(by: { $0.text < $1.text }) {
      let places = first.places(of: currency).union(second.places(of: currency)).sorted {
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
            before: first[place, currency], after: second[place, currency],
            reading: readings[place.app] ?? nil)
        })
      isMerged = isMerged || move.parts[.mappingOrWorth] != nil
      found += rows(of: move, currency)
      sums.append(Sums(currency: currency, before: move.before, after: move.after))
      for (index, place) in places.enumerated() {
        campaigns.append(
          CampaignRow(
            currency: currency, place: place,
            name: names.match(
              network: place.network, campaign: place.campaign, app: place.app.number, days: last...last),
            before: first[place, currency], after: second[place, currency], causes: move.ofCampaigns[index],
            spend: (spent.0[place, currency], spent.1[place, currency])))
      }
    }
    campaigns.sort { abs($0.change) > abs($1.change) }
    var rows = Rows.held(found)
    rows.details = [Self.campaigns.table(campaigns), Self.periods.table(sums)]
    rows.notes = scope.environment.notes
    if isMerged {
      rows.notes.append(
        "mapping and worth cannot be told apart: several versions are in these days, and own users are not known for "
          + "each; import them with `skan users import`")
    }
    if found.count > 0 {
      rows.notes.append(
        "the causes add up; their intervals do not, because causes depend on each other")
    }
    rows.noteIfEmpty =
      "no decoded conversions of the first window in these days; load mappings with `skan mapping load`"
    return rows
  }

  /// The causes in millionths that add up to the rounded change: the last one takes what rounding leaves.
  private func rows(of move: RevenueMove, _ currency: CurrencyCode) -> [Row] {
    guard let whole = Amount(rounding: move.change.amount), let before = Amount(rounding: move.before.revenue)
    else { return [] }
    let causes = RevenueMove.Cause.allCases.filter { move.parts[$0] != nil }
    var rest = whole.micros
    var rows: [Row] = []
    for cause in causes {
      guard let part = move.parts[cause], let rounded = Amount(rounding: part.amount) else { continue }
      let amount = cause == causes.last ? Amount(micros: rest) : rounded
      rest -= amount.micros
      rows.append(
        Row(currency: currency, cause: cause, amount: amount, interval: part.interval, before: before))
    }
    return rows + [
      Row(currency: currency, cause: nil, amount: whole, interval: move.change.interval, before: before)
    ]
  }
}

/// The first windows of a period by campaign and currency, and by mapping version.
private struct PeriodCounts {
  private var counts: [CausesReport.Place: [CurrencyCode: RevenueMove.Counts]] = [:]
  /// How many shown conversions follow which version, by app.
  private(set) var versions: [AppID: [Int: Double]] = [:]

  var currencies: Set<CurrencyCode> { Set(counts.values.flatMap(\.keys)) }

  func places(of currency: CurrencyCode) -> Set<CausesReport.Place> {
    Set(counts.filter { $0.value[currency] != nil }.keys)
  }

  subscript(place: CausesReport.Place, currency: CurrencyCode) -> RevenueMove.Counts {
    counts[place]?[currency] ?? RevenueMove.Counts()
  }

  init(
    _ days: Range<Day>, _ report: CausesReport, _ catalog: MappingCatalog, _ rates: ExchangeRates,
    _ reader: LedgerReader
  ) throws(LedgerError) {
    let query = CampaignQuery(
      environment: report.scope.environment, from: days.lowerBound, to: days.upperBound,
      apps: report.scope.apps,
      networks: report.scope.networks, conditions: [CampaignCondition(.window, ["1"])],
      dimensions: [.app, .network, .campaign], digits: report.digits)
    var kinds: [Int: Kind] = [:]
    var shown: [Int: [CurrencyCode: RevenueMove.Counts]] = [:]
    var versions: [AppID: [Int: Double]] = [:]
    let answer = try reader.campaigns(
      query, decodingFor: catalog.apps, hourly: catalog.hourlyDays(query.environment.timers),
      isDaily: report.currency != nil
    ) { row, count in
      if kinds[count.kind] == nil {
        guard let history = catalog.histories[count.app] else { return }
        kinds[count.kind] = Kind(
          history.expectation(
            of: count.value, version: count.version, window: count.window, timers: query.environment.timers,
            arrival: count.arrival, type: count.outcome.conversionType
          ).converted(by: rates, into: report.currency, on: count.arrival.lowerBound.day))
      }
      guard let kind = kinds[count.kind], kind.isDecoded else { return }
      let number = Double(count.postbacks)
      for (currency, mid) in kind.revenue {
        shown[row, default: [:]][currency, default: .init()].shown += number
        shown[row, default: [:]][currency, default: .init()].revenue += number * mid
        shown[row, default: [:]][currency, default: .init()].squares += number * mid * mid
      }
      for (version, probability) in kind.versions {
        versions[count.app, default: [:]][version, default: 0] += number * probability
      }
    }
    self.versions = versions
    for (index, row) in answer.rows.enumerated() {
      guard let app = row.app, let network = row.network, let campaign = row.campaign,
        row.counts.installsOfAnyKind > 0
      else { continue }
      let place = CausesReport.Place(app: app, network: network, campaign: campaign)
      // A campaign of which nothing is shown is of the currency that its app's mappings have.
      var own = shown[index] ?? [:]
      if own.isEmpty, let home = catalog.histories[app]?.versions.last?.currency {
        own[
          report.currency.flatMap { rates.factor(from: home, to: $0, on: days.lowerBound) == nil ? nil : $0 }
            ?? home] =
          .init()
      }
      for currency in own.keys { own[currency]?.conversions = Double(row.counts.installsOfAnyKind) }
      counts[place] = own
    }
  }

  /// What a kind of value means.
  private struct Kind {
    let isDecoded: Bool
    let revenue: [(CurrencyCode, mid: Double)]
    let versions: [(Int, Double)]

    init(_ expectation: Expectation) {
      isDecoded = expectation.status == .decoded
      revenue = expectation.revenue.map { ($0.currency, Double($0.representative.micros) / 1e6) }
      versions = expectation.readings.map { ($0.version, $0.probability) }
    }
  }
}

/// What versions of an app's mapping read of own users' revenue.
private struct VersionReadings {
  private struct Ratio {
    let read: Double
    /// The variance of ``read``, as own users are a sample.
    let variance: Double
  }

  private var ratios: [Int: Ratio] = [:]

  init(_ app: AppID, _ catalog: MappingCatalog, _ worths: [ValueWorthRow]) {
    guard let history = catalog.histories[app] else { return }
    for (index, version) in history.versions.enumerated() {
      var (read, truth, squares, mixed, ofMids) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for row in worths
      where row.app == app && row.effectiveFrom == version.effectiveFrom && row.horizon == .firstWindow
        && !row.isCoarse && row.currency == version.currency.text
      {
        guard let value = FineValue(Int64(row.value)) else { continue }
        let meaning = version.decode(.fine(value), window: .first, type: nil)
        let mid = CodeWorth.mean(of: meaning, event: nil)
        let (users, sum) = (Double(row.users), Double(row.micros) / 1e6)
        read += users * mid
        truth += sum
        squares += row.squares
        mixed += mid * sum
        ofMids += users * mid * mid
      }
      guard truth > 0, read > 0 else { continue }
      let ratio = read / truth
      ratios[index] = Ratio(
        read: ratio,
        variance: max(0, ofMids - 2 * ratio * mixed + ratio * ratio * squares) / (truth * truth))
    }
  }

  /// How the versions of two periods read the same users; `nil` where that is not known.
  ///
  /// - Parameters:
  ///   - before: How many conversions follow which version.
  func reading(before: [Int: Double], after: [Int: Double]) -> RevenueMove.Reading? {
    let all = (before.values.reduce(0, +), after.values.reduce(0, +))
    guard all.0 > 0, all.1 > 0 else { return .same }
    let versions = Set(before.keys).union(after.keys)
    guard versions.count > 1 else { return .same }
    guard versions.allSatisfy({ ratios[$0] != nil }) else { return nil }
    func mean(_ shares: [Int: Double], _ all: Double) -> Double {
      versions.reduce(0) { $0 + (shares[$1] ?? 0) / all * (ratios[$1]?.read ?? 0) }
    }
    let (first, second) = (mean(before, all.0), mean(after, all.1))
    let ratio = first / second
    let variance = versions.reduce(0.0) { sum, version in
      let slope = ((before[version] ?? 0) / all.0 - ratio * (after[version] ?? 0) / all.1) / second
      return sum + slope * slope * (ratios[version]?.variance ?? 0)
    }
    return .init(ratio: ratio, variance: variance)
  }
}

/// What was paid in a period by campaign and currency.
private struct SpendSums {
  private var sums: [String: Amount] = [:]
  private let names: CampaignNames

  init(_ rows: [SpendRow], _ names: CampaignNames) {
    self.names = names
    for row in rows {
      guard let digits = names.digits(of: row.campaign, network: row.network, app: row.app, on: row.day)
      else {
        continue
      }
      let key = Self.key(row.app, row.network, digits, row.currency)
      sums[key] = (sums[key] ?? .zero).adding(Amount(micros: row.micros)).sum
    }
  }

  subscript(place: CausesReport.Place, currency: CurrencyCode) -> Amount? {
    sums[Self.key(place.app.number, place.network, place.campaign.text, currency.text)]
      ?? sums[Self.key(nil, place.network, place.campaign.text, currency.text)]
  }

  private static func key(_ app: Int64?, _ network: String, _ campaign: String, _ currency: String) -> String
  {
    "\(app ?? 0) \(network) \(campaign) \(currency)"
  }
}
