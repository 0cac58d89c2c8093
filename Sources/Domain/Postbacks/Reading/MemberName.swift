package import Values

/// The member names that Apple documents for postbacks; the raw value is the name on the wire.
///
/// Source: Apple, "Identifying the parameters in install-validation postbacks" and "Identifying the parameters in a
/// postback" (AdAttributionKit).
public enum MemberName: String, Hashable, Sendable, CaseIterable {
  case version
  case adNetworkID = "ad-network-id"
  case campaignID = "campaign-id"
  case sourceIdentifier = "source-identifier"
  case appID = "app-id"
  case transactionID = "transaction-id"
  case redownload
  case sourceAppID = "source-app-id"
  case sourceDomain = "source-domain"
  case fidelityType = "fidelity-type"
  case didWin = "did-win"
  case conversionValue = "conversion-value"
  case coarseConversionValue = "coarse-conversion-value"
  case postbackSequenceIndex = "postback-sequence-index"
  case countryCode = "country-code"
  case attributionSignature = "attribution-signature"

  case jwsString = "jws-string"
  case adInteractionType = "ad-interaction-type"

  case keyID = "kid"
  case algorithm = "alg"
  case critical = "crit"

  case advertisedItemIdentifier = "advertised-item-identifier"
  case conversionType = "conversion-type"
  case adNetworkIdentifier = "ad-network-identifier"
  case impressionType = "impression-type"
  case postbackIdentifier = "postback-identifier"
  case marketplaceIdentifier = "marketplace-identifier"
  case publisherItemIdentifier = "publisher-item-identifier"

  public static let ofBodies: Set<MemberName> = ofSKAdNetwork.union([.jwsString, .adInteractionType])

  /// The names that some version of SKAdNetwork gives a meaning.
  static let ofSKAdNetwork: Set<MemberName> = [
    .version, .adNetworkID, .campaignID, .sourceIdentifier, .appID, .transactionID, .redownload, .sourceAppID,
    .sourceDomain, .fidelityType, .didWin, .conversionValue, .coarseConversionValue, .postbackSequenceIndex,
    .countryCode, .attributionSignature,
  ]
}

/// The JSON documents that a postback consists of.
public enum PostbackPart: Hashable, Sendable {
  case body
  /// The first segment of `jws-string`.
  case jwsHeader
  /// The second segment of `jws-string`.
  case jwsPayload

  package var words: Sentence {
    switch self {
    case .body: Sentence("the body")
    case .jwsHeader: Sentence(name: "jws-string.header")
    case .jwsPayload: Sentence(name: "jws-string.payload")
    }
  }
}

public struct MemberPath: Hashable, Sendable, CustomStringConvertible {
  public let part: PostbackPart
  public let name: MemberName

  public init(_ part: PostbackPart, _ name: MemberName) {
    self.part = part
    self.name = name
  }

  /// `"app-id"` in the body, `jws-string.payload["did-win"]` inside the JWS.
  public var description: String {
    part == .body ? "\"\(name.rawValue)\"" : "\(part.words.english)[\"\(name.rawValue)\"]"
  }
}
