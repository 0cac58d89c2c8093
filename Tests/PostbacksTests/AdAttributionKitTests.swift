import JSONText
import Postbacks
import Testing
import Values

private let header = #"{"kid":"apple-cas-identifier\/0","alg":"ES256"}"#
private let payload =
  #"{"advertised-item-identifier":5,"conversion-type":"download","ad-network-identifier":"a.adattributionkit","impression-type":"app-impression","postback-sequence-index":0,"source-identifier":"39","did-win":true,"postback-identifier":"P"}"#

private func segment(_ text: String) -> String {
  String(decoding: Base64.encodeURL(Array(text.utf8)), as: UTF8.self)
}

private func reading(
  header: String = header, payload: String = payload, signature: [UInt8] = [UInt8](repeating: 7, count: 64),
  envelope: String = ""
) -> PostbackReading {
  let last = String(decoding: Base64.encodeURL(signature), as: UTF8.self)
  return PostbackReading(
    Array(#"{"jws-string":"\#(segment(header)).\#(segment(payload)).\#(last)"\#(envelope)}"#.utf8))
}

struct `Reading AdAttributionKit` {
  @Test func `Reading AdAttributionKit accepts a postback as documented and keeps the signed text unchanged`()
    throws
  {
    let reading = reading(
      envelope: #","ad-interaction-type":"click","coarse-conversion-value":"low","country-code":"US""#)
    guard case .aak(let postback)? = reading.postback else {
      Issue.record("not read: \(reading.outcome)")
      return
    }
    #expect(reading.kind == .aak)
    #expect(reading.version == "aak")
    #expect(reading.id == "P")
    #expect(postback.keyID == "apple-cas-identifier/0")
    #expect(postback.signedMessage == Array("\(segment(header)).\(segment(payload))".utf8))
    #expect(postback.attested.outcome == .install)
    #expect(postback.claimed == ClaimedFacts(value: .coarse(.low), interaction: .click, country: "US"))
    #expect(reading.warnings == [])
  }

  @Test(arguments: [
    ("download", true, Outcome.install), ("redownload", true, .redownload),
    ("re-engagement", true, .reengagement),
    ("pre-order", true, .other), ("download", false, .assist),
  ])
  func `Reading AdAttributionKit reports what happened`(type: String, didWin: Bool, outcome: Outcome) {
    let changed = payload.replacing("\"download\"", with: "\"\(type)\"").replacing("true", with: "\(didWin)")
    let reading = reading(payload: changed)
    #expect(reading.postback?.attested.outcome == outcome)
    #expect(reading.warnings == (outcome == .other ? [.unknownConversionType] : []))
  }

  @Test(arguments: [
    (#"{"alg":"none","kid":"k"}"#, "jws-algorithm"), (#"{"alg":"HS256","kid":"k"}"#, "jws-algorithm"),
    (#"{"alg":"es256","kid":"k"}"#, "jws-algorithm"),
    (#"{"alg":"ES256","kid":"k","crit":["exp"]}"#, "jws-critical"),
    (#"{"alg":"ES256","kid":"k","crit":[]}"#, "jws-critical"),
    (#"{"alg":"ES256","alg":"ES256"}"#, "duplicate-member"),
    (#"{"kid":"k"}"#, "missing-member"), (#"{"alg":"ES256","kid":1}"#, "wrong-type"), ("[]", "not-an-object"),
    ("{", "broken-json"),
  ])
  func `Reading AdAttributionKit rejects other headers`(header: String, code: String) {
    #expect(reasonCode(reading(header: header)) == code)
  }

  @Test(arguments: ["", "a", "a.b", "a.b.c.d", "....", "a.b."])
  func `Reading AdAttributionKit rejects other structures`(text: String) {
    let code = reasonCode(PostbackReading(Array(#"{"jws-string":"\#(text)"}"#.utf8)))
    #expect(code == "jws-segments" || code == "jws-encoding")
  }

  @Test(arguments: [0, 63, 65])
  func `Reading AdAttributionKit rejects signatures of another length`(count: Int) {
    let reading = reading(signature: [UInt8](repeating: 1, count: count))
    #expect(reading.outcome == .invalid(.jwsSignatureLength))
    #expect(reading.id == "P")
  }

  @Test(arguments: [
    (
      "\"did-win\":true", "\"did-win\":1",
      "wrong-type: jws-string.payload[\"did-win\"] must be a boolean, found an integer"
    ),
    ("\"did-win\":true,", "", "missing-member: jws-string.payload[\"did-win\"] is required and missing"),
    (
      ":5,", ":-5,",
      "out-of-range: jws-string.payload[\"advertised-item-identifier\"] must be 0 through 9223372036854775807"
    ),
    (
      "\"39\"", "\"3\"",
      "wrong-form: jws-string.payload[\"source-identifier\"] must be two, three or four decimal digits"
    ),
    (
      "\"39\"", "39",
      "wrong-type: jws-string.payload[\"source-identifier\"] must be a string, found an integer"
    ),
    (
      "index\":0", "index\":3",
      "out-of-range: jws-string.payload[\"postback-sequence-index\"] must be 0 through 2"
    ),
  ])
  func `Reading AdAttributionKit rejects other payloads and reports where`(
    part: String, other: String, sentence: String
  ) {
    let reading = reading(payload: payload.replacing(part, with: other))
    guard case .malformed(let defect) = reading.outcome else {
      Issue.record("was taken")
      return
    }
    #expect(defect.description == sentence)
    #expect(reading.id == "P")
  }

  @Test func `Reading AdAttributionKit accepts what may come in the future, with a warning`() {
    let changed = payload.replacing("app-impression", with: "page").replacing(
      "{", with: "{\"new\":{\"a\":[1]},")
    let reading = reading(payload: changed, envelope: #","ad-interaction-type":"tap","x":null"#)
    #expect(reading.postback != nil)
    #expect(
      reading.warnings == [
        .unknownImpressionType, .unknownInteractionType, .unknownMember(.body, name: "x"),
        .unknownMember(.jwsPayload, name: "new"),
      ])
  }

  @Test func `Every defect, warning and reason of a postback has its own code`() {
    let codes =
      PostbackDefect.codes + PostbackWarning.codes + UnverifiableReason.codes
      + InvalidReason.allCases.map(\.code)
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "-") } })
  }
}
