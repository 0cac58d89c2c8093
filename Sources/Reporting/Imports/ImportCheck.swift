package import Campaigns
package import Ledger
package import Postbacks
import Values

/// Compares imported rows with what came, so that a slip in a file shows at its import.
package struct ImportCheck {
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
    names = CampaignNames(try reader.campaignNames())
  }

  /// Spend that no postbacks belong to; none as long as nothing came at all.
  package func unmatched(_ rows: [SpendRow]) -> [Unmatched] {
    guard !received.isEmpty else { return [] }
    var collection = UnmatchedCollection()
    for row in rows {
      let digits = names.digits(of: row.campaign, network: row.network, app: row.app, on: row.day)
      guard let reason = reason(row.network, row.campaign, digits, row.app, row.day) else { continue }
      collection.add(
        Unmatched.Key(
          network: row.network, campaign: row.campaign, app: row.app, currency: CurrencyCode(row.currency),
          reason: reason), row.day...row.day, Amount(micros: row.micros))
    }
    return collection.sorted(received, names)
  }

  /// Names of networks and campaigns without postbacks; none as long as nothing came at all.
  package func unmatched(_ rows: [CampaignNameRow]) -> [Unmatched] {
    guard !received.isEmpty else { return [] }
    var collection = UnmatchedCollection()
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
          network: row.network, campaign: row.campaign, app: row.app, currency: nil, reason: reason),
        row.from...row.from)
    }
    return collection.sorted(received, names)
  }

  /// Totals of networks and campaigns without postbacks; none as long as nothing came at all.
  package func unmatched(_ rows: [NetworkTotalRow]) -> [Unmatched] {
    guard !received.isEmpty else { return [] }
    var collection = UnmatchedCollection()
    for row in rows {
      let isWhole = row.campaign.isEmpty
      let digits = names.digits(of: row.campaign, network: row.network, app: nil, on: row.day)
      let reason =
        isWhole
        ? (received.has(network: row.network) ? nil : Unmatched.Reason.unknownNetwork)
        : self.reason(row.network, row.campaign, digits, nil, row.day)
      guard let reason else { continue }
      collection.add(
        Unmatched.Key(network: row.network, campaign: row.campaign, app: nil, currency: nil, reason: reason),
        row.day...row.day)
    }
    return collection.sorted(received, names)
  }

  /// A sentence on each app that has no postbacks; none as long as nothing came at all.
  package func warnings(ofApps apps: [AppID]) -> [String] {
    guard !received.isEmpty else { return [] }
    return Set(apps.map(\.number)).subtracting(received.apps).sorted().map {
      "app \($0) has no postbacks"
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
