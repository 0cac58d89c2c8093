import Ledger
import Postbacks

extension CampaignTable.Line {
  /// The same with the name that networks sent for its campaign, where it has no imported one.
  func named(by sent: RecentSentNames) -> Self {
    let apps = table.query.apps
    guard case .unknown = name, let row, let network = row.network, let digits = row.campaign?.text,
      let found = sent.name(
        network: network, digits: digits,
        app: row.app?.number ?? (apps.count == 1 ? apps.first?.number : nil))
    else { return self }
    var line = self
    line.change { $0.sentName = found }
    return line
  }
}
