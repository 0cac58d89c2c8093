import Campaigns
import Ledger
import Markup
import Pages
import Routing

extension PageAddress {
  /// A link that compares the network of a row with the largest other one of the rows; nothing where there is none.
  func comparison(
    of row: CampaignTable.Line, among rows: [CampaignTable.Line], _ context: ScreenContext
  ) -> HTML {
    // Viewers of some apps or networks have no page of experiments.
    guard context.viewer.limit.isNone, let network = row.network,
      let other = rows.filter({ $0.network.map { $0 != network } ?? false })
        .max(by: { $0.counts.postbacks < $1.counts.postbacks }), let second = other.network
    else { return "" }
    let target = moved(
      to: Self.experimentsPath, keeping: DaySpan.names.union(["app", "environment", "lang"])
    ).with("a", network).with("b", second)
    let name = context.called.shortNetwork(second)
    return "<a class=\"xs\" href=\"\(target.text)\">\(context.texts.experimentCompareWith(name: name))</a>"
  }
}
