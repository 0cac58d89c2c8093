/// A SKAdNetwork postback that was read; nothing in it is trusted yet.
public struct SKAdNetworkPostback: Hashable, Sendable {
  /// `ad-network-id`.
  public let network: AdNetworkID
  /// `app-id`.
  public let advertisedApp: AppID
  /// `transaction-id`, exactly as sent.
  public let transactionID: String
  /// The fields that the version has, and no others.
  public let terms: SKAdNetworkTerms
  /// `attribution-signature`, as sent; `nil` when it is not there.
  public let signature: String?
  /// What the signature does not cover.
  public let claimed: ClaimedFacts

  /// The part that is true if the signature holds.
  public var attested: AttestedFacts {
    AttestedFacts(
      version: terms.version, network: network, advertisedApp: advertisedApp, campaign: terms.campaign,
      id: transactionID, window: terms.window, outcome: terms.outcome, interaction: terms.interaction,
      publisher: terms.publisher)
  }
}

/// The signed fields that differ between the versions of SKAdNetwork.
///
/// A version's fields are its associated values, so that a postback can't lack one or have one too many.
/// Source: Apple, "Identifying the parameters in install-validation postbacks", `For versions`.
public enum SKAdNetworkTerms: Hashable, Sendable {
  case v1_0(CampaignID)
  case v2_0(CampaignID, redownload: Bool, sourceApp: AppID?)
  case v2_1(CampaignID, redownload: Bool, sourceApp: AppID?)
  case v2_2(CampaignID, redownload: Bool, sourceApp: AppID?, fidelity: AdInteraction)
  case v3_0(CampaignID, redownload: Bool, sourceApp: AppID?, fidelity: AdInteraction, didWin: Bool)
  case v4_0(
    SourceIdentifier, redownload: Bool, publisher: Publisher, fidelity: AdInteraction, didWin: Bool,
    window: ConversionWindow)

  public var version: ProtocolVersion {
    switch self {
    case .v1_0: .v1_0
    case .v2_0: .v2_0
    case .v2_1: .v2_1
    case .v2_2: .v2_2
    case .v3_0: .v3_0
    case .v4_0: .v4_0
    }
  }

  public var campaign: Campaign {
    switch self {
    case .v1_0(let campaign), .v2_0(let campaign, _, _), .v2_1(let campaign, _, _),
      .v2_2(let campaign, _, _, _),
      .v3_0(let campaign, _, _, _, _):
      .campaignID(campaign)
    case .v4_0(let source, _, _, _, _, _): .sourceIdentifier(source)
    }
  }

  /// Whether the ad won; before 3.0 only winners got a postback.
  public var didWin: Bool {
    switch self {
    case .v1_0, .v2_0, .v2_1, .v2_2: true
    case .v3_0(_, _, _, _, let didWin), .v4_0(_, _, _, _, let didWin, _): didWin
    }
  }

  /// What happened; 1.0 does not sign whether it was a redownload.
  public var outcome: Outcome {
    guard didWin else { return .assist }
    switch self {
    case .v1_0: return .install
    case .v2_0(_, let redownload, _), .v2_1(_, let redownload, _), .v2_2(_, let redownload, _, _),
      .v3_0(_, let redownload, _, _, _), .v4_0(_, let redownload, _, _, _, _):
      return redownload ? .redownload : .install
    }
  }

  /// View or click, from 2.2.
  public var interaction: AdInteraction? {
    switch self {
    case .v1_0, .v2_0, .v2_1: nil
    case .v2_2(_, _, _, let fidelity), .v3_0(_, _, _, let fidelity, _), .v4_0(_, _, _, let fidelity, _, _):
      fidelity
    }
  }

  /// Where the ad was shown.
  public var publisher: Publisher {
    switch self {
    case .v1_0: .undisclosed
    case .v2_0(_, _, let app), .v2_1(_, _, let app), .v2_2(_, _, let app, _), .v3_0(_, _, let app, _, _):
      app.map { .app($0) } ?? .undisclosed
    case .v4_0(_, _, let publisher, _, _, _): publisher
    }
  }

  /// Which window the postback closes; always the first before 4.0.
  public var window: ConversionWindow {
    if case .v4_0(_, _, _, _, _, let window) = self { window } else { .first }
  }
}
