import Campaigns
import Ledger
import Postbacks
import Values

/// What was paid for the rows of estimates; where rows are of install dates, by the day it was paid for.
struct EstimateSpend {
  /// The spend of a row that its installs can be compared with.
  struct Compared {
    fileprivate(set) var amounts: [CurrencyCode: Amount] = [:]
    /// The first and the last day on which something was paid.
    fileprivate(set) var days: ClosedRange<Day>?
    /// Whether less than 95 % of the postbacks of such a day are expected to have arrived.
    fileprivate(set) var isIncomplete = false
    /// Spend of days that no postbacks have arrived of, while they can still come.
    fileprivate(set) var awaited: [CurrencyCode: Amount] = [:]

    fileprivate mutating func add(
      _ amount: Amount, of currency: CurrencyCode, on day: Day, isIncomplete: Bool
    ) {
      amounts[currency] = (amounts[currency] ?? .zero).adding(amount).sum
      days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
      self.isIncomplete = self.isIncomplete || isIncomplete
    }

    fileprivate mutating func addAwaited(_ amount: Amount, of currency: CurrencyCode) {
      awaited[currency] = (awaited[currency] ?? .zero).adding(amount).sum
    }
  }

  private(set) var sums: [EstimateGroup: [CurrencyCode: Amount]] = [:]
  /// Spend that belongs to no row, or to several.
  private(set) var unmatched: [CurrencyCode: Amount] = [:]
  /// All of it, that of no row too.
  private(set) var total: [CurrencyCode: Amount] = [:]
  /// What can be compared of it, by row.
  private(set) var compared: [EstimateGroup: Compared] = [:]
  /// What can be compared of all of it.
  private(set) var comparedTotal = Compared()
  /// What belongs to each of several totals, in its own currency, where the amounts of each app are all in one of them;
  /// `nil` where a total is the only one, or apps are in several.
  private(set) var ofTotals: [EstimateParts.Measure: (paid: Amount, compared: Compared)]?
  /// The first day with compared spend of which less than 95 % of the postbacks are expected to have arrived.
  private(set) var firstIncompleteDay: Day?

