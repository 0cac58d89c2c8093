package import Ledger
import Mappings
import Postbacks
import Tables
package import Values

package struct Spending: Equatable, Sendable {
  /// Whether there is any spend in the question's days, whatever of it counts.
  package let isKnown: Bool
  /// Whether there is spend that no condition can choose from, so that none counts.
  let isLeftOut: Bool
  /// By row.
  let deliveries: [AdDelivery]
  /// All spend, that of no row too.
  let totalDelivery: AdDelivery
  /// Spend that belongs to no row, or to several, by currency.
  package let unmatched: [CurrencyCode: Amount]
  /// The same by network and campaign, each with the reason and what was probably meant; none where it is not listed.
  let unmatchedRows: [Unmatched]

  /// What was paid for each row.
  package var rows: [[CurrencyCode: Amount]] { deliveries.map(\.amounts) }
  /// What was paid, that of no row too.
  package var total: [CurrencyCode: Amount] { totalDelivery.amounts }
  var currencies: [CurrencyCode] { totalDelivery.parts.map(\.currency) }

  /// None, for so many rows.
  init(rows: Int) {
    (isKnown, isLeftOut) = (false, false)
    deliveries = Array(repeating: AdDelivery(), count: rows)
    totalDelivery = AdDelivery()
    (unmatched, unmatchedRows) = ([:], [])
  }

  /// Gives each piece of spend to the one row that it fits, while it is read.
  ///
  /// - Parameters:
  ///   - source: Where the spend of the question's days and environment comes from.
  ///   - query: The question, whose dimensions and filters decide.
  ///   - rows: The answer's rows, each of which is looked at once or twice, however much was paid.
  ///   - labels: What the rows' campaigns are called, where rows are distinguished by it.
  ///   - naming: What of the names distinguishes them, and what spend counts.
  ///   - names: The names that spend files may use.
  ///   - currency: What foreign currencies are turned into where there is a rate; `nil` leaves them as they are.
  ///   - listsUnmatched: Whether ``unmatchedRows`` is needed.
  ///   - wide: What ``NamedRows/query(_:)`` has, where rows depend on names.
  ///   - onMatch: Is called with each piece of spend that belongs to a row, the row's place, and the money as it counts,
  ///     in the order of the days.
  package init<Source: SpendSource>(
    _ source: Source, for query: CampaignQuery, rows: some Collection<CampaignRow>,
    labels: [CampaignLabel] = [], by naming: CampaignNaming = .none, names: CampaignNames,
    rates: ExchangeRates, into currency: CurrencyCode?, listsUnmatched: Bool = false,
    received wide: [CampaignRow]? = nil,
    onMatch: (SpendRow, Int, CurrencyCode, Amount) -> Void = { _, _, _, _ in }
  ) throws(Source.Failure) {
    let isLeftOut = query.conditions.contains { !$0.dimension.isOfSpend }
    let conditionsOfDays = query.conditions.filter(\.dimension.isOfDays)
    var isKnown = false
    var deliveries = [AdDelivery](repeating: AdDelivery(), count: rows.count)
    var (total, unmatched) = (AdDelivery(), AdDelivery())
    var collection = UnmatchedCollection()
    var received: ReceivedCampaigns?
    var campaigns = PaidCampaigns(SpendIndex(rows, labels: labels, for: query), query, naming, names)
    func reason(_ paid: SpendRow, _ campaign: PaidCampaign) -> Unmatched.Reason {
      let all = received ?? ReceivedCampaigns(wide ?? Array(rows))
      received = all
      return all.reason(
        against: paid, campaign.digits, names, wide == nil ? query : NamedRows.query(query),
        isByName: !naming.dimensions.isEmpty)
    }
    if !isLeftOut {
      try source.forEachSpend(of: query) { paid in
        isKnown = true
        let campaign = campaigns.campaign(of: paid)
        guard campaign.isAdmitted, let own = campaign.currency,
          conditionsOfDays.allSatisfy({ $0.admits(paid, digits: nil, kept: nil) })
        else { return true }
        var money = (currency: own, amount: Amount(micros: paid.micros))
        if let currency, let converted = rates.convert(money.amount, from: own, to: currency, on: paid.day) {
          money = (currency, converted)
        }
        total.add(paid, for: money.amount, money.currency)
        let fitting = campaigns.rows(for: campaign, on: paid.day)
        if case .one(let row) = fitting {
          onMatch(paid, row, money.currency, money.amount)
          deliveries[row].add(paid, for: money.amount, money.currency)
          return true
        }
        unmatched.add(paid, for: money.amount, money.currency)
        guard listsUnmatched else { return true }
        var found = Unmatched.Reason.severalRows
        if case .no = fitting {
          found = campaign.reason ?? reason(paid, campaign)
          campaign.reason = found
        }
        collection.add(
          Unmatched.Key(
            network: paid.network, campaign: paid.campaign, currency: money.currency, app: paid.app,
            reason: found),
          paid.day...paid.day, money.amount)
        return true
      }
    }
    // What was read can be that of some networks and apps alone.
    self.isKnown = isKnown ? true : try source.hasSpend(of: query)
    self.isLeftOut = isLeftOut && self.isKnown
    self.deliveries = deliveries
    totalDelivery = total
    self.unmatched = unmatched.amounts
    // Spend of several rows has nothing that was probably meant.
    unmatchedRows = collection.sorted(received ?? ReceivedCampaigns([]), names)
  }
}

