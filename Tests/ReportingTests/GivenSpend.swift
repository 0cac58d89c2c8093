import Campaigns
import Ledger

/// Spend that is held.
struct GivenSpend: SpendSource {
  let rows: [SpendRow]

  func forEachSpend(of query: CampaignQuery, _ body: (SpendRow) -> Bool) {
    for row in rows where !body(row) { return }
  }

  func hasSpend(of query: CampaignQuery) -> Bool { !rows.isEmpty }
}
