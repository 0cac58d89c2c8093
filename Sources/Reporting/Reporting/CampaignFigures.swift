import Ledger
import Values

/// What one or several rows of a campaign report come to.
struct CampaignFigures: Sendable {
  let counts: CampaignCounts
  let tally: RevenueTally
  let spend: [CurrencyCode: Amount]
  let delivery: AdDelivery
  /// What spend and revenue come to, by currency.
  let efficiency: [Efficiency]

  /// Nothing.
  static let none = Self(.zero, RevenueTally(), [:], AdDelivery())

  init(
    _ counts: CampaignCounts, _ tally: RevenueTally, _ spend: [CurrencyCode: Amount], _ delivery: AdDelivery
  ) {
    self.counts = counts
    self.tally = tally
    self.spend = spend
    self.delivery = delivery
    efficiency = Efficiency.all(spend, tally, counts, delivery)
  }

  /// Adds up several; costs and returns are those of the sums.
  init(sumOf parts: some Sequence<Self>) {
    var (counts, tally, delivery) = (CampaignCounts.zero, RevenueTally(), AdDelivery())
    var spend: [CurrencyCode: Amount] = [:]
    for part in parts {
      counts += part.counts
      tally.add(part.tally)
      delivery.add(part.delivery)
      for (currency, amount) in part.spend {
        spend[currency] = (spend[currency] ?? .zero).adding(amount).sum
      }
    }
    self.init(counts, tally, spend, delivery)
  }

  func efficiency(_ currency: String) -> Efficiency? { efficiency.first { $0.currency.text == currency } }

  func revenue(_ currency: String) -> RevenueTally.Sum? { CurrencyCode(currency).flatMap { tally.money[$0] } }
}
