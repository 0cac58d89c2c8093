import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

/// The first windows of a period by campaign and currency with what was paid, and by mapping version.
struct PeriodCounts {
  private var counts: [CausesReport.Place: [CurrencyCode: RevenueMove.Counts]] = [:]
  private var paid: [CausesReport.Place: [CurrencyCode: Amount]] = [:]
  /// How many shown conversions follow which version, by app.
  private(set) var versions: [AppID: [Int: Double]] = [:]

  var currencies: Set<CurrencyCode> { Set(counts.values.flatMap(\.keys)) }

  func places(of currency: CurrencyCode) -> Set<CausesReport.Place> {
    Set(counts.filter { $0.value[currency] != nil }.keys)
  }

  subscript(place: CausesReport.Place, currency: CurrencyCode) -> RevenueMove.Counts {
    counts[place]?[currency] ?? RevenueMove.Counts()
  }

  func spend(_ place: CausesReport.Place, _ currency: CurrencyCode) -> Amount? { paid[place]?[currency] }

  init(
    _ days: Range<Day>, _ report: CausesReport, _ catalog: MappingCatalog, _ names: CampaignNames,
    _ rates: ExchangeRates, _ reader: LedgerReader
  ) throws(LedgerError) {
    var query = CampaignQuery(
      environment: report.scope.environment, from: days.lowerBound, to: days.upperBound,
      apps: report.scope.apps,
      networks: report.scope.networks, conditions: [CampaignCondition(.window, ["1"])],
      dimensions: [.app, .network, .campaign], digits: report.digits)
    var kinds: [Int: Kind] = [:]
    var shown: [Int: Double] = [:]
    var revenue: [Int: [CurrencyCode: RevenueMove.Counts]] = [:]
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
      // A value without revenue is shown all the same.
      shown[row, default: 0] += number
      for (currency, mid) in kind.revenue {
        revenue[row, default: [:]][currency, default: .init()].revenue += number * mid
        revenue[row, default: [:]][currency, default: .init()].squares += number * mid * mid
      }
      for (version, probability) in kind.versions {
        versions[count.app, default: [:]][version, default: 0] += number * probability
      }
    }
    self.versions = versions
    // Spend is of no window.
    query.conditions = []
    let spending = Spending(
      try reader.spend(from: query.from, to: query.to, environment: query.environment), for: query,
      rows: answer.rows, names: names, rates: rates, into: report.currency)
    for (index, row) in answer.rows.enumerated() {
      guard let app = row.app, let network = row.network, let campaign = row.campaign,
        row.counts.installsOfAnyKind > 0
      else { continue }
      let place = CausesReport.Place(app: app, network: network, campaign: campaign)
      // A campaign without revenue is of the currency that its app's mappings have.
      var own = revenue[index] ?? [:]
      if own.isEmpty, let home = catalog.histories[app]?.versions.last?.currency {
        own[
          report.currency.flatMap { rates.factor(from: home, to: $0, on: days.lowerBound) == nil ? nil : $0 }
            ?? home] =
          .init()
      }
      for currency in own.keys {
        own[currency]?.conversions = Double(row.counts.installsOfAnyKind)
        own[currency]?.shown = shown[index] ?? 0
      }
      counts[place] = own
      paid[place] = spending.rows[index]
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
