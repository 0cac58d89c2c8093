import Foundation
@testable import Ledger
import Postbacks
import Testing
import Values
@_spi(Unsigned) import Verification

/// A database file of its own for each test, gone with it.
final class ScratchDatabase {
  let folder: URL
  var path: String { folder.appending(path: "skan.db").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "skan-ledger-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// Noon of 2026-11-21, UTC.
let noon = Instant(seconds: 1_795_262_400)

/// A value that the test's author knows to be there.
func known<Value>(_ value: Value?) -> Value {
  guard let value else { preconditionFailure("The fixture's own data are wrong.") }
  return value
}

/// A valid receipt; every part can be set.
func valid(
  _ id: String, value: ConversionValue = .fine(known(FineValue(7))), at time: Instant = noon,
  origin: Origin = Origin(.advertiserCopy), network: String = "example123.skadnetwork",
  app: Int64 = 525_463_029,
  campaign: String = "5239", version: ProtocolVersion = .v4_0, window: ConversionWindow = .first,
  outcome: Outcome = .install, country: String? = nil, body: String? = nil
) -> Receipt {
  let attested = AttestedFacts(
    version: version, network: known(AdNetworkID(network)), advertisedApp: known(AppID(app)),
    campaign: version.hasWindows
      ? .sourceIdentifier(known(SourceIdentifier(campaign)))
      : .campaignID(known(Int64(campaign).flatMap { CampaignID($0) })),
    id: id, window: window, outcome: outcome, interaction: .click, publisher: .undisclosed)
  let claimed = ClaimedFacts(value: value, interaction: nil, country: country)
  let text = body ?? "\(id) \(window) \(value) \(country ?? "-")"
  return Receipt(
    arrival: Arrival(receivedAt: time, origin: origin, quotaSource: "s", body: Array(text.utf8)),
    finding: .valid(.unsigned(attested: attested, claimed: claimed)))
}

/// A receipt of an unverified postback.
func rejected(
  _ id: String?, source: String = "s", at time: Instant = noon, state: Rejection.State = .invalid
) -> Receipt {
  Receipt(
    arrival: Arrival(
      receivedAt: time, origin: Origin(.advertiserCopy), quotaSource: source,
      body: Array("forged \(id ?? "")".utf8)),
    finding: .rejected(Rejection(state: state, reason: "signature-mismatch", identifier: id)))
}

/// Campaign totals of the test environment.
func totals(_ path: String, dimensions: [CampaignDimension] = [], digits: Int? = nil) throws -> [CampaignRow]
{
  try LedgerReader(path: path).campaigns(
    CampaignQuery(environment: .test, dimensions: dimensions, digits: digits))
}