extension CampaignDimension {
  var isOfSpend: Bool { self == .app || self == .network || self == .campaign || isOfDays }
}

extension CampaignCondition {
  /// Whether spend counts; where it names no app, it is of any.
  func admits(_ paid: SpendRow, digits: String?, kept: Int?) -> Bool {
    switch dimension {
    case .app: paid.app.map { admits("\($0)") } ?? true
    case .campaign: admits(digits.map { String($0.suffix(kept ?? 4)) } ?? paid.campaign)
    case .network: admits(paid.network)
    default: dimension.value(on: paid.day).map { admits($0.text) } ?? true
    }
  }
}

package struct Efficiency: Sendable {
  let currency: CurrencyCode
  package let spend: Amount
  /// Spend for each winning first install.
  package let costPerInstall: Amount?
  /// Revenue by spend; `nil` where nothing was spent or no revenue of this currency is known.
  let low: Amount?
  package let representative: Amount?
  let high: Amount?
  /// Spend for a thousand impressions, and for a click, of the spend that has such a figure.
  let costPerMille: Amount?
  let costPerClick: Amount?

  /// - Parameters:
  ///   - isWhole: Whether nothing was paid in other currencies; only then the costs are all of them.
  ///   - tally: What the values come to.
  private init(
    _ currency: CurrencyCode, _ spend: Amount, isWhole: Bool, _ tally: RevenueTally, _ counts: CampaignCounts,
    _ delivery: AdDelivery
  ) {
    costPerMille = isWhole ? delivery.cost(of: 1000, \.impressions, in: currency) : nil
    costPerClick = isWhole ? delivery.cost(of: 1, \.clicks, in: currency) : nil
    self.currency = currency
    self.spend = spend
    costPerInstall = isWhole ? spend.each(of: counts.installs) : nil
    let revenue = isWhole ? tally.money[currency] : nil
    func ratio(_ amount: Amount?) -> Amount? {
      guard let amount, spend > .zero else { return nil }
      return Amount(rounding: Double(amount.micros) / Double(spend.micros))
    }
    low = ratio(revenue?.low)
    representative = ratio(revenue?.representative)
    high = revenue.map { $0.openEnded > 0 ? nil : ratio($0.high) } ?? nil
  }

  static func all(
    _ delivery: AdDelivery, _ tally: RevenueTally, _ counts: CampaignCounts
  ) -> [Self] {
    delivery.parts.map {
      Self($0.currency, $0.paid, isWhole: delivery.parts.count == 1, tally, counts, delivery)
    }
  }
}
