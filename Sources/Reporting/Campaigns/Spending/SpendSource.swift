package import Ledger

/// Where spend comes from, one row after the other: there can be more than memory should hold.
package protocol SpendSource {
  associatedtype Failure: Error

  /// Gives the spend of a question's days and environment in the order of its days, until the body returns false.
  ///
  /// It can leave out what is not of the question's networks and apps.
  func forEachSpend(of query: CampaignQuery, _ body: (SpendRow) -> Bool) throws(Failure)

  /// Whether there is any in the question's days and environment, of whatever network and app.
  func hasSpend(of query: CampaignQuery) throws(Failure) -> Bool
}

extension LedgerReader: SpendSource {
  package typealias Failure = LedgerError

  package func forEachSpend(of query: CampaignQuery, _ body: (SpendRow) -> Bool) throws(LedgerError) {
    try forEachSpend(
      SpendSelection(
        from: query.from, to: query.to, apps: query.apps, orOfNoApp: true, networks: query.networks,
        environment: query.environment), body)
  }

  package func hasSpend(of query: CampaignQuery) throws(LedgerError) -> Bool {
    try hasSpend(from: query.from, to: query.to, of: [query.environment])
  }
}
