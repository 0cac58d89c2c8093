import Campaigns
import Ledger
import Postbacks
import Values

/// What was paid for the rows of estimates; where rows are of install dates, by the day it was paid for.
struct EstimateSpend {
  let sums: [EstimateGroup: [CurrencyCode: Amount]]
  /// Spend that belongs to no row, or to several.
  let unmatched: [CurrencyCode: Amount]
  /// The networks of spend that belongs to no row, or to several.
  let unmatchedNetworks: Set<String>
  /// All of it, that of no row too.
  let total: [CurrencyCode: Amount]
  /// Groups with spend of days of which less than 95 % of the postbacks are expected to have arrived.
  let incompleteGroups: Set<EstimateGroup>
  /// The first and the last day with spend of each group.
  let spans: [EstimateGroup: ClosedRange<Day>]
  /// The first and the last day of all spend that belongs to a row.
  let span: ClosedRange<Day>?
  /// The first day with spend of which most postbacks, but less than 95 %, are expected to have arrived.
  let firstIncompleteDay: Day?

  /// Gives each piece of spend to the one row that it fits.
  ///
  /// - Parameters:
  ///   - apps: The apps that rows are of.
  ///   - names: The names that spend files may use.
  ///   - rates: Exchange rates, for the currency that was asked for.
  ///   - completeness: The share of a day's postbacks that is expected to have arrived, by app and day of install.
  init(
    _ spend: [SpendRow], for report: EstimateReport, groups: Set<EstimateGroup>, of apps: [AppID],
    names: CampaignNames, rates: ExchangeRates, completeness: [AppID: [Day: Double]]
  ) {
    let groups = Array(groups)
    var dimensions: [CampaignDimension] = []
    for dimension in report.by.flatMap(\.stored) where !dimensions.contains(dimension) {
      dimensions.append(dimension)
    }
    let named = report.by.ofNames
    // A row that is of no campaign would take the spend of apps that have no estimate.
    let isByCampaign = report.by.contains(.campaign)
    let query = CampaignQuery(
      environment: report.scope.environment,
      apps: isByCampaign || !report.scope.apps.isEmpty ? report.scope.apps : apps,
      networks: report.scope.networks, dimensions: dimensions, digits: report.digits)
    let firstDays = completeness.compactMapValues { $0.keys.min() }
    var firstIncompleteDay: Day?
    var incompleteGroups: Set<EstimateGroup> = []
    var spans: [EstimateGroup: ClosedRange<Day>] = [:]
    var span: ClosedRange<Day>?
    var unmatchedRows = Dictionary(spend.map { ($0.network, 1) }, uniquingKeysWith: +)
    let spending = Spending(
      spend, for: query, rows: groups.map { $0.row(by: report.by) },
      labels: named.isEmpty ? [] : groups.map { $0.traits?.label ?? .none },
      by: CampaignNaming(order: named.map { .named($0) }, conditions: []), names: names, rates: rates,
      into: report.currency
    ) { paid, row in
      unmatchedRows[paid.network, default: 0] -= 1
      // Networks list days of a paused campaign with nothing.
      guard paid.micros != 0 else { return }
      spans[groups[row]] = spans[groups[row]].reaching(paid.day)
      span = span.reaching(paid.day)
      let app = groups[row].app ?? paid.app.flatMap { AppID($0) }
      let ofApps = app.map { [$0] } ?? Array(completeness.keys)
      let isOpen = ofApps.contains { app in
        completeness[app]?[paid.day] ?? 0 < 0.95 && paid.day >= firstDays[app] ?? paid.day
      }
      guard isOpen else { return }
      incompleteGroups.insert(groups[row])
      firstIncompleteDay = min(firstIncompleteDay ?? paid.day, paid.day)
    }
    self.incompleteGroups = incompleteGroups
    self.firstIncompleteDay = firstIncompleteDay
    self.spans = spans
    self.span = span
    sums = Dictionary(
      zip(groups, spending.rows).filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
    unmatched = spending.unmatched
    unmatchedNetworks = Set(unmatchedRows.filter { $0.value > 0 }.keys)
    total = spending.total
  }
}

extension ClosedRange<Day>? {
  fileprivate func reaching(_ day: Day) -> ClosedRange<Day> {
    map { Swift.min($0.lowerBound, day)...Swift.max($0.upperBound, day) } ?? day...day
  }
}

extension ExchangeRates {
  /// What one unit of a currency is worth in another one; `nil` without a rate.
  func factor(from currency: CurrencyCode, to quote: CurrencyCode, on day: Day) -> Double? {
    let many = Amount(micros: 1_000_000_000_000)
    return convert(many, from: currency, to: quote, on: day).map { Double($0.micros) / Double(many.micros) }
  }
}
