import Campaigns
import Estimates
import Ledger
import Postbacks
import Values

/// The campaigns that something was paid for, as far as the spend states it.
///
/// A return of several campaigns is too high where some of them have no spend: their revenue counts, and what it cost does not.
struct PaidCampaigns {
  private let campaigns: Set<EstimatedCampaign>
  /// Networks with spend that fits no single campaign, so that it may be of any.
  private let networks: Set<String>

  /// `nil` where nothing was paid, or where no return is asked for.
  init?(
    _ spend: [SpendRow], of estimated: Set<EstimatedCampaign>, for report: EstimateReport, apps: [AppID],
    names: CampaignNames
  ) {
    // Spend of other apps may be of a network's campaigns without one of these being paid for.
    let own = Set(estimated.map(\.app.number))
    let paid = spend.filter { $0.micros > 0 && ($0.app.map(own.contains) ?? true) }
    guard !paid.isEmpty else { return nil }
    var question = EstimateReport()
    question.scope = report.scope
    question.digits = report.digits
    let groups = estimated.map { EstimateGroup($0, Day(number: 0), by: question.by) }
    let found = EstimateSpend(
      paid, for: question, groups: Set(groups), of: apps, names: names, rates: ExchangeRates([]),
      completeness: [:])
    campaigns = Set(found.sums.keys.compactMap(\.campaign))
    networks = found.unmatchedNetworks
  }

  func contains(_ campaign: EstimatedCampaign) -> Bool {
    campaigns.contains(campaign.whole) || networks.contains(campaign.network)
  }
}

extension EstimateReport {
  /// What rows have where campaigns without spend are in their return.
  package static let unpaidFlag = "unpaid-campaigns"
}

extension EstimateReport.Row {
  /// Whether spend is compared with the revenue of campaigns too that have none.
  var hasUnpaidCampaigns: Bool {
    (wholeSpend ?? .zero) > .zero && unpaid > EstimateReport.notableShare * sum.installs
  }
}
