import JSONText
@testable import NetworkForms
import Postbacks
import Testing
import Values

/// A body or row as its vendor's document has it, with Apple's members of a postback that is signed for the test.
struct DocumentedForm: Sendable, CustomTestStringConvertible {
  let profile: String
  /// The address of the document, as the profile states it.
  let document: String
  let version: ProtocolVersion
  /// How the vendor writes Apple's members.
  let written: @Sendable ([JSONOutput.Member]) -> [JSONOutput.Member]
  /// The vendor's own members, by the document.
  let own: [JSONOutput.Member]
  /// What the vendor calls the ad in them.
  let names: [AdNames.Part: String]
  var isQuery = false

  var testDescription: String { "\(profile) of \(version)" }

  static let all: [DocumentedForm] = [
    .init(
      profile: "apple",
      document:
        "https://developer.apple.com/documentation/storekit/identifying-the-parameters-in-install-validation-postbacks",
      version: .v4_0, own: []),
    .init(
      profile: "unsigned", document: "https://help.adjust.com/en/article/skad-snapchat-integration",
      version: .v3_0, own: []),
    .init(
      profile: "adjust", document: "https://help.adjust.com/en/article/apple-payload-structure",
      version: .v3_0,
      own: [
        .init("adjust-tracker", "abc123"), .init("adjust-campaign", "Autumn"),
        .init("adjust-campaign-id", "42"),
        .init("adjust-adgroup", "Group"), .init("adjust-adgroup-id", "7"), .init("adjust-creative", "Video"),
        .init("adjust-creative-id", "9"), .init("timestamp", 1_622_794_663),
      ],
      names: [
        .campaign: "Autumn", .campaignID: "42", .adSet: "Group", .adSetID: "7", .creative: "Video",
        .creativeID: "9",
      ]),
    .init(
      profile: "adjust", document: "https://help.adjust.com/en/article/adjust-payload-structure",
      version: .v4_0,
      own: [
        .init("tracker", "abc123"), .init("campaign", "Autumn"), .init("campaign_id", "42"),
        .init("adgroup", "Group"), .init("adgroup_id", "7"), .init("creative", "Video"),
      ],
      names: [
        .campaign: "Autumn", .campaignID: "42", .adSet: "Group", .adSetID: "7", .creative: "Video",
      ], isQuery: true),
    .init(
      profile: "adjust-raw", document: "https://help.adjust.com/en/article/skad-raw-data-export",
      version: .v3_0,
      written: { [.init("sk_payload", .string(String(decoding: $0.json, as: UTF8.self)))] },
      own: [.init("sk_ts", "1795262400"), .init("sk_network_id", "example123.skadnetwork")]),
    .init(
      profile: "adjust-raw", document: "https://help.adjust.com/en/article/skad-raw-data-export",
      version: .v3_0,
      written: { members in
        members.asTexts.named {
          $0 == "ad-network-id" ? "sk_network_id" : "sk_" + $0.replacing("-", with: "_")
        }
      },
      own: [
        .init("sk_payload", "{sk_payload}"), .init("sk_ts", "1795262400"), .init("sk_invalid_signature", "0"),
      ],
      isQuery: true),
    .init(
      profile: "airbridge", document: "https://help.airbridge.io/en/developers/integration-guide-skadnetwork",
      version: .v3_0, own: [.init("source-identifier", .null), .init("campaign", "Autumn")],
      names: [.campaign: "Autumn"]),
    .init(
      profile: "appmetrica",
      document: "https://appmetrica.yandex.ru/docs/en/mobile-tracking/ios-tracking-skadnetwork",
      version: .v2_2,
      own: [
        .init("ad-network-campaign-id", "42"), .init("ad-network-campaign-name", "Autumn"),
        .init("ad-network-adset-id", "7"), .init("ad-network-adset-name", "Set"),
        .init("ad-network-ad-id", "9"),
        .init("ad-network-ad-name", "Video"), .init("ip", "192.0.2.1"), .init("timestamp", "1596525944"),
      ],
      names: [
        .campaign: "Autumn", .campaignID: "42", .adSet: "Set", .adSetID: "7", .creative: "Video",
        .creativeID: "9",
      ]),
    .init(
      profile: "appsflyer", document: "https://support.appsflyer.com/hc/en-us/articles/360014261518",
      version: .v4_0, written: appsflyer,
      own: [
        .init("event_name", "af_skad_install"), .init("app_id", "id525463029"), .init("version", "7.1"),
        .init("ad_network_campaign_name", "Autumn"),
      ], names: [.campaign: "Autumn"]),
    .init(
      profile: "appsflyer-raw", document: "https://support.appsflyer.com/hc/en-us/articles/360014261518",
      version: .v3_0,
      written: { members in
        // The export has the app by the number that AppsFlyer shows.
        appsflyer(members).map { member in
          member.name == "skad_app_id" ? .init("app_id", .string("id" + member.value.plainText)) : member
        }
      }, own: [.init("event_name", "af_skad_install"), .init("skad_app_id", "")]),
    .init(
      profile: "branch", document: "https://help.branch.io/developer-hub/docs/skan-postback-api-spec",
      version: .v3_0,
      own: [
        .init("ip-address", "192.0.2.1"), .init("user-agent", "App Store"),
        .init("partner-campaign-id", "J4gijuk04yCAm8RR"), .init("partner-campaign-name", "Autumn"),
        .init("timestamp", 1_710_439_480),
      ], names: [.campaign: "Autumn", .campaignID: "J4gijuk04yCAm8RR"]),
    .init(
      profile: "branch-raw", document: "https://help.branch.io/marketer-hub/skadnetwork-data", version: .v3_0,
      written: { $0.asTexts.named { "body_" + $0.replacing("-", with: "_") } },
      own: [.init("timestamp", "1620415056299"), .init("app_id", "638469555697504342")]),
    .init(
      profile: "kochava",
      document:
        "https://support.kochava.com/reference-information/integrate-with-kochava-as-a-networkpublisher/skad-network-integration/",
      version: .v4_0, own: [.init("campaign_name", "Autumn")], names: [.campaign: "Autumn"]),
    .init(
      profile: "liftoff",
      document: "https://support.vungle.com/hc/en-us/articles/360050450451-SKAdNetwork-Reporting-API",
      version: .v2_0,
      written: { members in
        members.map {
          $0.name == "version" ? .init("version", .string(String($0.value.plainText.prefix(1)))) : $0
        }
      },
      own: [
        .init("vungle_app_id", "5727cbb4630ae51d400000cf"),
        .init("vungle_campaign_id", "5c6e163797dc95000149cffb"),
        .init("vungle_creative_id", "5c6e1637f2f3de0001a8212f"),
      ], names: [.campaignID: "5c6e163797dc95000149cffb", .creativeID: "5c6e1637f2f3de0001a8212f"]),
    .init(
      profile: "singular", document: "https://github.com/singular-labs/skan", version: .v2_1, written: base64,
      own: [.init("attribution_type", "skadnetwork")]),
    .init(
      profile: "singular-raw", document: "https://github.com/singular-labs/skan", version: .v4_0,
      written: base64,
      own: [.init("postback_timestamp", "2026-11-20 08:15:00")], isQuery: true),
    .init(
      profile: "unity",
      document: "https://docs.unity.com/grow/en-us/acquire/privacy/skadnetwork/postback-integration",
      version: .v4_0,
      own: [
        .init("ip", "198.51.100.1"), .init("ad-network-campaign-id", "5f1a"),
        .init("ad-network-campaign-name", "Autumn"), .init("ad-network-source-app-id", "1232"),
      ], names: [.campaign: "Autumn", .campaignID: "5f1a"]),
  ]

