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

  /// Whether its first-window postback attributes an install to an ad.
  ///
  /// These are subtracted from an advertiser's own count of installs, and spend is divided by them. Redownloads and
  /// re-engagements are users that the app had before.
  public var isAttributedInstall: Bool { self == .install }

  /// The type of the conversion; `nil` where the ad did not win or the type is not known.
  public var conversionType: ConversionType? {
    switch self {
    case .install, .redownload: .install
    case .reengagement: .reengagement
    case .assist, .other: nil
    }
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
