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
  package let rows: [[CurrencyCode: Amount]]
  let deliveries: [AdDelivery]
  /// What was delivered for all spend, that of no row too.
  let totalDelivery: AdDelivery
  /// Spend that belongs to no row, or to several, by currency.
  package let unmatched: [CurrencyCode: Amount]
  /// The same by network and campaign, each with the reason and what was probably meant; none where it is not listed.
  let unmatchedRows: [Unmatched]
  /// All spend, that of no row too.
  package let total: [CurrencyCode: Amount]
  let currencies: [CurrencyCode]

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
    let hasOtherConditions = query.conditions.contains { !$0.dimension.isOfSpend }
    var isKnown = false
    var sums = [[CurrencyCode: Amount]](repeating: [:], count: rows.count)
    var deliveries = [AdDelivery](repeating: AdDelivery(), count: rows.count)
    var totalDelivery = AdDelivery()
    var unmatched: [CurrencyCode: Amount] = [:]
    var total: [CurrencyCode: Amount] = [:]
    var collection = UnmatchedCollection()
    var received: ReceivedCampaigns?
    let wideQuery = wide == nil ? query : NamedRows.query(query)
    var index = SpendIndex(rows, labels: labels, for: query)
    let networks = Set(query.networks.map(\.canonical))
    let apps = Set(query.apps.map(\.number))
    try source.forEachSpend(of: query) { paid in
      isKnown = true
      guard !hasOtherConditions else { return false }
      guard networks.isEmpty || networks.contains(paid.network) else { return true }
      if let app = paid.app, !apps.isEmpty, !apps.contains(app) { return true }
      let digits = names.digits(of: paid.campaign, network: paid.network, app: paid.app, on: paid.day)
      let match = naming.isEmpty ? .unknown : names.match(paid)
      guard naming.admits(match),
        query.conditions.allSatisfy({ $0.admits(paid, digits: digits, kept: query.digits) }),
        let own = CurrencyCode(paid.currency)
      else { return true }
      var money = (currency: own, amount: Amount(micros: paid.micros))
      if let currency, let converted = rates.convert(money.amount, from: own, to: currency, on: paid.day) {
        money = (currency, converted)
      }
      // A name that is not in force is no campaign's: the row without a name is for digits without a name.
      let isNoCampaign = digits == nil && match == .unknown && !naming.dimensions.isEmpty
      let label = naming.dimensions.isEmpty ? nil : CampaignLabel(match, naming.dimensions)
      let fitting = isNoCampaign ? .no : index.rows(for: paid, digits: digits, label: label)
      if case .one(let row) = fitting {
        onMatch(paid, row, money.currency, money.amount)
        Self.add(money.amount, of: money.currency, to: &sums[row])
        deliveries[row].add(paid, for: money.amount, money.currency)
      } else {
        Self.add(money.amount, of: money.currency, to: &unmatched)
        if listsUnmatched {
          var reason = Unmatched.Reason.severalRows
          if case .no = fitting {
            let all = received ?? ReceivedCampaigns(wide ?? Array(rows))
            received = all
            reason = all.reason(
              against: paid, digits, names, wideQuery, isByName: !naming.dimensions.isEmpty)
          }
          collection.add(
            Unmatched.Key(
              network: paid.network, campaign: paid.campaign, currency: money.currency, app: paid.app,
              reason: reason),
            paid.day...paid.day, money.amount)
        }
      }
      totalDelivery.add(paid, for: money.amount, money.currency)
      Self.add(money.amount, of: money.currency, to: &total)
      return true
    }
    self.isKnown = isKnown
    isLeftOut = isKnown && hasOtherConditions
    self.rows = sums
    self.deliveries = deliveries
    self.totalDelivery = totalDelivery
    self.unmatched = unmatched
    // Spend of several rows has nothing that was probably meant.
    unmatchedRows = collection.sorted(received ?? ReceivedCampaigns([]), names)
    self.total = total
    currencies = total.keys.ordered { $0.text < $1.text }
  }

  private static func add(
    _ amount: Amount, of currency: CurrencyCode, to sums: inout [CurrencyCode: Amount]
  ) {
    sums[currency] = (sums[currency] ?? .zero).adding(amount).sum
  }
}

extension CampaignDimension {
  var isOfSpend: Bool { self == .app || self == .network || self == .campaign || isOfDays }
}

extension CampaignCondition {
  /// Whether spend counts; where it names no app, it is of any.
  fileprivate func admits(_ paid: SpendRow, digits: String?, kept: Int?) -> Bool {
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
    _ spend: [CurrencyCode: Amount], _ tally: RevenueTally, _ counts: CampaignCounts, _ delivery: AdDelivery
  ) -> [Self] {
    spend.sorted { $0.key.text < $1.key.text }.map {
      Self($0.key, $0.value, isWhole: spend.count == 1, tally, counts, delivery)
    }
  }
}
