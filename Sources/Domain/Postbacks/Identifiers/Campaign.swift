/// What an ad network calls a campaign on the wire.
public enum Campaign: Hashable, Sendable {
  /// `campaign-id` of SKAdNetwork 1 to 3.
  case campaignID(CampaignID)
  /// `source-identifier` of SKAdNetwork 4 and AdAttributionKit.
  case sourceIdentifier(SourceIdentifier)

  /// The campaign of digits; `nil` where they are none of its kind.
  public init?(digits: String, isSourceIdentifier: Bool) {
    let campaign: Self? =
      isSourceIdentifier
      ? SourceIdentifier(digits).map { .sourceIdentifier($0) }
      : Int64(digits).flatMap { CampaignID($0) }.map { .campaignID($0) }
    guard let campaign else { return nil }
    self = campaign
  }

  /// The campaign as text: `42`, or `0039` with its zeros.
  public var text: String {
    switch self {
    case .campaignID(let campaign): String(campaign.number)
    case .sourceIdentifier(let source): source.text
    }
  }
}

/// The campaign number of SKAdNetwork 1 to 3, 1 through 100.
///
/// Source: Apple, "Identifying the parameters in install-validation postbacks", `campaign-id`.
public struct CampaignID: Hashable, Sendable {
  /// The number, 1 through 100.
  public let number: Int

  /// Wraps a number; `nil` unless it is 1 through 100.
  public init?(_ number: Int64) {
    guard (1...100).contains(number) else { return nil }
    self.number = Int(number)
  }
}

/// The source identifier of SKAdNetwork 4 and AdAttributionKit: two, three or four decimal digits.
///
/// It stays text, because leading zeros count. The group's size decides how many digits arrive, and the short
/// forms are the *last* digits: `5239` becomes `239` or `39`.
/// Source: Apple, "Receiving postbacks in multiple conversion windows"; Apple's two samples of one ad.
public struct SourceIdentifier: Hashable, Sendable {
  public let text: String

  /// Wraps digits; `nil` unless they are two to four ASCII digits.
  public init?(_ text: String) {
    guard (2...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    self.text = text
  }

  /// The form that is left when only the last `digits` digits are kept.
  public func shortened(toLast digits: Int) -> SourceIdentifier? {
    SourceIdentifier(String(text.suffix(digits)))
  }
}
