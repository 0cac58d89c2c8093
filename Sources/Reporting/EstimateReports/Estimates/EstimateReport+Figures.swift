package import Campaigns
import Estimates
import Ledger
package import Postbacks
package import Tables
package import Values

// What a row shows of its sum, rounded as its columns have it.

extension EstimateReport.Row {
  package var app: AppID? { group.app }
  package var network: String? { group.network }
  /// The digits of its campaign; `nil` for several campaigns.
  package var digits: String? { campaign?.campaign }
  package var outcome: Outcome? { group.traits?.outcome }
  /// What its postbacks show of a publisher; `nil` where they show none.
  package var publisher: String? { group.traits?.shown?.publisher }
  /// What its postbacks show of a country; `nil` where they show none.
  package var country: String? { group.traits?.shown?.country }
  package var place: CampaignPlace {
    CampaignPlace(app: app, network: network, digits: digits, name: calledName, candidates: name.candidates)
  }
  /// The share of the date's first postbacks that is expected to have arrived by now; of several dates the smallest.
  package var arrived: Share? { completeness.map { Share($0) } }
  /// Winning first postbacks that are first installs.
  package var installs: Double { sum.firstInstalls }
  /// Winning first postbacks: installs, redownloads and re-engagements.
  package var conversions: Double { sum.installs }
  /// Compared spend for each of the installs that it is compared with; `nil` where there is none of either.
  package var costPerInstall: Amount? { compared?.costPerInstall.flatMap { Amount(rounding: $0) } }
  package var nullShare: Share? { sum.nullShare.map { Share($0) } }

  /// A figure up to the horizon; `nil` where all postbacks are left out, because that is no 0.
  func figure<Value>(_ value: (Self) -> Value?) -> Value? { sum.installs > 0 ? value(self) : nil }

  package var decodedRevenue: Amount? { figure { Amount(rounding: $0.sum.decoded) } }
  /// The revenue with withheld values estimated; `nil` if all of a campaign's values are withheld.
  package var estimatedRevenue: Amount? { figure { Amount(rounding: $0.sum.estimate) } }
  /// Its 90 % interval.
  package var estimatedRevenueInterval: Bounds<Amount>? { amounts(sum.interval) }
  /// The share of the estimate that withheld values make up; `nil` if the estimate is below what is decoded.
  package var estimatedShare: Share? {
    figure { $0.sum.imputedShare.flatMap { $0 < 0 ? nil : Share($0) } }
  }
  /// The revenue if postbacks that do not show a publisher or country are shared out like those that do.
  package var sharedRevenue: Amount? { figure { Amount(rounding: $0.shared) } }
  /// It with none through all of the postbacks that do not show it.
  package var sharedRevenueRange: Bounds<Amount>? { amounts(possible) }
  /// Revenue by spend, of what has both.
  package var returns: Ratio? { figure { $0.compared?.value.flatMap { Ratio($0) } } }
  /// Its 90 % interval.
  package var returnsInterval: Bounds<Ratio>? {
    figure { $0.compared?.interval.map { Bounds(Ratio($0.low), Ratio($0.high)) } }
  }
  /// The spend that the return is of.
  package var comparedSpend: Amount { (spend ?? .zero).subtracting(uncomparedSpend ?? .zero) }

  private func amounts(_ interval: Interval?) -> Bounds<Amount>? {
    figure { _ in interval.map { Bounds(Amount(rounding: $0.low), Amount(rounding: $0.high)) } }
  }

  func perConversion(_ sum: Double?) -> Double? { sum.map { $0 / self.sum.installs } }
}

extension EstimateReport {
  /// Days after the install by which most first postbacks have come: Apple sends them after two days and one to two more.
  package static let daysToArrive: Int32 = 5
  /// A longer time until a verdict is not stated: no campaign goes on as it is for so long.
  static let mostDaysToDecide = 365.0
}

extension EstimateReport.Row {
  /// About how many days it takes until the return is surely above or below its target, if the days to come are like
  /// those with spend; `nil` where it is decided, and where it would take more than a year or own users leave open too
  /// much of what values are worth.
  package var daysToDecide: Int? {
    guard verdict == .undecided, let compared, let paidDays = compared.days, let today else { return nil }
    let spend = Double(compared.spend.micros) / 1e6
    guard let times = compared.sum.timesToDecide(target.ratio * spend) else { return nil }
    let days = Double(paidDays.upperBound.number - paidDays.lowerBound.number + 1)
    // What installs on one more day is known when its postbacks have arrived.
    let more = times > 1 ? days * (times - 1) : 0
    let toArrive = Double(
      max(0, paidDays.upperBound.number + EstimateReport.daysToArrive - today.number))
    let wait = max(1, toArrive) + more.rounded(.up)
    return wait <= EstimateReport.mostDaysToDecide ? Int(wait) : nil
  }
}
