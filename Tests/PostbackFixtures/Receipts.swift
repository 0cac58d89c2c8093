public import Ledger
public import Postbacks
public import Values
@_spi(Unsigned) import Verification

/// Noon of 2026-11-21, UTC: the moment of tests that need only one.
public let noon = Instant(seconds: 1_795_262_400)

/// A value that the test's author knows to be there.
public func known<Value>(_ value: Value?) -> Value {
  guard let value else { preconditionFailure("The fixture's own data are wrong.") }
  return value
}

/// A fine value by its number, 0 through 63.
public func fine(_ number: Int) -> ConversionValue { .fine(known(FineValue(Int64(number)))) }

/// A valid receipt, as of a postback whose signature was checked; every part can be set.
///
/// - Parameters:
///   - campaign: A source identifier, or before SKAdNetwork 4 a campaign id.
///   - body: The bytes, which need not be a postback; by default they differ where id, window, value or country do.
public func valid(
  _ id: String, value: ConversionValue = fine(7), at time: Instant = noon,
  origin: Origin = Origin(.advertiserCopy), network: String = "example123.skadnetwork",
  app: Int64 = 525_463_029, campaign: String = "5239", version: ProtocolVersion = .v4_0,
  window: ConversionWindow = .first, outcome: Outcome = .install, interaction: AdInteraction? = .click,
  publisher: Publisher = .undisclosed, marketplace: String? = nil,
  claimedInteraction: AdInteraction? = nil, country: String? = nil, environment: Environment = .test,
  body: String? = nil
) -> Receipt {
  let attested = AttestedFacts(
    version: version, network: known(AdNetworkID(network)), advertisedApp: known(AppID(app)),
    campaign: version.hasWindows
      ? .sourceIdentifier(known(SourceIdentifier(campaign)))
      : .campaignID(known(Int64(campaign).flatMap { CampaignID($0) })),
    id: id, window: window, outcome: outcome, interaction: interaction, publisher: publisher,
    marketplace: marketplace)
  let claimed = ClaimedFacts(value: value, interaction: claimedInteraction, country: country)
  let text = body ?? "\(id) \(window) \(value) \(country ?? "-")"
  return Receipt(
    arrival: Arrival(receivedAt: time, origin: origin, quotaSource: "s", body: Array(text.utf8)),
    finding: .valid(.unsigned(attested: attested, claimed: claimed, environment: environment)))
}

/// A receipt of a body that was rejected.
public func rejected(
  _ id: String?, source: String = "s", at time: Instant = noon, state: Rejection.State = .invalid
) -> Receipt {
  Receipt(
    arrival: Arrival(
      receivedAt: time, origin: Origin(.advertiserCopy), quotaSource: source,
      body: Array("forged \(id ?? "")".utf8)),
    finding: .rejected(Rejection(state: state, reason: "signature-mismatch", identifier: id)))
}

/// Commits receipts in transactions of 400, as many as a busy service has.
public func store(_ receipts: [Receipt], in database: String) throws {
  let writer = try LedgerWriter(path: database)
  for start in stride(from: 0, to: receipts.count, by: 400) {
    _ = try writer.commit(Array(receipts[start..<min(start + 400, receipts.count)]))
  }
}
