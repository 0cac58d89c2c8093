/// An address for copies of postbacks that a partner has apps write into their `Info.plist`.
struct PartnerEndpoint: Sendable {
  /// The registrable domain, in lower case.
  let domain: String
  let owner: String
  /// The document or the published code that names it.
  let source: String

  private init(_ domain: String, _ owner: String, _ source: String) {
    self.domain = domain
    self.owner = owner
    self.source = source
  }

  /// Those that public files name.
  static let all: [Self] = [
    Self("adjust-skadnetwork.com", "Adjust", "Adjust's guide to its SDK for iOS"),
    Self("affise-skadnetwork.com", "Affise", "Affise's SDK for React Native"),
    Self("appmetrica.yandex", "AppMetrica", "appmetrica.yandex.com/docs/en/mobile-tracking/ios15-tracking"),
    Self("appsflyer-skadnetwork.com", "AppsFlyer", "support.appsflyer.com/hc/en-us/articles/4402320969617"),
    Self("branch-skan.com", "Branch", "Branch, SKAdNetwork Direct Postback"),
    Self("ios-appstack.com", "Appstack", "Appstack's SDK for React Native"),
    Self("justtrack-skadnetwork.io", "justtrack", "justtrack's SDK for Unity"),
    Self("layers.click", "Layers", "Layers' SDK for Unity"),
    Self("linkrunner-skan.com", "Linkrunner", "docs.linkrunner.io/features/skadnetwork-integration"),
    Self("postbacks-app.com", "AppLovin", "github.com/AppLovin/AppLovin-MAX-Unreal/pull/3"),
    Self("postbacks-is.com", "Unity LevelPlay", "Unity LevelPlay's guide to its SDK for iOS"),
    Self("singular-bi.net", "Singular", "support.singular.net/hc/en-us/articles/4405749380379"),
    Self("superfine.gg", "Superfine", "Superfine's SDK for Unity"),
    Self("superfine.org", "Superfine", "Superfine's SDK for Unity"),
    Self("tenjin-skan.com", "Tenjin", "github.com/tenjin/tenjin-ios-sdk"),
  ]
}
