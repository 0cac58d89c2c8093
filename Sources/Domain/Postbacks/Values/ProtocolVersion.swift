/// Which of Apple's two frameworks made a postback.
public enum PostbackKind: String, Hashable, Sendable, CaseIterable {
  case skan
  case aak
}

/// The version a postback follows; AdAttributionKit's postbacks carry none.
public enum ProtocolVersion: String, Hashable, Sendable, CaseIterable {
  case v1_0 = "1.0"
  case v2_0 = "2.0"
  case v2_1 = "2.1"
  case v2_2 = "2.2"
  case v3_0 = "3.0"
  case v4_0 = "4.0"
  case adAttributionKit = "aak"

  public var kind: PostbackKind { self == .adAttributionKit ? .aak : .skan }

  /// Whether postbacks arrive for three windows, with coarse values if the group is small.
  public var hasWindows: Bool { self == .v4_0 || self == .adAttributionKit }
}

/// Which of a conversion's up to three postbacks this is; Apple's `postback-sequence-index`.
///
/// Days after first launch, half-open: `[0, 2)`, `[2, 7)`, `[7, 35)`. Versions before 4.0 know the first only.
/// Source: Apple, "Receiving postbacks in multiple conversion windows".
public enum ConversionWindow: Int, Hashable, Comparable, Sendable, CaseIterable {
  case first = 0
  case second, third

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Whether the ad was only seen or also acted upon.
///
/// SKAdNetwork has it as `fidelity-type` (signed, from 2.2), AdAttributionKit as `ad-interaction-type` (unsigned).
public enum AdInteraction: String, Hashable, Sendable, CaseIterable {
  /// `fidelity-type` 0.
  case view
  /// `fidelity-type` 1: StoreKit-rendered or web ad.
  case click
}

/// Where the ad was shown.
public enum Publisher: Hashable, Sendable {
  /// `source-app-id`, or `publisher-item-identifier` of AdAttributionKit; 0 marks a test.
  case app(AppID)
  /// `source-domain` of a web ad, from SKAdNetwork 4.
  case web(String)
  /// Not sent: the group was too small, or the network did not win.
  case undisclosed

  /// The App Store number or the domain; `nil` where it was not sent.
  public var text: String? {
    switch self {
    case .app(let app): "\(app.number)"
    case .web(let domain): domain
    case .undisclosed: nil
    }
  }
}

/// The country of a postback, which anyone who holds it can have written.
public enum Country {
  /// Stands for whatever is no two letters from A to Z.
  public static let other = "other"

  /// What a `country-code` counts as: itself, or ``other``.
  public static func word(for claimed: String) -> String {
    claimed.utf8.count == 2 && claimed.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? claimed : other
  }
}

/// The types of conversion that an app can give different values; the raw value is the word in files.
///
/// Source: Apple, "PostbackUpdate.ConversionType".
public enum ConversionType: String, Hashable, Sendable, CaseIterable {
  /// A download or a redownload; SKAdNetwork has no other.
  case install
  /// The ad re-engaged a user; AdAttributionKit only.
  case reengagement = "re-engagement"
}

/// What happened, as a postback reports it.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
  /// The ad won, and the app was installed for the first time.
  case install
  /// The ad won, and the app was installed again.
  case redownload
  /// The ad won, and re-engaged a user; AdAttributionKit only.
  case reengagement = "re-engagement"
  /// `did-win` is false: the ad was seen, another one won.
  case assist
  /// Authentic, but of a conversion type this program does not know.
  case other

  /// The type of the conversion; `nil` where the ad did not win or the type is not known.
  public var conversionType: ConversionType? {
    switch self {
    case .install, .redownload: .install
    case .reengagement: .reengagement
    case .assist, .other: nil
    }
  }
}
