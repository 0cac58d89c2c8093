import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

/// The first windows of a period by campaign and currency with what was paid, and by mapping version.
struct PeriodCounts {
  private var counts: [CausesReport.Place: [CurrencyCode: Converted]] = [:]
  private var paid: [CausesReport.Place: [CurrencyCode: Amount]] = [:]
  /// How many shown conversions follow which version, by app.
  private(set) var versions: [AppID: [Int: Double]] = [:]

  var currencies: Set<CurrencyCode> { Set(counts.values.flatMap(\.keys)) }

  func places(of currency: CurrencyCode) -> Set<CausesReport.Place> {
    Set(counts.filter { $0.value[currency] != nil }.keys)
  }

  /// What a campaign had in a currency.
  ///
  /// - Parameter rates: The rates of the earlier period.
  func counts(
    _ place: CausesReport.Place, _ currency: CurrencyCode, at rates: MeanRates
  ) -> RevenueMove.Counts {
    counts[place]?[currency]?.counts(in: currency, at: rates) ?? RevenueMove.Counts()
  }

  /// The rates of exchange of the period's revenue.
  var meanRates: MeanRates {
    var sums: [MeanRates.Pair: Amounts] = [:]
    for currencies in counts.values {
      for (quote, converted) in currencies {
        for (currency, amounts) in converted.amounts {
          sums[.init(currency: currency, quote: quote), default: Amounts()].add(amounts)
        }
      }
    }
    return MeanRates(rates: sums.compactMapValues { $0.own > 0 ? $0.exact / $0.own : nil })
  }

  /// The mean rates of a period, weighted by its revenue.
  struct MeanRates {
    fileprivate struct Pair: Hashable {
      let currency: CurrencyCode
      let quote: CurrencyCode
    }

    fileprivate let rates: [Pair: Double]
  }

  /// Revenue in the mappings' currency, and converted at the rates of its days.
  private struct Amounts {
    var own = 0.0
    var squares = 0.0
    /// As conversions count, in whole millionths each.
    var converted = 0.0
    /// The same without their rounding.
    var exact = 0.0

    mutating func add(_ other: Self) {
      own += other.own
      squares += other.squares
      converted += other.converted
      exact += other.exact
    }
  }

  /// What a campaign had, of revenue by the mappings' currencies.
  private struct Converted {
    var conversions = 0.0
    var shown = 0.0
    var amounts: [CurrencyCode: Amounts] = [:]

    func counts(in quote: CurrencyCode, at rates: MeanRates) -> RevenueMove.Counts {
      var counts = RevenueMove.Counts()
      (counts.conversions, counts.shown) = (conversions, shown)
      for (currency, amounts) in amounts.ordered(by: { $0.key.text < $1.key.text }) {
        guard currency != quote else {
          counts.revenue += amounts.own
          counts.squares += amounts.squares
          continue
        }
        // Where the earlier period has no revenue of the currency, nothing was at another rate.
        let own = amounts.own > 0 ? amounts.exact / amounts.own : 0
        let rate = rates.rates[.init(currency: currency, quote: quote)] ?? own
        var exchange = amounts.exact - amounts.own * rate
        // What the arithmetic alone leaves is no change of rates.
        if abs(exchange) < 1e-9 * amounts.exact { exchange = 0 }
        counts.revenue += amounts.converted - exchange
        counts.squares += amounts.squares * rate * rate
        counts.exchange = (counts.exchange ?? 0) + exchange
      }
      return counts
    }
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
    var revenue: [Int: [CurrencyCode: Converted]] = [:]
    var versions: [AppID: [Int: Double]] = [:]
    let answer = try reader.campaigns(
      query, decodingFor: catalog.apps, hourly: catalog.hourlyDays(query.environment.timers),
      isDaily: report.currency != nil
    ) { row, count in
      if kinds[count.kind] == nil {
        guard let history = catalog.histories[count.app] else { return }
        let expectation = history.expectation(
          of: count.value, version: count.version, window: count.window, timers: query.environment.timers,
          arrival: count.arrival, type: count.outcome.conversionType)
        kinds[count.kind] = Kind(expectation, rates, into: report.currency, on: count.arrival.lowerBound.day)
      }
      guard let kind = kinds[count.kind], kind.isDecoded else { return }
      let number = Double(count.postbacks)
      // A value without revenue is shown all the same.
      shown[row, default: 0] += number
      for part in kind.revenue {
        revenue[row, default: [:]][part.quote, default: .init()].amounts[part.currency, default: .init()].add(
          Amounts(
            own: number * part.mid, squares: number * part.mid * part.mid, converted: number * part.converted,
            exact: number * part.mid * part.rate))
      }
      for (version, probability) in kind.versions {
        versions[count.app, default: [:]][version, default: 0] += number * probability
      }
    }
    self.versions = versions
    // Spend is of no window.
    query.conditions = []
    let spending = try Spending(
      reader, for: query, rows: answer.rows, names: names, rates: rates, into: report.currency)
    let amounts = spending.rows
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
      paid[place] = amounts[index]
    }
  }

  /// What a kind of value means.
  private struct Kind {
    let isDecoded: Bool
    let revenue: [(currency: CurrencyCode, mid: Double, quote: CurrencyCode, rate: Double, converted: Double)]
    let versions: [(Int, Double)]

    /// - Parameter currency: What amounts are converted to where there is a rate for the day.
    init(_ expectation: Expectation, _ rates: ExchangeRates, into currency: CurrencyCode?, on day: Day) {
      isDecoded = expectation.status == .decoded
      revenue = expectation.revenue.map { estimate in
        let (own, amount) = (estimate.currency, estimate.representative)
        let mid = Double(amount.micros) / 1e6
        guard let currency, currency != own, let rate = rates.factor(from: own, to: currency, on: day),
          let converted = rates.convert(amount, from: own, to: currency, on: day)
        else { return (own, mid, own, 1, mid) }
        return (own, mid, currency, rate, Double(converted.micros) / 1e6)
      }
      versions = expectation.readings.map { ($0.version, $0.probability) }
    }
  }
}
