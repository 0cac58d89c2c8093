package import Campaigns
package import Ledger
package import Postbacks
package import Values

/// Compares imported rows with what came, so that a slip in a file shows at its import.
package struct ImportCheck {
  /// Campaigns without postbacks that are listed; the search for what was meant takes time for each.
  private static let mostUnmatched = 10_000

  private let received: ReceivedCampaigns
  private let names: CampaignNames

  package init(_ reader: LedgerReader, _ environments: [Environment] = Environment.allCases)
    throws(LedgerError)
  {
    var rows: [CampaignRow] = []
    for environment in environments {
      rows += try reader.campaigns(CampaignQuery(environment: environment), decodingFor: []) { _, _ in }.rows
    }
    received = ReceivedCampaigns(rows)
    names = try CampaignNames.of(reader)
  }

  /// Rows that no postbacks belong to; none as long as nothing came at all.
  ///
  /// - Parameter collect: Adds those of some rows to a collection.
  package func unmatched<Row: ReferenceRow>(
    _ rows: GatheredRows<Row>, _ collect: (Self, [Row], inout UnmatchedCollection) -> Void
  ) throws -> [Unmatched] {
    guard !received.isEmpty else { return [] }
    var collection = UnmatchedCollection(most: Self.mostUnmatched)
    try rows.forEachChunk { collect(self, $0, &collection) }
    return collection.sorted(received, names)
  }

  /// Adds spend that no postbacks belong to.
  package func collect(_ rows: [SpendRow], in collection: inout UnmatchedCollection) {
    for row in rows {
      let digits = names.digits(of: row.campaign, network: row.network, app: row.app, on: row.day)
      guard let reason = reason(row.network, row.campaign, digits, row.app, row.day) else { continue }
      collection.add(
        Unmatched.Key(
          network: row.network, campaign: row.campaign, currency: CurrencyCode(row.currency), app: row.app,
          reason: reason), row.day...row.day, Amount(micros: row.micros))
    }
  }

  /// Adds names of networks and campaigns without postbacks.
  package func collect(_ rows: [CampaignNameRow], in collection: inout UnmatchedCollection) {
    // An app without postbacks can be named before they come, and has nothing that it could be mistaken for.
    for row in rows where !row.namesApp {
      let reason: Unmatched.Reason
      if !received.has(network: row.network) {
        reason = .unknownNetwork
      } else if !row.campaign.isEmpty, !received.fits(row.campaign, row.network) {
        reason = .unknownCampaign
      } else if !row.campaign.isEmpty, !received.fits(row.campaign, row.network, app: row.app) {
        reason = .otherApp
      } else {
        continue
      }
      collection.add(
        Unmatched.Key(
          network: row.network, campaign: row.campaign, app: row.app, reason: reason),
        row.from...row.from)
    }
  }

  /// Adds totals of networks and campaigns without postbacks.
  package func collect(_ rows: [NetworkTotalRow], in collection: inout UnmatchedCollection) {
    for row in rows {
      let isWhole = row.campaign.isEmpty
      let digits = names.digits(of: row.campaign, network: row.network, app: nil, on: row.day)
      let reason =
        isWhole
        ? (received.has(network: row.network) ? nil : Unmatched.Reason.unknownNetwork)
        : self.reason(row.network, row.campaign, digits, nil, row.day)
      guard let reason else { continue }
      collection.add(
        Unmatched.Key(network: row.network, campaign: row.campaign, reason: reason),
        row.day...row.day)
    }
  }

  /// A sentence on each app that has no postbacks; none as long as nothing came at all.
  package func warnings(ofApps apps: Set<AppID>) -> [Sentence] {
    guard !received.isEmpty else { return [] }
    return Set(apps.map(\.number)).subtracting(received.apps).sorted().map {
      Sentence("app \(code: $0) has no postbacks")
    }
  }

  private func reason(
    _ network: String, _ campaign: String, _ digits: String?, _ app: Int64?, _ day: Day
  ) -> Unmatched.Reason? {
    guard received.has(network: network) else { return .unknownNetwork }
    guard let digits else {
      return names.campaigns(called: campaign, network: network, app: app, on: day).isEmpty
        ? .unknownName : .ambiguousName
    }
    guard let apps = received.apps(ofCampaign: digits, of: network) else { return .unknownCampaign }
    return app.map { apps.contains($0) } ?? true ? nil : .otherApp
  }
}
