import JSONText

/// A profile that is part of the program; the raw value is its name in commands.
///
/// Each document names the repository or documentation that its record shape is from.
package enum BuiltInProfile: String, Hashable, Sendable, CaseIterable {
  case singerFacebook = "singer:facebook"
  case singerTikTok = "singer:tiktok"
  case singerGoogleAds = "singer:google-ads"
  case singerAppleAds = "singer:apple-ads"
  case singerSnap = "singer:snap"
  case singerUnity = "singer:unity"
  case airbyteFacebook = "airbyte:facebook"
  case airbyteTikTok = "airbyte:tiktok"
  case airbyteGoogleAds = "airbyte:google-ads"
  case airbyteAppleAds = "airbyte:apple-ads"
  case airbyteSnap = "airbyte:snap"
  case airbyteAppLovin = "airbyte:applovin"
  case fileUnity = "file:unity"
  case fileAppLovin = "file:applovin"
  case fileLiftoff = "file:liftoff"

  package var profile: ImportProfile {
    get throws(JSONFileError) { try ImportProfile(document, name: rawValue) }
  }

  /// What the system calls itself.
  package var system: String {
    switch self {
    case .singerFacebook, .airbyteFacebook: "Meta"
    case .singerTikTok, .airbyteTikTok: "TikTok"
    case .singerGoogleAds, .airbyteGoogleAds: "Google Ads"
    case .singerAppleAds, .airbyteAppleAds: "Apple Ads"
    case .singerSnap, .airbyteSnap: "Snap"
    case .singerUnity, .fileUnity: "Unity Ads"
    case .airbyteAppLovin, .fileAppLovin: "AppLovin"
    case .fileLiftoff: "Liftoff"
    }
  }

  package var document: [UInt8] {
    switch self {
    case .singerFacebook: PackageResources.singer_facebook_json
    case .singerTikTok: PackageResources.singer_tiktok_json
    case .singerGoogleAds: PackageResources.singer_google_ads_json
    case .singerAppleAds: PackageResources.singer_apple_ads_json
    case .singerSnap: PackageResources.singer_snap_json
    case .singerUnity: PackageResources.singer_unity_json
    case .airbyteFacebook: PackageResources.airbyte_facebook_json
    case .airbyteTikTok: PackageResources.airbyte_tiktok_json
    case .airbyteGoogleAds: PackageResources.airbyte_google_ads_json
    case .airbyteAppleAds: PackageResources.airbyte_apple_ads_json
    case .airbyteSnap: PackageResources.airbyte_snap_json
    case .airbyteAppLovin: PackageResources.airbyte_applovin_json
    case .fileUnity: PackageResources.file_unity_json
    case .fileAppLovin: PackageResources.file_applovin_json
    case .fileLiftoff: PackageResources.file_liftoff_json
    }
  }
}
