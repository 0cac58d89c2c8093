import Campaigns
import Estimates
import Ledger
import Postbacks
import Values

/// What is known of the spend for each campaign's installs, by install day.
///
/// A day without a row of spend is not known; one with a row of 0 cost nothing. Spend that fits no campaign, or several, is
/// known of none.
struct PaidDays: Sendable {
  /// What spend states of a campaign's day.
  enum State: Hashable, Sendable {
    case unknown
    /// There are rows, and nothing was paid.
    case nothing
    case paid(CurrencyCode)
    /// Something was paid in several currencies, so that no revenue can be compared with it.
    case several
  }

  /// The spend of a campaign's day in a currency.
  struct Paid: Sendable {
    let currency: CurrencyCode
    fileprivate(set) var amount: Amount
    let day: Day
  }

  /// The spend of each campaign with any, in the order of its days.
  private(set) var amounts: [EstimatedCampaign: [Paid]] = [:]
  /// All days with spend of a campaign.
  private(set) var days: Set<Day> = []

  /// `nil` where no spend is known.
  ///
  /// - Parameter campaigns: All that have installs, whichever of them are asked for, so that spend which can be of several
  ///   is not taken for that of one.
  init?(
    _ spend: HeldSpend, of campaigns: Set<EstimatedCampaign>, for report: EstimateReport,
    names: CampaignNames, rates: ExchangeRates
  ) {
    let campaigns = Array(campaigns)
    let query = report.spendQuery(by: [.app, .network, .campaign])
    var found = [[Paid]](repeating: [], count: campaigns.count)
    var days: Set<Day> = []
    var lastDay: Day?
    let spending = Spending(
      spend, for: query,
      rows: campaigns.map { CampaignRow(uncounted: $0.number, app: $0.app, network: $0.network) },
      names: names, rates: rates, into: report.currency
    ) { row, place, currency, amount in
      if lastDay != row.day { days.insert(row.day) }
      lastDay = row.day
      var index = found[place].endIndex
      while index > 0, found[place][index - 1].day == row.day {
        index -= 1
        guard found[place][index].currency != currency else {
          found[place][index].amount = found[place][index].amount.adding(amount).sum
          return
        }
      }
      found[place].append(Paid(currency: currency, amount: amount, day: row.day))
    }
    guard spending.isKnown else { return nil }
    self.days = days
    for (campaign, amounts) in zip(campaigns, found) where !amounts.isEmpty {
      self.amounts[campaign] = amounts
    }
  }

  /// Whether spend is known of any day of a campaign.
  func isKnown(of campaign: EstimatedCampaign) -> Bool { amounts[campaign] != nil }

  func state(of campaign: EstimatedCampaign, on day: Day) -> State {
    guard let amounts = amounts[campaign] else { return .unknown }
    // The first of the day, by halving: the days of a campaign are asked for one after the other.
    var (low, high) = (0, amounts.count)
    while low < high {
      let middle = (low + high) / 2
      if amounts[middle].day < day { low = middle + 1 } else { high = middle }
    }
    let known = amounts[low...].prefix { $0.day == day }
    guard !known.isEmpty else { return .unknown }
    let paid = known.filter { $0.amount != .zero }
    guard let currency = paid.first?.currency else { return .nothing }
    return paid.count == 1 ? .paid(currency) : .several
  }
}

/// What a row's return is of: the installs of the campaigns and days that spend is known of, and that spend.
///
/// It is a class, because few of very many rows have one.
final class ComparedSpend: Sendable {
  let sum: EstimatedSum
  let spend: Amount
  /// The first and the last day on which something was paid.
  let days: ClosedRange<Day>?
  /// Whether postbacks of such days are still to come, so that the return can only rise.
  let isIncomplete: Bool

  init(_ sum: EstimatedSum, _ spend: Amount, days: ClosedRange<Day>?, isIncomplete: Bool) {
    (self.sum, self.spend, self.days, self.isIncomplete) = (sum, spend, days, isIncomplete)
  }

  /// An amount as a part of the spend; `nil` where nothing was paid.
  func ratio(_ revenue: Double) -> Double? {
    spend > .zero ? revenue / (Double(spend.micros) / 1e6) : nil
  }

  /// The return; `nil` without an estimate, or where nothing was paid.
  var value: Double? { sum.estimate.flatMap(ratio) }

  /// Its 90 % interval.
  ///
  /// - Complexity: Draws may have to be made for it.
  var interval: Interval? {
    guard spend > .zero, let revenue = sum.interval, let low = ratio(revenue.low),
      let high = ratio(revenue.high)
    else { return nil }
    return Interval(low: low, high: high)
  }

  /// Spend for each install.
  var costPerInstall: Double? {
    sum.firstInstalls > 0 ? Double(spend.micros) / 1e6 / sum.firstInstalls : nil
  }
}

extension EstimateReport.Row {
  /// Whether so much of its installs or spend is left out of its return that a reader has to know.
  var isOneSided: Bool {
    let installs = unpaidConversions.map { $0 > EstimateReport.notableShare * sum.installs } ?? false
    let spend = (uncomparedSpend ?? .zero) > awaitedSpend
    return installs || spend || hasForeignSpend
  }
}
