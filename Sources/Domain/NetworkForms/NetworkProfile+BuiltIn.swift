import Postbacks

extension NetworkProfile {
  package static func builtIn(_ name: String) -> NetworkProfile? { builtIn.first { $0.name == name } }

  /// All built-in profiles: those of no network in particular first, the others by name.
  ///
  /// A partner that passes on Apple's JSON with members of its own needs no other profile than ``apple``; some are listed
  /// by name so that one finds them. Google Analytics, Meta and Google Ads pass on no single postbacks and have none.
  package static let builtIn: [NetworkProfile] = [
    apple, text, macros, unsigned, adjust, adjustRaw, airbridge, appmetrica, appsflyer, appsflyerRaw, branch,
    branchRaw, kochava, liftoff, singular, singularRaw, unity,
  ]

  package static let apple = NetworkProfile(
    name: "apple", summary: "Apple's JSON as it came, with the network's own members added.",
    source: "https://developer.apple.com/documentation/storekit/"
      + "identifying-the-parameters-in-install-validation-postbacks")

  /// Relays that write every value as text; a genuine example is the vector `pub-jen6-all-strings`.
  static let text = NetworkProfile(
    name: "text", summary: "Apple's JSON with numbers and truth values written as text.", restoresTypes: true)

  /// Networks whose servers fill a URL with macros.
  static let macros = NetworkProfile(
    name: "macros",
    summary: "Parameters of a GET or a form, with Apple's names or the same with underscores.",
    containers: [.parameters],
    names: Dictionary(
      uniqueKeysWithValues: MemberName.ofBodies.map { ($0.rawValue.replacing("-", with: "_"), $0) }),
    restoresTypes: true)

  /// Networks that strip the signature, as Snap does for its audience network.
  ///
  /// Source: Adjust, "Set up SKAdNetwork for Snapchat" (help.adjust.com, skad-snapchat-integration).
  static let unsigned = NetworkProfile(
    name: "unsigned", summary: "Apple's JSON without the signature; it counts as claimed only.",
    source: "https://help.adjust.com/en/article/skad-snapchat-integration", restoresTypes: true,
    isSigned: false)

  /// Networks send Adjust Apple's JSON with `adjust-…` members, or a GET with `tracker`, `campaign` and Apple's members.
  ///
  /// Source: Adjust, "Apple payload structure" and "Adjust payload structure".
  static let adjust = NetworkProfile(
    name: "adjust",
    summary: "Apple's JSON with adjust-... members, or a GET with Apple's members as parameters.",
    source: "https://help.adjust.com/en/article/apple-payload-structure, "
      + "https://help.adjust.com/en/article/adjust-payload-structure",
    containers: [.json, .parameters], restoresTypes: true)

  /// `version` is null before 2.0, `source-identifier` before 4.0.
  ///
  /// Source: Airbridge, "SKAdNetwork integration guide".
  static let airbridge = NetworkProfile(
    name: "airbridge", summary: "Apple's JSON with null for members that a version lacks.",
    source: "https://help.airbridge.io/en/developers/integration-guide-skadnetwork", restoresTypes: true)

  static let appmetrica = NetworkProfile(
    name: "appmetrica", summary: "Apple's JSON with ad-network-... members.",
    source: "https://appmetrica.yandex.ru/docs/en/mobile-tracking/ios-tracking-skadnetwork",
    restoresTypes: true)

  /// What AppsFlyer pushes to advertisers: one message for the install and one for each event, all of one postback.
  ///
  /// Source: AppsFlyer, "SKAN raw data reports"; the names of its push messages as consumers store them.
  static let appsflyer = NetworkProfile(
    name: "appsflyer",
    summary: "AppsFlyer's push messages: skad_... members, one message for each event of a postback.",
    source: "https://support.appsflyer.com/hc/en-us/articles/360014261518", names: appsflyerNames,
    spareNames: ["app_id": .appID], restoresTypes: true)

  private static let appsflyerNames = prefixed(
    "skad_", also: ["did_win": .didWin, "fidelity_type": .fidelityType])

  /// Apple's JSON with `partner-…` members; `test` is true for tests.
  ///
  /// Source: Branch, "SKAN Postback API Spec".
  static let branch = NetworkProfile(
    name: "branch", summary: "Apple's JSON with partner-... members; tests are marked.",
    source: "https://help.branch.io/developer-hub/docs/skan-postback-api-spec", restoresTypes: true,
    testMember: "test")

