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
