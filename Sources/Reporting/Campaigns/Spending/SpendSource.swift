package import Ledger

/// Where spend comes from, one row after the other: there can be more than memory should hold.
package protocol SpendSource {
  associatedtype Failure: Error

  /// Gives the spend of a question's days and environment in the order of its days, until the body returns false.
  func forEachSpend(of query: CampaignQuery, _ body: (SpendRow) -> Bool) throws(Failure)
}

extension LedgerReader: SpendSource {
  package typealias Failure = LedgerError

  package func forEachSpend(of query: CampaignQuery, _ body: (SpendRow) -> Bool) throws(LedgerError) {
    try forEachSpend(
      SpendSelection(from: query.from, to: query.to, environment: query.environment), body)
  }
}
