import Ledger
import Postbacks

extension CampaignTable.Line {
  /// The same with the name that networks sent for its campaign, where it has no imported one.
  func named(by sent: RecentSentNames) -> Self {
    guard case .unknown = name, let row, let network = row.network, let digits = row.campaign?.text,
      let app = row.app, let found = sent.name(network: network, digits: digits, apps: [app.number])
    else { return self }
    var line = self
    line.change { $0.sentName = found }
    return line
  }
}
