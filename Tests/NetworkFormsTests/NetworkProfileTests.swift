import FuzzLaws
import JSONText
@testable import NetworkForms
import Postbacks
import TestSupport
import Testing
import Values
import Verification

struct `The profiles of networks` {
  private let signed: SignedPostbacks

  init() throws { signed = try SignedPostbacks() }

  private func profile(_ name: String) throws -> NetworkProfile { try #require(NetworkProfile.builtIn(name)) }

  /// Expects that a body in a form is valid with the facts of the postback that it was made of.
  private func expectValid(
    _ form: FormReading, _ members: [JSONOutput.Member], location: SourceLocation = #_sourceLocation
  ) {
    let judgement = signed.judge(form)
    #expect(judgement.state == .valid, "\(judgement.reason?.english ?? "")", sourceLocation: location)
    #expect(judgement.verified?.attested == signed.facts(members), sourceLocation: location)
    #expect(signed.facts(members) != nil, sourceLocation: location)
    // What is stored is judged alike when it is read again.
    #expect(signed.keyring.judge(form.body).verified == judgement.verified, sourceLocation: location)
  }

  @Test func `Apple's own form is left byte for byte, whatever a network adds`() throws {
    let members = try signed.members(.v4_0) + [.init("campaign-name", "Autumn"), .init("cost", 1)]
    for name in ["apple", "adjust", "appmetrica", "branch", "kochava", "unity"] {
      let form = try profile(name).read(members.json)
      expectValid(form, members)
      #expect(form.body == members.json && form.received == nil)
    }
  }

  @Test(arguments: ProtocolVersion.allCases)
  func `Values that a relay wrote as text get Apple's types again`(version: ProtocolVersion) throws {
    let members = try signed.members(version)
    let form = try profile("text").read(members.asTexts.json)
    expectValid(form, members)
    // Also of a network whose form is not configured.
    expectValid(try profile("apple").read(members.asTexts.json), members)
  }

  @Test(arguments: [ProtocolVersion.v2_1, .v3_0, .v4_0], ["-", "_"])
  func `A query of macros is read with Apple's names or with underscores`(
    version: ProtocolVersion, separator: String
  ) throws {
    let members = try signed.members(version)
    let sent = members.named { $0.replacing("-", with: separator) } + [.init("campaign", "Autumn & more")]
    let form = try profile("macros").read(Array(sent.query.utf8))
    expectValid(form, members)
    #expect(form.received == Array(sent.query.utf8))
    #expect(
      form.members.last == FormMember(name: "campaign", member: nil, value: "Autumn & more", treatment: .own))
    let items = sent.map { (name: $0.name, value: $0.value.plainText) }
    expectValid(try profile("macros").read(parameters: items), members)
  }