  init(
    profile: String, document: String, version: ProtocolVersion,
    written: @escaping @Sendable ([JSONOutput.Member]) -> [JSONOutput.Member] = { $0 },
    own: [JSONOutput.Member], names: [AdNames.Part: String] = [:], isQuery: Bool = false
  ) {
    (self.profile, self.document, self.version) = (profile, document, version)
    (self.written, self.own, self.names, self.isQuery) = (written, own, names, isQuery)
  }

  /// The body as the vendor sends it.
  func body(_ apples: [JSONOutput.Member]) -> [UInt8] {
    let members = written(apples) + own
    return isQuery ? Array(members.query.utf8) : members.json
  }

  @Sendable private static func appsflyer(_ members: [JSONOutput.Member]) -> [JSONOutput.Member] {
    members.asTexts.named { $0 == "did-win" ? "did_win" : "skad_" + $0.replacing("-", with: "_") }
  }

  @Sendable private static func base64(_ members: [JSONOutput.Member]) -> [JSONOutput.Member] {
    [.init("skan_postback", .string(String(decoding: Base64.encode(members.json), as: UTF8.self)))]
  }
}

struct `The documented form` {
  private let signed: SignedPostbacks

  init() throws { signed = try SignedPostbacks() }

  @Test(arguments: DocumentedForm.all)
  func `The documented form of a vendor is read with all that Apple signed`(form: DocumentedForm) throws {
    let profile = try #require(NetworkProfile.builtIn(form.profile))
    #expect(profile.source?.split(separator: ", ").contains(Substring(form.document)) == true)
    for seed in 1...5 as ClosedRange<UInt64> {
      let members = try signed.members(form.version, seed: seed)
      let read = profile.read(form.body(members))
      let judgement = signed.judge(read)
      #expect(judgement.state == .valid, "\(judgement.reason?.english ?? "")")
      #expect(judgement.verified?.attested == signed.facts(members))
      #expect(signed.facts(members) != nil)
      for own in form.own where own.name != "source-identifier" && own.name != "skad_app_id" {
        guard !["sk_payload", "sk_network_id"].contains(own.name) else { continue }
        #expect(read.members.contains { $0.name == own.name && $0.treatment == .own }, "\(own.name)")
      }
    }
  }

