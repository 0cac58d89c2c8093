import Ledger
import Postbacks
import Values

/// What was paid for the rows of estimates, by campaign and, where rows are days of install, the day it was paid for.
struct EstimateSpend {
  struct Place: Hashable {
    let campaign: EstimatedCampaign
    let day: Day?
  }

  let sums: [Place: [CurrencyCode: Amount]]
  /// Spend that belongs to no row, or to several.
  let unmatched: [CurrencyCode: Amount]
  /// All of it, that of no row too.
  let total: [CurrencyCode: Amount]
  /// Places with spend of days of which less than 95 % of the postbacks are expected to have arrived.
  let incompletePlaces: Set<Place>
  /// The first day with spend of which most postbacks, but less than 95 %, are expected to have arrived.
  let firstIncompleteDay: Day?

  /// Gives each piece of spend to the one row that it fits.
  ///
  /// - Parameters:
  ///   - names: The names that spend files may use.
  ///   - rates: Exchange rates, for the currency that was asked for.
  ///   - completeness: The share of a day's postbacks that is expected to have arrived, by app and day of install.
  init(
    _ spend: [SpendRow], for report: EstimateReport, places: Set<Place>, names: CampaignNames,
    rates: ExchangeRates, completeness: [AppID: [Day: Double]]
  ) {
    let places = Array(places)
    let query = CampaignQuery(
      environment: report.scope.environment, apps: report.scope.apps, networks: report.scope.networks,
      dimensions: [.app, .network, .campaign] + (report.breakdown == .day ? [.day] : []),
      digits: report.digits)
    let firstDays = completeness.compactMapValues { $0.keys.min() }
    var firstIncompleteDay: Day?
    var incompletePlaces: Set<Place> = []
    let spending = Spending(
      spend, for: query, rows: places.map(\.row), names: names, rates: rates, into: report.currency
    ) { paid, row in
      let app = places[row].campaign.app
      let arrived = completeness[app]?[paid.day] ?? 0
      guard arrived < 0.95, paid.day >= firstDays[app] ?? paid.day else { return }
      incompletePlaces.insert(places[row])
      firstIncompleteDay = min(firstIncompleteDay ?? paid.day, paid.day)
    }
    self.incompletePlaces = incompletePlaces
    self.firstIncompleteDay = firstIncompleteDay
    sums = Dictionary(
      zip(places, spending.rows).filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
    unmatched = spending.unmatched
    total = spending.total
  }
}

extension EstimateSpend.Place {
  fileprivate var row: CampaignRow {
    let identifier: Campaign? =
      campaign.isSourceIdentifier
      ? SourceIdentifier(campaign.campaign).map { .sourceIdentifier($0) }
      : Int64(campaign.campaign).flatMap { CampaignID($0) }.map { .campaignID($0) }
    return CampaignRow(uncounted: identifier, app: campaign.app, network: campaign.network, day: day)
  }
}

extension ExchangeRates {
  /// What one unit of a currency is worth in another one; `nil` without a rate.
  func factor(from currency: CurrencyCode, to quote: CurrencyCode, on day: Day) -> Double? {
    let many = Amount(micros: 1_000_000_000_000)
    return convert(many, from: currency, to: quote, on: day).map { Double($0.micros) / Double(many.micros) }
  }
}
