import Ledger
import Values

/// What one or several rows of a campaign report come to.
///
/// It is a class, because lines of a report are sorted and copied, and its cells ask for figures a hundred times a line.
final class CampaignFigures: Sendable {
  let counts: CampaignCounts
  let tally: RevenueTally
  /// What the tally adds to a sum of rows: without what an earlier window's holds already, where rows are by window.
  let addedTally: RevenueTally
  let delivery: AdDelivery
  /// What spend and revenue come to, by currency.
  let efficiency: [Efficiency]

  static let none = CampaignFigures(.zero, RevenueTally(), AdDelivery())

  init(
    _ counts: CampaignCounts, _ tally: RevenueTally, adding addedTally: RevenueTally? = nil,
    _ delivery: AdDelivery
  ) {
    self.counts = counts
    self.tally = tally
    self.addedTally = addedTally ?? tally
    self.delivery = delivery
    efficiency = Efficiency.all(delivery, tally, counts)
  }

  /// Adds up several; costs and returns are those of the sums.
  ///
  /// If all are of one window, no money is in two of them.
  convenience init(sumOf parts: some Sequence<CampaignFigures>, areOfOneWindow: Bool = false) {
    var (counts, delivery) = (CampaignCounts.zero, AdDelivery())
    var (tally, addedTally) = (RevenueTally(), RevenueTally())
    for part in parts {
      counts += part.counts
      tally.add(areOfOneWindow ? part.tally : part.addedTally)
      addedTally.add(part.addedTally)
      delivery.add(part.delivery)
    }
    self.init(counts, tally, adding: addedTally, delivery)
  }

  func efficiency(_ currency: CurrencyCode) -> Efficiency? { efficiency.first { $0.currency == currency } }

  func revenue(_ currency: CurrencyCode) -> RevenueTally.Sum? { tally.money[currency] }
}