  /// Liftoff's interface has Apple's members and `vungle_…` ids; its example has the version `"2"`.
  ///
  /// Source: Liftoff, "SKAdNetwork Reporting API".
  static let liftoff = NetworkProfile(
    name: "liftoff", summary: "Apple's JSON with vungle_... members, and versions without their zero.",
    source: "https://support.vungle.com/hc/en-us/articles/360050450451-SKAdNetwork-Reporting-API",
    restoresTypes: true)

  static let kochava = NetworkProfile(
    name: "kochava", summary: "Apple's JSON with the network's campaign members.",
    source: "https://support.kochava.com/reference-information/integrate-with-kochava-as-a-networkpublisher/"
      + "skad-network-integration/",
    restoresTypes: true)

  /// `skan_postback` has the base64 of Apple's JSON; the example there writes `redownload` as 1.
  ///
  /// Source: singular-labs/skan, "SKAN: A standard for the implementation of SKAdNetwork", 5.1.
  static let singular = NetworkProfile(
    name: "singular", summary: "Base64 of Apple's JSON in skan_postback, in JSON, a query or a form.",
    source: "https://github.com/singular-labs/skan",
    containers: [.json, .parameters], content: .base64(member: "skan_postback"), restoresTypes: true)

  static let unity = NetworkProfile(
    name: "unity", summary: "Apple's JSON with ad-network-... members and the device's address.",
    source: "https://docs.unity.com/grow/en-us/acquire/privacy/skadnetwork/postback-integration",
    restoresTypes: true)

  /// Source: Adjust, "SKAdNetwork raw data exports".
  package static let adjustRaw = raw(
    "adjust-raw", "Adjust's raw data: Apple's JSON in sk_payload, or sk_... members.",
    source: "https://help.adjust.com/en/article/skad-raw-data-export",
    content: .textOrMembers(member: "sk_payload"),
    names: prefixed("sk_").filter { $0.value != .adNetworkID }.merging(["sk_network_id": .adNetworkID]) {
      $1
    },
    spareNames: ["sk_ad_network_id": .adNetworkID])

  /// The App Store number is in `skad_app_id`, or in `app_id` as `id525463029`.
  ///
  /// Source: AppsFlyer, "SKAN raw data reports".
  package static let appsflyerRaw = raw(
    "appsflyer-raw", "AppsFlyer's raw data: skad_... members; it counts as claimed only without a signature.",
    source: "https://support.appsflyer.com/hc/en-us/articles/360014261518", names: appsflyerNames,
    spareNames: ["app_id": .appID])

  /// Source: Singular, "SKAN: A standard for the implementation of SKAdNetwork", 5.1.
  package static let singularRaw = raw(
    "singular-raw", "Singular's raw data: base64 of Apple's JSON in skan_postback.",
    source: "https://github.com/singular-labs/skan",
    content: .base64(member: "skan_postback"))

  /// Source: Branch, "SKAdNetwork Data".
  package static let branchRaw = raw(
    "branch-raw", "Branch's raw data: body_... members.",
    source: "https://help.branch.io/marketer-hub/skadnetwork-data",
    names: prefixed("body_"))

  /// The form of a partner's raw data, whether its rows are in a file or each is sent by itself; rows without Apple's
  /// signature count as claimed.
  private static func raw(
    _ name: String, _ summary: String, source: String, content: Content = .members,
    names: [String: MemberName] = [:], spareNames: [String: MemberName] = [:]
  ) -> NetworkProfile {
    NetworkProfile(
      name: name, summary: summary, source: source, containers: [.json, .parameters], content: content,
      names: names, spareNames: spareNames, restoresTypes: true, isSigned: false)
  }

  /// Apple's names with underscores behind a prefix, and others.
  static func prefixed(_ prefix: String, also others: [String: MemberName] = [:]) -> [String:
    MemberName]
  {
    let names = MemberName.ofBodies.map { (prefix + $0.rawValue.replacing("-", with: "_"), $0) }
    return Dictionary(uniqueKeysWithValues: names).merging(others) { first, _ in first }
  }
}
