/// The part of a postback that Apple's signature covers, in one form for every version.
public struct AttestedFacts: Hashable, Sendable {
  /// The version whose rules the postback follows.
  public let version: ProtocolVersion
  public let network: AdNetworkID
  public let advertisedApp: AppID
  public let campaign: Campaign
  /// `transaction-id` or `postback-identifier`, exactly as sent.
  public let id: String
  public let window: ConversionWindow
  public let outcome: Outcome
  /// View or click; `nil` where the version does not sign it.
  public let interaction: AdInteraction?
  /// Where the ad was shown.
  public let publisher: Publisher
  /// `marketplace-identifier`, where the app comes from; AdAttributionKit only, only above a privacy threshold.
  public let marketplace: String?

  public init(
    version: ProtocolVersion, network: AdNetworkID, advertisedApp: AppID, campaign: Campaign, id: String,
    window: ConversionWindow, outcome: Outcome, interaction: AdInteraction?, publisher: Publisher,
    marketplace: String? = nil
  ) {
    self.version = version
    self.network = network
    self.advertisedApp = advertisedApp
    self.campaign = campaign
    self.id = id
    self.window = window
    self.outcome = outcome
    self.interaction = interaction
    self.publisher = publisher
    self.marketplace = marketplace
  }
}

extension AttestedFacts {
  /// Warnings about signed fields that Apple's rules exclude together.
  ///
  /// They are no reason to reject a postback: Apple's own low-tier sample breaks the tier table.
  /// Source: Apple, "Receiving postbacks in multiple conversion windows" and "Identifying the parameters in
  /// install-validation postbacks", `source-app-id`.
  var contradictions: [PostbackWarning] {
    var warnings: [PostbackWarning] = []
    if outcome == .assist {
      if publisher != .undisclosed { warnings.append(.sourceWithoutWin) }
      if window != .first { warnings.append(.laterWindowWithoutWin) }
    }
    if window != .first, publisher != .undisclosed || campaign.text.utf8.count > 2 {
      warnings.append(.detailInLaterWindow)
    }
    return warnings
  }
}

/// The part of a postback that anyone who holds it can change without breaking the signature.
public struct ClaimedFacts: Hashable, Sendable {
  public let value: ConversionValue
  /// `ad-interaction-type` of AdAttributionKit; `nil` for SKAdNetwork, which signs it or has none.
  public let interaction: AdInteraction?
  /// `country-code`, as sent.
  public let country: String?

  public init(value: ConversionValue, interaction: AdInteraction?, country: String?) {
    self.value = value
    self.interaction = interaction
    self.country = country
  }
}
