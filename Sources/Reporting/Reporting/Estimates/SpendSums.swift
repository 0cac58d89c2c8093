import Ledger
import Postbacks
import Values

/// What was paid in a period by campaign and currency.
struct SpendSums {
  private var sums: [String: Amount] = [:]
  private let names: CampaignNames

  init(_ rows: [SpendRow], _ names: CampaignNames) {
    self.names = names
    for row in rows {
      guard let digits = names.digits(of: row.campaign, network: row.network, app: row.app, on: row.day)
      else {
        continue
      }
      let key = Self.key(row.app, row.network, digits, row.currency)
      sums[key] = (sums[key] ?? .zero).adding(Amount(micros: row.micros)).sum
    }
  }

  subscript(place: CausesReport.Place, currency: CurrencyCode) -> Amount? {
    sums[Self.key(place.app.number, place.network, place.campaign.text, currency.text)]
      ?? sums[Self.key(nil, place.network, place.campaign.text, currency.text)]
  }

  private static func key(_ app: Int64?, _ network: String, _ campaign: String, _ currency: String) -> String
  {
    "\(app ?? 0) \(network) \(campaign) \(currency)"
  }
}
