package import Ledger
package import Postbacks
package import Tables
package import Values

// What a line shows of its row and figures.

extension CampaignTable.Line {
  package var app: AppID? { found(\.app) }
  package var network: String? { found(\.network) }
  /// The digits of its campaign.
  package var digits: String? { found { $0.campaign?.text } }
  /// Its word for a dimension, as the report writes it.
  package func word(_ dimension: CampaignDimension) -> String? { found { $0[dimension]?.text } }
  package var place: CampaignPlace {
    CampaignPlace(
      app: app, network: network, digits: digits, name: called(.name), candidates: name.candidates)
  }

  /// What its campaign is called, or all of its campaigns where names distinguish rows.
  package func called(_ dimension: NameDimension) -> String? { named?.word(dimension) ?? label[dimension] }

  /// Winning postbacks without a value, of all winning ones.
  package var nullShare: Share? { Share(counts.valueNull, of: counts.winners) }

  /// The currencies that any line of its table has revenue in.
  package var currencies: [CurrencyCode] { table.currencies }

  package func revenue(_ currency: CurrencyCode) -> RevenueTally.Sum? { figures.revenue(currency) }

  /// The currencies that anything was paid in for its table.
  package var paidCurrencies: [CurrencyCode] { table.spending.currencies }

  /// What was paid in a currency, and what came of it.
  package func efficiency(_ currency: CurrencyCode) -> Efficiency? { figures.efficiency(currency) }
}
