import Ledger
import Postbacks
import Values

/// What was paid for the rows of estimates, by campaign and, where rows are days of install, the day it was paid for.
struct EstimateSpend {
  struct Place: Hashable {
    let campaign: EstimatedCampaign
    let day: Day?
  }

  /// Spend by place and currency.
  private(set) var sums: [Place: [CurrencyCode: Amount]] = [:]
  /// Spend that belongs to no row, or to several.
  private(set) var unmatched: [CurrencyCode: Amount] = [:]
  /// All of it, that of no row too.
  private(set) var total: [CurrencyCode: Amount] = [:]
  /// The first day with spend of which most postbacks, but less than 95 %, are expected to have arrived.
  private(set) var firstIncompleteDay: Day?

  private struct Name: Hashable {
    let network: String
    let digits: String
    let isSourceIdentifier: Bool
  }

  /// Gives each piece of spend to the one row that it fits.
  ///
  /// - Parameters:
  ///   - spend: What was paid.
  ///   - report: The question.
  ///   - places: The places of all rows.
  ///   - names: The names that spend files may use.
  ///   - rates: Exchange rates, for the currency that was asked for.
  ///   - completeness: The share of a day's postbacks that is expected to have arrived, by app and day of install.
  init(
    _ spend: [SpendRow], for report: EstimateReport, places: Set<Place>, names: CampaignNames,
    rates: ExchangeRates, completeness: [AppID: [Day: Double]]
  ) {
    let campaigns = Set(places.map(\.campaign))
    let byName = Dictionary(grouping: campaigns) {
      Name(
        network: $0.network, digits: $0.campaign, isSourceIdentifier: $0.isSourceIdentifier)
    }
    for paid in spend where report.isShown(paid) {
      guard let own = CurrencyCode(paid.currency) else { continue }
      let paidAmount = Amount(micros: paid.micros)
      let converted = report.currency.flatMap {
        rates.convert(paidAmount, from: own, to: $0, on: paid.day)
      }
      let currency = converted == nil ? own : report.currency ?? own
      let amount = converted ?? paidAmount
      Self.add(amount, of: currency, to: &total)
      let digits = names.digits(of: paid.campaign, network: paid.network, on: paid.day)
      let campaign = digits.flatMap { digits in
        let fitting =
          byName[Name(network: paid.network, digits: digits, isSourceIdentifier: false), default: []]
          + byName[
            Name(
              network: paid.network, digits: String(digits.suffix(report.digits)), isSourceIdentifier: true),
            default: []]
        let ofApp = fitting.filter { paid.app == nil || paid.app == $0.app.number }
        return ofApp.count == 1 ? ofApp[0] : nil
      }
      let place = campaign.map { Place(campaign: $0, day: report.breakdown == .day ? paid.day : nil) }
      guard let place, places.contains(place) else {
        Self.add(amount, of: currency, to: &unmatched)
        continue
      }
      Self.add(amount, of: currency, to: &sums[place, default: [:]])
      let arrived = completeness[place.campaign.app]?[paid.day] ?? 0
      if arrived < 0.95, paid.day < firstIncompleteDay ?? Day(number: .max),
        paid.day >= completeness[place.campaign.app]?.keys.min() ?? paid.day
      {
        firstIncompleteDay = paid.day
      }
    }
  }

  private static func add(
    _ amount: Amount, of currency: CurrencyCode, to sums: inout [CurrencyCode: Amount]
  ) {
    sums[currency] = (sums[currency] ?? .zero).adding(amount).sum
  }
}

extension EstimateReport {
  /// Whether spend is of the networks and apps that were asked for.
  fileprivate func isShown(_ paid: SpendRow) -> Bool {
    (scope.networks.isEmpty || scope.networks.contains { $0.canonical == paid.network })
      && (scope.apps.isEmpty || paid.app.map { app in scope.apps.contains { $0.number == app } } ?? true)
  }
}

extension ExchangeRates {
  /// What one unit of a currency is worth in another one; `nil` without a rate.
  func factor(from currency: CurrencyCode, to quote: CurrencyCode, on day: Day) -> Double? {
    let many = Amount(micros: 1_000_000_000_000)
    return convert(many, from: currency, to: quote, on: day).map { Double($0.micros) / Double(many.micros) }
  }
}
