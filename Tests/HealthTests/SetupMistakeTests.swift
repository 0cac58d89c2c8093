import Health
import Foundation
import Testing

/// Mistakes that developers reported in public, each as the file that has it, and the findings that name it.
///
/// Of the set-up issues, two are of no file: SKANErrorDomain 10 (adjust/ios_sdk 649 and 777) is of an app that no store
/// installed, and a misspelt selector (com.unity.ads.ios-support 3) is in code.
private struct SetupMistake: CustomTestStringConvertible {
  let testDescription: String
  let members: String
  let networks: [String]
  let findings: [String]

  init(_ name: String, _ members: String, networks: [String] = [], _ findings: [String]) {
    testDescription = name
    self.members = members
    self.networks = networks
    self.findings = findings
  }
}

/// Members of a file in which nothing is wrong, for an app that is advertised.
private let advertised = """
  <key>NSAdvertisingAttributionReportEndpoint</key><string>https://shop.example</string>
  <key>AttributionCopyEndpoint</key><string>https://shop.example</string>
  <key>EligibleForAdAttributionKitReengagementPostbackCopies</key><true/>

  """

private func items(_ ids: String...) -> String {
  "<key>SKAdNetworkItems</key><array>"
    + ids.map { "<dict><key>SKAdNetworkIdentifier</key><string>\($0)</string></dict>" }.joined() + "</array>"
}

private let mistakes = [
  SetupMistake(
    "Kilo-Org/cloud 4704 (cause in 2288): the key inside another dictionary, no copies for months",
    """
    <key>NSAdvertisingAttributionReportEndpoint</key><string>https://shop.example</string>
    <key>AdAttributionKit</key><dict>
      <key>AttributionCopyEndpoint</key><string>https://shop.example</string>
    </dict>
    """, ["5 wrong-place AdAttributionKit.AttributionCopyEndpoint"]),
  SetupMistake(
    "AppsFlyerSDK/appsflyer-react-native-plugin 532: copies not configured",
    "<key>NSAdvertisingAttributionReportEndpoint</key><string>https://shop.example</string>",
    ["- missing-endpoint top level"]),
  SetupMistake(
    "AppsFlyerSDK/appsflyer-react-native-plugin 474: nothing is set up", "",
    ["- missing-endpoint top level", "- missing-endpoint top level"]),
  SetupMistake(
    "mozilla-mobile/firefox-ios 34049: the id of a network is not in the file",
    advertised + items("cstr6suwn9.skadnetwork"),
    networks: ["cstr6suwn9.skadnetwork", "v9wttpbfk9.skadnetwork"], ["6 missing-network SKAdNetworkItems"]),
  SetupMistake(
    "AppLovin/AppLovin-MAX-React-Native 249: the list's key with a small k",
    advertised + items("cstr6suwn9.skadnetwork").replacing("SKAdNetworkItems", with: "SkAdNetworkItems"),
    networks: ["cstr6suwn9.skadnetwork"], ["6 misspelt-key SkAdNetworkItems"]),
  SetupMistake(
    "AppLovin/AppLovin-MAX-SDK-iOS 455: ids of AdAttributionKit are missing",
    advertised + items("cstr6suwn9.skadnetwork"),
    networks: ["cstr6suwn9.skadnetwork", "ludvb6z3bs.adattributionkit"], ["- missing-network top level"]),
  SetupMistake(
    "AppLovin/AppLovin-MAX-Unity-Plugin 370: ids of several networks are missing",
    advertised + items("ludvb6z3bs.skadnetwork"),
    networks: ["ludvb6z3bs.skadnetwork", "su67r6k2v3.skadnetwork", "4dzt52r2t5.skadnetwork"],
    ["6 missing-network SKAdNetworkItems", "6 missing-network SKAdNetworkItems"]),
  SetupMistake(
    "AppLovin/AppLovin-MAX-Unity-Plugin 426: ids that are there are no finding",
    advertised + items("ludvb6z3bs.skadnetwork", "su67r6k2v3.skadnetwork"),
    networks: ["LUDVB6Z3BS.skadnetwork", "su67r6k2v3.skadnetwork"], []),
  SetupMistake(
    "googleads/googleads-mobile-unity 2887: a list put together by hand has an id twice and one cut short",
    advertised + items("cstr6suwn9.skadnetwork", "cstr6suwn9.skadnetwork", "4fzdc2evr.skadnetwork"),
    [
      "6 duplicate-identifier SKAdNetworkItems[1].SKAdNetworkIdentifier",
      "6 identifier-length SKAdNetworkItems[2].SKAdNetworkIdentifier",
    ]),
  SetupMistake(
    "AppLovin/AppLovin-MAX-Unreal 3: the address has a path",
    advertised.replacing(
      "<string>https://shop.example</string>\n<key>Attr",
      with: "<string>https://shop.example/postbacks/skan</string>\n<key>Attr"),
    ["3 endpoint-path NSAdvertisingAttributionReportEndpoint"]),
  SetupMistake(
    "InteractiveAdvertisingBureau/openrtb 59: capital letters in an id",
    advertised + items("KBD757YWX3.skadnetwork"),
    ["6 identifier-case SKAdNetworkItems[0].SKAdNetworkIdentifier"]),
  SetupMistake(
    "the opt-in for copies of re-engagements as the string YES",
    advertised.replacing("<true/>", with: "<string>YES</string>"),
    ["5 wrong-type EligibleForAdAttributionKitReengagementPostbackCopies"]),
  SetupMistake(
    "the spelling of Apple's talk in place of that of its documentation",
    advertised + """
      <key>AdAttributionKitConfigurations</key><dict><key>AttributionCooldown</key><dict>
      <key>reengagement-cooldown-hours</key><integer>1</integer></dict></dict>
      """, ["7 misspelt-key AdAttributionKitConfigurations.AttributionCooldown.reengagement-cooldown-hours"]),
  SetupMistake("nothing is wrong", advertised + items("cstr6suwn9.skadnetwork"), []),
]

/// A property list with these members from line 3 on.
func plist(_ members: String) -> [UInt8] {
  Array(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>\n\(members)\n</dict></plist>\n"
      .utf8)
}

/// The same property list in the binary form.
func binary(_ xml: [UInt8]) throws -> [UInt8] {
  let value = try PropertyListSerialization.propertyList(from: Data(xml), format: nil)
  return [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
}

/// Findings as line, code and path.
func found(_ bytes: [UInt8], networks: [String] = []) -> [String] {
  InfoPlistCheck(bytes, networks: networks.map { .init($0, onlySent: false) }).findings.map {
    "\($0.line.map { "\($0)" } ?? "-") \($0.code.rawValue) \($0.path)"
  }
}

struct `The check of an Info.plist` {
  @Test(arguments: mistakes)
  private func `The check of an Info.plist names a mistake that developers reported`(
    mistake: SetupMistake
  ) throws {
    let xml = plist(mistake.members)
    #expect(found(xml, networks: mistake.networks) == mistake.findings)
    // The same in the binary form, which has no lines.
    let withoutLines = mistake.findings.map { "-" + $0.drop { $0 != " " } }
    #expect(found(try binary(xml), networks: mistake.networks).sorted() == withoutLines.sorted())
  }
}