  @Test(arguments: DocumentedForm.all)
  func `The documented form has the names that its vendor sends beside a postback`(form: DocumentedForm)
    throws
  {
    let profile = try #require(NetworkProfile.builtIn(form.profile))
    let read = profile.read(form.body(try signed.members(form.version)))
    let names = AdNames(
      stored: read.received ?? read.body, profile: read.received == nil ? nil : profile.name)
    for part in AdNames.Part.allCases { #expect(names?[part] == form.names[part], "\(part)") }
    #expect((names == nil) == form.names.isEmpty)
  }

  @Test func `The documented form is there for every profile that has a document`() {
    let documented = Set(DocumentedForm.all.map(\.profile))
    for profile in NetworkProfile.builtIn {
      #expect(documented.contains(profile.name) == (profile.source != nil), "\(profile.name)")
      #expect(profile.source?.split(separator: ", ").allSatisfy { $0.hasPrefix("https://") } ?? true)
    }
  }

  @Test(arguments: DocumentedForm.all)
  func `The documented form without a signature, or with another one, is never valid`(form: DocumentedForm)
    throws
  {
    let profile = try #require(NetworkProfile.builtIn(form.profile))
    let members = try signed.members(form.version)
    let others = try signed.members(form.version, seed: 99)
    let foreign = others.filter { $0.name == "attribution-signature" }
    for apples in [
      members.without("attribution-signature"), members.without("attribution-signature") + foreign,
      members.without("attribution-signature") + [.init("attribution-signature", "")],
      members.map {
        $0.name == "transaction-id" ? .init($0.name, "00000000-0000-0000-0000-000000000000") : $0
      },
    ] {
      let judgement = signed.judge(profile.read(form.body(apples)))
      #expect(judgement.state != .valid)
      #expect(judgement.claim == nil || judgement.state == .unverifiable)
    }
  }

  @Test(arguments: DocumentedForm.all)
  func `The documented form with what a network left undone is read, with a remark`(form: DocumentedForm)
    throws
  {
    let profile = try #require(NetworkProfile.builtIn(form.profile))
    guard !profile.isWrapped else { return }
    let members = try signed.members(.v3_0)
    // No coarse value is signed, so the signature holds only if the text is taken for none.
    for (text, remark) in [
      ("null", FormMember.Remark.nullText), ("NULL", .nullText), ("{conversion_value}", .macro),
      ("${cv}", .macro),
      ("[CV]", .macro), ("__CV__", .macro), ("none", .nullText), ("N/A", .nullText), ("\\N", .nullText),
      ("nan", .nullText), ("None", .nullText),
    ] {
      let undone: [JSONOutput.Member] = [.init("coarse-conversion-value", .string(text))]
      let spelt = (members + undone).map { member -> JSONOutput.Member in
        guard case .bool(let truth) = member.value else { return member }
        return .init(member.name, .string(truth ? "True" : "False"))
      }
      let written = DocumentedForm(
        profile: form.profile, document: form.document, version: .v3_0, written: form.written, own: form.own,
        isQuery: form.isQuery)
      let read = profile.read(written.body(spelt))
      let judgement = signed.judge(read)
      #expect(
        judgement.verified?.attested == signed.facts(members), "\(text): \(judgement.reason?.english ?? "")")
      #expect(read.members.contains { $0.treatment == .leftOut && $0.remark == remark }, "\(text)")
    }
  }
}

extension NetworkProfile {
  /// Whether Apple's body is in one member, so that the network writes none of Apple's members.
  fileprivate var isWrapped: Bool {
    switch content {
    case .members, .textOrMembers: false
    case .base64, .text: true
    }
  }
}
