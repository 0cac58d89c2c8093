package import Postbacks

extension NetworkProfile {
  package static func builtIn(_ name: String) -> NetworkProfile? { builtIn.first { $0.name == name } }

  /// All built-in profiles: those of no network in particular first, the others by name.
  ///
  /// A partner that passes on Apple's JSON with members of its own needs no other profile than ``apple``; some are listed
  /// by name so that one finds them. Google Analytics, Meta and Google Ads pass on no single postbacks and have none.
  package static let builtIn: [NetworkProfile] = [
    apple, text, macros, unsigned, adjust, airbridge, appmetrica, appsflyer, branch, kochava, singular, unity,
  ]

  package static let apple = NetworkProfile(
    name: "apple", summary: "Apple's JSON as it came, with the network's own members added.",
    source: "Apple, \"Identifying the parameters in install-validation postbacks\"")

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
    source: "Adjust, \"Snapchat SKAdNetwork integration\"", restoresTypes: true, isSigned: false)

  /// Networks send Adjust Apple's JSON with `adjust-…` members, or a GET with `tracker`, `campaign` and Apple's members.
  ///
  /// Source: Adjust, "Apple payload structure" and "Adjust payload structure".
  static let adjust = NetworkProfile(
    name: "adjust",
    summary: "Apple's JSON with adjust-... members, or a GET with Apple's members as parameters.",
    source: "Adjust, \"Apple payload structure\" and \"Adjust payload structure\"",
    containers: [.json, .parameters], restoresTypes: true)

  /// `version` is null before 2.0, `source-identifier` before 4.0.
  ///
  /// Source: Airbridge, "SKAdNetwork integration guide".
  static let airbridge = NetworkProfile(
    name: "airbridge", summary: "Apple's JSON with null for members that a version lacks.",
    source: "Airbridge, \"SKAdNetwork Integration Guide\"", restoresTypes: true)

  static let appmetrica = NetworkProfile(
    name: "appmetrica", summary: "Apple's JSON with ad-network-... members.",
    source: "AppMetrica, \"Integration for ad networks within SKAdNetwork\"", restoresTypes: true)

  /// What AppsFlyer pushes to advertisers: one message for the install and one for each event, all of one postback.
  ///
  /// Source: AppsFlyer, "SKAN raw data reports"; the names of its push messages as consumers store them.
  static let appsflyer = NetworkProfile(
    name: "appsflyer",
    summary: "AppsFlyer's push messages: skad_... members, one message for each event of a postback.",
    source: "AppsFlyer, \"SKAN raw data reports\"", names: prefixed("skad_", also: ["did_win": .didWin]),
    restoresTypes: true)

  /// Apple's JSON with `partner-…` members; `test` is true for tests.
  ///
  /// Source: Branch, "SKAN Postback API Spec".
  static let branch = NetworkProfile(
    name: "branch", summary: "Apple's JSON with partner-... members; tests are marked.",
    source: "Branch, \"SKAN Postback API Spec\"", restoresTypes: true, testMember: "test")

  static let kochava = NetworkProfile(
    name: "kochava", summary: "Apple's JSON with the network's campaign members.",
    source: "Kochava, \"SKAdNetwork Partner Certification\"", restoresTypes: true)

  /// `skan_postback` has the base64 of Apple's JSON; the example there writes `redownload` as 1.
  ///
  /// Source: singular-labs/skan, "SKAN: A standard for the implementation of SKAdNetwork", 5.1.
  static let singular = NetworkProfile(
    name: "singular", summary: "Base64 of Apple's JSON in skan_postback, in JSON, a query or a form.",
    source: "Singular, \"SKAN: A standard for the implementation of SKAdNetwork\", 5.1",
    containers: [.json, .parameters], content: .base64(member: "skan_postback"), restoresTypes: true)

  static let unity = NetworkProfile(
    name: "unity", summary: "Apple's JSON with ad-network-... members and the device's address.",
    source: "Unity, \"SKAdNetwork postback integration reference\"", restoresTypes: true)

  /// Apple's names with underscores behind a prefix, and others.
  package static func prefixed(_ prefix: String, also others: [String: MemberName] = [:]) -> [String:
    MemberName]
  {
    let names = MemberName.ofBodies.map { (prefix + $0.rawValue.replacing("-", with: "_"), $0) }
    return Dictionary(uniqueKeysWithValues: names).merging(others) { first, _ in first }
  }
}