  @Test func `A macro without a value stands for a missing member`() throws {
    let members = try signed.members(.v3_0)
    let empty: [JSONOutput.Member] = [.init("source-identifier", ""), .init("coarse-conversion-value", "")]
    let form = try profile("macros").read(Array((members + empty).query.utf8))
    expectValid(form, members)
    #expect(
      form.members.filter { $0.treatment == .leftOut }.map(\.name)
        == ["source-identifier", "coarse-conversion-value"])
  }

  @Test(
    arguments: NetworkProfile.builtIn.filter {
      $0.restoresTypes && $0.names.isEmpty && $0.content == .members
    })
  func `Null as a text and a macro that was not replaced stand for a missing member in every profile`(
    profile: NetworkProfile
  ) throws {
    // No coarse value is signed, so the signature holds only if the text is taken for none.
    let members = try signed.members(.v3_0)
    for text in [
      "null", "NULL", "Null", "{conversion_value}", "{{skan.cv}}", "${cv}", "[CV]", "%cv%", "<cv>", "__CV__",
      "{{ cv }}",
    ] {
      for name in ["coarse-conversion-value", "source-identifier"] {
        let form = profile.read((members + [.init(name, .string(text))]).json)
        #expect(form.members.last?.treatment == .leftOut, "\(text)")
        if profile.isSigned { expectValid(form, members) }
      }
    }
  }

  @Test(arguments: [ProtocolVersion.v2_1, .v3_0, .v4_0])
  func `Numbers that a program with floating-point numbers wrote are whole again`(version: ProtocolVersion)
    throws
  {
    let members = try signed.members(version)
    for isText in [true, false] {
      let floats = members.map { member -> JSONOutput.Member in
        guard case .number(let number) = member.value else {
          guard case .bool(let truth) = member.value else { return member }
          return .init(member.name, .string(truth ? "1.0" : "0.0"))
        }
        let text = number.text + ".0"
        return .init(member.name, isText ? .string(text) : JSONNumber(text).map { .number($0) } ?? .null)
      }
      expectValid(try profile("text").read(floats.json), members)
      expectValid(try profile("apple").read(floats.json), members)
    }
  }

  @Test(arguments: ["TRUE", "True", "true", "1"])
  func `Truth values of other languages are restored in every signed profile of JSON`(text: String) throws {
    let members = try signed.members(.v3_0)
    let spelt = members.map { member -> JSONOutput.Member in
      guard case .bool(let truth) = member.value else { return member }
      let no = text == "1" ? "0" : text == "TRUE" ? "FALSE" : text == "True" ? "False" : "false"
      return .init(member.name, .string(truth ? text : no))
    }
    for name in ["text", "adjust", "appmetrica", "branch", "kochava", "unity", "airbridge"] {
      expectValid(try profile(name).read(spelt.json), members)
    }
  }

  @Test(arguments: [
    "{\"a\":1}", "{}", "[]", "{a b}", "MEUCIGRm%+/=", "5%", "nullable", "{a", "a}", "[5]", "{5}", "<5>", "__",
    "_a_",
  ])
  func `A text that only looks like a macro stays as it is`(text: String) {
    #expect(FormMember(name: "n", member: nil, value: text, treatment: .own).remark == nil)
  }

  @Test func `A macro that was not replaced is noticed`() throws {
    let form = try profile("macros").read(Array("transaction_id=%7Btransaction-id%7D&app_id={app-id}".utf8))
    #expect(form.members.map(\.remark) == [.macro, .macro])
    #expect(signed.judge(form).state != .valid)
  }

  @Test func `A plus that a query lost is restored in the signature`() throws {
    for seed in 1...40 as ClosedRange<UInt64> {
      let members = try signed.members(.v4_0, seed: seed)
      let query = members.query.replacing("%2B", with: "+")
      guard query != members.query else { continue }
      return expectValid(try profile("macros").read(Array(query.utf8)), members)
    }
    Issue.record("no signature of the seeds has a plus")
  }

  @Test func `Adjust's forms are read`() throws {
    let members = try signed.members(.v3_0)
    let json =
      members + [
        .init("adjust-tracker", "abc123"), .init("adjust-campaign", "Autumn"),
        .init("timestamp", 1_795_262_400),
      ]
    expectValid(try profile("adjust").read(json.json), members)
    let query = "tracker=abc123&campaign=Autumn&campaign_id=42&\(members.query)"
    expectValid(try profile("adjust").read(Array(query.utf8)), members)
  }

  @Test func `Airbridge's nulls stand for missing members`() throws {
    let members = try signed.members(.v3_0)
    let sent = members + [.init("source-identifier", .null), .init("attributed-channel", "acme")]
    let form = try profile("airbridge").read(sent.json)
    expectValid(form, members)
    #expect(form.received == sent.json)
    // Also of a member of the version itself, which Apple never sends as null.
    let own = members.without("conversion-value") + [.init("conversion-value", .null)]
    #expect(PostbackReading(own.json).postback == nil)
    expectValid(try profile("apple").read(own.json), members)
    expectValid(try profile("airbridge").read(own.json), members)
  }

  @Test func `AppsFlyer's push messages are read, and the ones of one postback give one body`() throws {
    let members = try signed.members(.v4_0)
    let pushed = members.asTexts.named { name in
      name == "did-win" ? "did_win" : "skad_" + name.replacing("-", with: "_")
    }
    func message(_ event: String) -> [UInt8] {
      (pushed + [
        .init("event_name", .string(event)), .init("app_id", "id525463029"), .init("version", "1.2"),
      ]).json
    }
    let install = try profile("appsflyer").read(message("af_skad_install"))
    expectValid(install, members)
    #expect(try profile("appsflyer").read(message("af_purchase")).body == install.body)
    #expect(install.received == message("af_skad_install"))
  }

  @Test func `Branch's tests are rejected`() throws {
    let members = try signed.members(.v4_0)
    let sent = members + [.init("partner-campaign-name", "Autumn"), .init("timestamp", 1_710_439_480)]
    expectValid(try profile("branch").read(sent.json), members)
    for marker in [true, "true", 1] as [JSONOutput] {
      let judgement = signed.judge(try profile("branch").read((sent + [.init("test", marker)]).json))
      #expect(judgement.state == .malformed)
      #expect(judgement.reasonCode == "network-form")
    }
    expectValid(try profile("branch").read((sent + [.init("test", false)]).json), members)
  }

  @Test func `Singular's base64 is read in JSON, in a query and in a form`() throws {
    let members = try signed.members(.v2_1)
    // The example of the specification writes the truth value as a number.
    let inner = members.map { member -> JSONOutput.Member in
      guard case .bool(let truth) = member.value else { return member }
      return .init(member.name, .integer(truth ? 1 : 0))
    }
    for body in [members.json, inner.json] {
      let text = String(decoding: Base64.encode(body), as: UTF8.self)
      let sent: [JSONOutput.Member] = [
        .init("attribution_type", "skadnetwork"), .init("skan_postback", .string(text)),
      ]
      let form = try profile("singular").read(sent.json)
      expectValid(form, members)
      #expect(form.received == sent.json)
      expectValid(try profile("singular").read(Array(sent.query.utf8)), members)
      expectValid(
        try profile("singular").read(Array("src=MMP&skan_postback=\(text)".utf8)), members)
    }
    let form = try profile("singular").read(
      [.init("skan_postback", .string(String(decoding: Base64.encode(members.json), as: UTF8.self)))].json)
    #expect(form.body == members.json)
  }

  @Test(arguments: [
    (#"{"attribution_type":"skadnetwork"}"#, "\"skan_postback\", which is missing"),
    (#"{"skan_postback":"!"}"#, "\"skan_postback\" must be base64"),
    (#"{"skan_postback":7}"#, "\"skan_postback\" must be base64"),
    ("src=MMP&skan_postback=%zz", "the body must be parameters"),
    ("src", "the body must be parameters"),
  ])
  func `A form without Apple's body is rejected with its place`(body: String, words: String) throws {
    let judgement = signed.judge(try profile("singular").read(Array(body.utf8)))
    #expect(judgement.state == .malformed)
    #expect(judgement.reason?.english.hasPrefix("network-form: by the profile \"singular\"") == true)
    #expect(judgement.reason?.english.contains(words) == true, "\(judgement.reason?.english ?? "")")
  }

  @Test func `A network without signatures claims, and a broken signature does not`() throws {
    let members = try signed.members(.v3_0)
    let claim = signed.judge(try profile("unsigned").read(members.without("attribution-signature").json))
    #expect(claim.state == .unverifiable)
    #expect(claim.verified == nil)
    #expect(claim.claim?.environment == .claimed)
    #expect(claim.claim?.attested == signed.facts(members))
    for signature in ["AAAA", "none", ""] {
      let sent =
        members.without("attribution-signature") + [.init("attribution-signature", .string(signature))]
      let judgement = signed.judge(try profile("apple").read(sent.json))
      #expect(judgement.state == .invalid && judgement.claim == nil)
    }
    expectValid(try profile("unsigned").read(members.json), members)
  }

  @Test func `Two values of one member are rejected, and the same value twice is read once`() throws {
    let members = try signed.members(.v3_0)
    let theirs = members.asTexts.named { "skad_" + $0.replacing("-", with: "_") }
    let same =
      theirs + [.init("did_win", .string(theirs.first { $0.name == "skad_did_win" }?.value.plainText ?? ""))]
    expectValid(try profile("appsflyer").read(same.json), members)
    let other = theirs + [.init("did_win", "maybe")]
    #expect(signed.judge(try profile("appsflyer").read(other.json)).reasonCode == "duplicate-member")
  }

  @Test(arguments: [
    "01", "+1", " 1", "1 ", "1.5", "1.", "1e0", "-1", "-0", "0x1", "９", "99999999999999999999", "true",
  ])
  func `An integer is restored from its spellings only`(text: String) throws {
    let members = try signed.members(.v3_0).map { member -> JSONOutput.Member in
      member.name == "fidelity-type" ? .init(member.name, .string(text)) : member
    }
    let judgement = signed.judge(try profile("text").read(members.json))
    #expect(judgement.state == .malformed, "\(judgement.reason?.english ?? "")")
  }

  @Test(arguments: ["yes", "2", "01", "t", "null"])
  func `A truth value is restored from its spellings only`(text: String) throws {
    let members = try signed.members(.v3_0).map { member -> JSONOutput.Member in
      member.name == "did-win" ? .init(member.name, .string(text)) : member
    }
    #expect(signed.judge(try profile("text").read(members.json)).state == .malformed)
  }

  @Test func `A version without its zero is Apple's, and no other version is made of it`() throws {
    for (version, short) in [(ProtocolVersion.v2_0, "2"), (.v3_0, "3"), (.v4_0, "4")] {
      let members = try signed.members(version)
      for value in [.string(short), .integer(Int64(short) ?? 0)] as [JSONOutput] {
        let sent = members.map { $0.name == "version" ? .init("version", value) : $0 }
        // Also of a network whose form is not configured.
        for name in ["liftoff", "apple", "text"] { expectValid(try profile(name).read(sent.json), members) }
        #expect(
          try profile("apple").read(sent.json).members.first { $0.name == "version" }?.remark == .otherType)
      }
    }
    let later = try signed.members(.v2_2).map { $0.name == "version" ? .init("version", "2") : $0 }
    #expect(signed.judge(try profile("liftoff").read(later.json)).state == .invalid)
    let unknown = try signed.members(.v4_0).map { $0.name == "version" ? .init("version", "5") : $0 }
    #expect(signed.judge(try profile("liftoff").read(unknown.json)).state == .unverifiable)
  }

  @Test func `The App Store number is read from a spare name only where no other member has it`() throws {
    let members = try signed.members(.v3_0)
    let theirs = members.asTexts.named { "skad_" + $0.replacing("-", with: "_") }
    // Beside the number itself it is the partner's own, whatever it has.
    let both = theirs + [.init("app_id", "id1")]
    let read = try profile("appsflyer-raw").read(both.json)
    expectValid(read, members)
    #expect(read.members.last?.treatment == .own)
    let spare = theirs.map { member -> JSONOutput.Member in
      member.name == "skad_app_id" ? .init("app_id", .string("id" + member.value.plainText)) : member
    }
    expectValid(try profile("appsflyer-raw").read(spare.json), members)
    for wrong in ["ID525463029", "id", "id0525463029", "id 525463029", "idid525463029"] {
      let sent = theirs.without("skad_app_id") + [.init("app_id", .string(wrong))]
      #expect(signed.judge(try profile("appsflyer-raw").read(sent.json)).state == .malformed, "\(wrong)")
    }
  }

  @Test func `A profile of the configuration reads texts and nulls where strict reading finds no postback`()
    throws
  {
    let node = try JSONReader.read(Array(#"{"names":{"txid":"transaction-id"}}"#.utf8))
    let own = try JSONPlace(node).networkProfile(named: "acme")
    let members = try signed.members(.v3_0)
    let sent =
      members.asTexts.named { $0 == "transaction-id" ? "txid" : $0 } + [.init("source-identifier", .null)]
    let read = own.read(sent.json)
    expectValid(read, members)
    #expect(read.members.contains { $0.name == "redownload" && $0.remark == .otherType })
    // What strict reading takes is left as it came.
    let strict = members.named { $0 == "transaction-id" ? "txid" : $0 }
    #expect(own.read(strict.json).members.allSatisfy { $0.remark == nil })
  }

  @Test func `What a form gives is never valid unless strict reading of it is, in 10,000 mutated bodies`()
    throws
  {
    let target = try #require(FuzzTarget.named("network-form"))
    let outcome = try MutationRun(target).mutate(10_000, seed: 20_261_123)
    #expect(outcome.count == 10_000)
    #expect(outcome.failures.map(\.law) == [])
  }
}

struct `A network's form in the configuration` {
  private func read(_ text: String) throws(JSONProblem) -> NetworkProfile {
    guard let node = try? JSONReader.read(Array(text.utf8)) else { preconditionFailure("the text is JSON") }
    return try JSONPlace(node).networkProfile(named: "acme")
  }

  @Test func `A network's form is the name of a profile or an object`() throws {
    #expect(try read(#""singular""#) == NetworkProfile.builtIn("singular"))
    let own = try read(
      #"""
      {"containers":["parameters"],"names":{"txid":"transaction-id"},"text-values":true,"signed":false,
       "test-member":"sandbox"}
      """#)
    #expect(own.name == "acme" && own.containers == [.parameters] && own.names == ["txid": .transactionID])
    #expect(own.restoresTypes && !own.isSigned && own.testMember == "sandbox")
    #expect(try read(#"{"base64":"raw"}"#).content == .base64(member: "raw"))
    #expect(try read(#"{"text":"raw"}"#).content == .text(member: "raw"))
    #expect(try read("{}").containers == [.json])
  }

  @Test(arguments: [
    #""singluar""#, #"{"containers":[]}"#, #"{"containers":["xml"]}"#, #"{"base64":"a","text":"b"}"#,
    #"{"names":{"txid":"transaction_id"}}"#, #"{"names":{"kid":"kid"}}"#, #"{"sined":true}"#, "7", "null",
  ])
  func `A network's form is rejected with what is allowed`(text: String) throws {
    #expect(throws: JSONProblem.self) { try read(text) }
  }
}

struct `The page for a network` {
  @Test func `The page for a network has the address with a token, for systems that know nothing else`()
    throws
  {
    let macros = try #require(NetworkProfile.builtIn("macros"))
    let text = NetworkGuide(network: "acme", profile: macros, url: "https://skan.example").text
    #expect(text.contains("    GET https://skan.example/n/TOKEN"))
    #expect(text.contains("| 404 | the address has no token, or one that was revoked |"))
  }

  @Test(arguments: NetworkProfile.builtIn)
  func `The page for a network has its address, its form and an example that can be read`(
    profile: NetworkProfile
  ) throws {
    let text = NetworkGuide(network: "acme", profile: profile, url: "https://skan.example").text
    #expect(text.contains("https://skan.example/v1/networks/acme/postbacks"))
    #expect(text.contains("Authorization: Bearer TOKEN"))
    #expect(text.contains("counts as claimed only") == !profile.isSigned)
    guard profile.containers.contains(.json), case .members = profile.content else { return }
    let line = try #require(text.split(separator: "\n").first { $0.contains("--data '") })
    let body = try #require(line.split(separator: "'").dropFirst().first)
    let read = profile.read(Array(body.utf8))
    #expect(read.reading.postback?.attested.id == "6aafb7a5-0170-41b5-bbe4-fe71dedf1e30")
  }

  @Test func `A network's form takes work as it has parameters, however often one is repeated`() throws {
    let macros = try #require(NetworkProfile.builtIn("macros"))
    func read(_ count: Int) {
      let pairs = (0..<count).map { "version=\($0)" }.joined(separator: "&")
      #expect(macros.read(Array(pairs.utf8)).body.count > count)
    }
    // Sixteen times the input; a loop within a loop takes 256 times the work.
    #expect(workRatio(of: { read(4000) }, to: { read(250) }) < 64)
  }
}