  /// Gives each piece of spend to the one row that it fits; nothing where the cells know of none.
  ///
  /// - Parameters:
  ///   - apps: The apps that rows are of.
  ///   - names: The names that spend files may use.
  ///   - rates: Exchange rates, for the currency that was asked for.
  ///   - cells: The installs.
  ///   - paid: What is known of the spend for them; `nil` for nothing.
  ///   - measures: What the amounts of each app are in.
  init(
    _ spend: HeldSpend?, for report: EstimateReport, groups: Set<EstimateGroup>, of apps: [AppID],
    names: CampaignNames, rates: ExchangeRates, cells: InstallCells, _ paid: PaidDays?,
    measures: [AppID: Set<EstimateParts.Measure>]
  ) {
    guard let spend, let paid else { return }
    let groups = Array(groups)
    var dimensions: [CampaignDimension] = []
    for dimension in report.by.flatMap(\.stored) where !dimensions.contains(dimension) {
      dimensions.append(dimension)
    }
    let named = report.by.ofNames
    // A row that is of no campaign would take the spend of apps that have no estimate.
    let isByCampaign = report.by.contains(.campaign)
    let query = report.spendQuery(
      by: dimensions, of: isByCampaign || !report.scope.apps.isEmpty ? report.scope.apps : apps,
      networks: report.scope.networks)
    let spending = Spending(
      spend, for: query, rows: groups.map { $0.row(by: report.by) },
      labels: named.isEmpty ? [] : groups.map { $0.traits?.label ?? .none },
      by: CampaignNaming(order: named.map { .named($0) }, conditions: []), names: names, rates: rates,
      into: report.currency)
    sums = Dictionary(
      zip(groups, spending.rows).filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
    unmatched = spending.unmatched
    total = spending.total
    let single = measures.compactMapValues { $0.count == 1 ? $0.first : nil }
    if single.count == measures.count, Set(single.values).count > 1 {
      divide(spend, report, apps: single, names: names, rates: rates)
    }
    compare(paid, report, names, cells, apps: single)
  }

  /// Divides all spend among several totals by the app that it is of.
  private mutating func divide(
    _ spend: HeldSpend, _ report: EstimateReport, apps: [AppID: EstimateParts.Measure],
    names: CampaignNames, rates: ExchangeRates
  ) {
    let known = apps.keys.sorted { $0.number < $1.number }
    let query = report.spendQuery(by: [.app], of: known, networks: report.scope.networks)
    let spending = Spending(
      spend, for: query, rows: known.map { CampaignRow(uncounted: nil, app: $0, network: nil) },
      names: names, rates: rates, into: report.currency)
    var sums: [EstimateParts.Measure: (paid: Amount, compared: Compared)] = [:]
    for (app, amounts) in zip(known, spending.rows) {
      guard let measure = apps[app] else { continue }
      let own = measure.currency.flatMap { amounts[$0] } ?? .zero
      let sum = sums[measure] ?? (.zero, Compared())
      sums[measure] = (sum.paid.adding(own).sum, sum.compared)
    }
    ofTotals = sums
  }

  /// What a total has: its own, and what belongs to none of them where it is the first of its currency, or of all.
  func paid(_ measure: EstimateParts.Measure, among all: [EstimateParts.Measure]) -> [CurrencyCode: Amount] {
    guard let ofTotals else { return total }
    var left = total
    for (measure, own) in ofTotals {
      guard let currency = measure.currency else { continue }
      left[currency] = (left[currency] ?? .zero).subtracting(own.paid)
    }
    var found = left.filter { currency, amount in
      amount != .zero && measure == (all.first { $0.currency == currency } ?? all.first)
    }
    if let currency = measure.currency, let own = ofTotals[measure]?.paid, own != .zero {
      found[currency] = (found[currency] ?? .zero).adding(own).sum
    }
    return found
  }

  /// Adds up the spend of the campaigns and days whose installs are known.
  private mutating func compare(
    _ paidDays: PaidDays, _ report: EstimateReport, _ names: CampaignNames, _ cells: InstallCells,
    apps: [AppID: EstimateParts.Measure]
  ) {
    for (campaign, amounts) in paidDays.amounts where report.isShown(campaign) {
      for paid in amounts {
        let day = paid.day
        let isIncomplete = cells.completeness[campaign.app]?[day] ?? 0 < InstallCells.arrivedShare
        let group = report.group(of: campaign, on: day, names)
        switch cells.spendState(of: campaign, on: day, paidDays) {
        case .paid(let currency):
          guard paid.currency == currency else { continue }
          if isIncomplete { firstIncompleteDay = min(firstIncompleteDay ?? day, day) }
          compared[group, default: Compared()].add(
            paid.amount, of: currency, on: day, isIncomplete: isIncomplete)
          comparedTotal.add(paid.amount, of: currency, on: day, isIncomplete: isIncomplete)
          if ofTotals != nil, let measure = apps[campaign.app] {
            ofTotals?[measure]?.compared.add(paid.amount, of: currency, on: day, isIncomplete: isIncomplete)
          }
        case .unknown:
          guard isIncomplete, let known = cells.knownDays[campaign.app], day > known.upperBound else {
            continue
          }
          compared[group, default: Compared()].addAwaited(paid.amount, of: paid.currency)
          comparedTotal.addAwaited(paid.amount, of: paid.currency)
          if ofTotals != nil, let measure = apps[campaign.app] {
            ofTotals?[measure]?.compared.addAwaited(paid.amount, of: paid.currency)
          }
        case .nothing, .several: continue
        }
      }
    }
  }
}

extension EstimateReport {
  /// The question that spend is asked for rows of some dimensions.
  func spendQuery(
    by dimensions: [CampaignDimension], of apps: [AppID] = [], networks: [AdNetworkID] = []
  ) -> CampaignQuery {
    CampaignQuery(
      environment: scope.environment, from: period.from, to: period.to, apps: apps, networks: networks,
      dimensions: dimensions, digits: digits)
  }
}

extension ExchangeRates {
  /// What one unit of a currency is worth in another one; `nil` without a rate.
  func factor(from currency: CurrencyCode, to quote: CurrencyCode, on day: Day) -> Double? {
    let many = Amount(micros: 1_000_000_000_000)
    return convert(many, from: currency, to: quote, on: day).map { Double($0.micros) / Double(many.micros) }
  }
}
