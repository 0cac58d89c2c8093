import JSONText
import Postbacks
import Testing

/// Well-formed members of each version, for tests that change one of them.
private let members: [ProtocolVersion: [JSONOutput.Member]] = {
  let start: [JSONOutput.Member] = [
    .init("ad-network-id", "com.example"), .init("app-id", 5), .init("transaction-id", "t"),
    .init("attribution-signature", "AAAA"),
  ]
  let campaign = [JSONOutput.Member("campaign-id", 42)]
  let redownload = [JSONOutput.Member("redownload", false)]
  let fidelity = [JSONOutput.Member("fidelity-type", 1)]
  let didWin = [JSONOutput.Member("did-win", true)]
  func version(_ text: String) -> [JSONOutput.Member] { [.init("version", .string(text))] }
  return [
    .v1_0: start + campaign,
    .v2_0: version("2.0") + start + campaign + redownload,
    .v2_1: version("2.1") + start + campaign + redownload,
    .v2_2: version("2.2") + start + campaign + redownload + fidelity,
    .v3_0: version("3.0") + start + campaign + redownload + fidelity + didWin,
    .v4_0: version("4.0") + start + redownload + fidelity + didWin + [
      .init("source-identifier", "5239"), .init("postback-sequence-index", 0),
    ],
  ]
}()

private func body(_ version: ProtocolVersion, with changes: [JSONOutput.Member] = [], without: String = "")
  -> [UInt8]
{
  let kept = (members[version] ?? []).filter { member in
    member.name != without && !changes.contains { $0.name == member.name }
  }
  return JSONOutput.object(kept + changes).bytes()
}

private func raw(_ name: String, _ text: String) -> [UInt8] {
  let rest = String(decoding: body(.v4_0, without: name).dropFirst(), as: UTF8.self)
  return Array("{\"\(name)\":\(text),\(rest)".utf8)
}

struct `Reading SKAdNetwork` {
  @Test(arguments: members.keys.sorted { $0.rawValue < $1.rawValue })
  func `Reading SKAdNetwork accepts every version as documented`(version: ProtocolVersion) throws {
    let reading = PostbackReading(body(version))
    let postback = try #require(reading.postback)
    #expect(reading.kind == .skan)
    #expect(reading.version == version.rawValue)
    #expect(reading.id == "t")
    #expect(reading.warnings == [])
    #expect(postback.attested.version == version)
    #expect(postback.claimed == ClaimedFacts(value: .absent, interaction: nil, country: nil))
    #expect(postback.attested.campaign.text == (version == .v4_0 ? "5239" : "42"))
  }

  @Test(arguments: members.keys.sorted { $0.rawValue < $1.rawValue })
  func `Reading SKAdNetwork reports each missing required member, and never treats null as missing`(
    version: ProtocolVersion
  ) {
    for name in (members[version] ?? []).map(\.name)
    where name != "version" && name != "attribution-signature" {
      let missing = PostbackReading(body(version, without: name))
      #expect(reasonCode(missing) == "missing-member", "\(version) \(name)")
      let null = PostbackReading(body(version, with: [.init(name, nil)]))
      #expect(reasonCode(null) == "wrong-type", "\(version) \(name)")
    }
  }

  @Test(arguments: [
    ("app-id", "\"5\"", "wrong-type: \"app-id\" must be an integer, found a string"),
    (
      "app-id", "5.0",
      "wrong-type: \"app-id\" must be an integer, found a number with a fraction or an exponent"
    ),
    (
      "app-id", "5E0",
      "wrong-type: \"app-id\" must be an integer, found a number with a fraction or an exponent"
    ),
    ("app-id", "true", "wrong-type: \"app-id\" must be an integer, found a boolean"),
    ("app-id", "-1", "out-of-range: \"app-id\" must be 0 through 9223372036854775807"),
    ("app-id", "-0", "out-of-range: \"app-id\" must be 0 through 9223372036854775807"),
    ("app-id", "9223372036854775808", "out-of-range: \"app-id\" must be 0 through 9223372036854775807"),
    ("redownload", "1", "wrong-type: \"redownload\" must be a boolean, found an integer"),
    ("redownload", "\"true\"", "wrong-type: \"redownload\" must be a boolean, found a string"),
    ("did-win", "0", "wrong-type: \"did-win\" must be a boolean, found an integer"),
    ("fidelity-type", "true", "wrong-type: \"fidelity-type\" must be an integer, found a boolean"),
    ("fidelity-type", "2", "out-of-range: \"fidelity-type\" must be 0 through 1"),
    ("fidelity-type", "-1", "out-of-range: \"fidelity-type\" must be 0 through 1"),
    ("postback-sequence-index", "3", "out-of-range: \"postback-sequence-index\" must be 0 through 2"),
    (
      "postback-sequence-index", "false",
      "wrong-type: \"postback-sequence-index\" must be an integer, found a boolean"
    ),
    ("source-identifier", "39", "wrong-type: \"source-identifier\" must be a string, found an integer"),
    (
      "source-identifier", "\"5\"",
      "wrong-form: \"source-identifier\" must be two, three or four decimal digits"
    ),
    (
      "source-identifier", "\"52391\"",
      "wrong-form: \"source-identifier\" must be two, three or four decimal digits"
    ),
    (
      "source-identifier", "\"٥٢\"",
      "wrong-form: \"source-identifier\" must be two, three or four decimal digits"
    ),
    (
      "source-identifier", "\" 39\"",
      "wrong-form: \"source-identifier\" must be two, three or four decimal digits"
    ),
    ("ad-network-id", "\"\"", "wrong-form: \"ad-network-id\" must not be empty"),
    ("ad-network-id", "[\"x\"]", "wrong-type: \"ad-network-id\" must be a string, found an array"),
    ("transaction-id", "\"\"", "wrong-form: \"transaction-id\" must not be empty"),
    (
      "transaction-id", "\"a\\u2063b\"",
      "separator-in-value: \"transaction-id\" must not contain U+2063, the separator of the signed string"
    ),
    ("source-app-id", "null", "wrong-type: \"source-app-id\" must be an integer, found null"),
    ("source-app-id", "-1", "out-of-range: \"source-app-id\" must be 0 through 9223372036854775807"),
    ("source-domain", "{}", "wrong-type: \"source-domain\" must be a string, found an object"),
    ("source-domain", "\"\"", "wrong-form: \"source-domain\" must not be empty"),
    // The signed string is that of a source app with this number.
    (
      "source-domain", "\"1234567891\"",
      "wrong-form: \"source-domain\" must be a domain name with a dot, such as example.com"
    ),
    (
      "source-domain", "\"localhost\"",
      "wrong-form: \"source-domain\" must be a domain name with a dot, such as example.com"
    ),
    ("conversion-value", "null", "wrong-type: \"conversion-value\" must be an integer, found null"),
    ("conversion-value", "\"20\"", "wrong-type: \"conversion-value\" must be an integer, found a string"),
    (
      "conversion-value", "20.0",
      "wrong-type: \"conversion-value\" must be an integer, found a number with a fraction or an exponent"
    ),
    (
      "coarse-conversion-value", "1",
      "wrong-type: \"coarse-conversion-value\" must be a string, found an integer"
    ),
    (
      "coarse-conversion-value", "null",
      "wrong-type: \"coarse-conversion-value\" must be a string, found null"
    ),
    ("country-code", "1", "wrong-type: \"country-code\" must be a string, found an integer"),
    ("attribution-signature", "null", "wrong-type: \"attribution-signature\" must be a string, found null"),
    (
      "version", "4.0",
      "wrong-type: \"version\" must be a string, found a number with a fraction or an exponent"
    ),
    ("version", "null", "wrong-type: \"version\" must be a string, found null"),
  ])
  func `Reading SKAdNetwork rejects other types and values, in one sentence`(
    name: String, text: String, sentence: String
  ) {
    guard case .malformed(let defect) = PostbackReading(raw(name, text)).outcome else {
      Issue.record("\(name): \(text) was taken")
      return
    }
    #expect(defect.description == sentence)
  }

  @Test(arguments: [(0, false), (1, true), (100, true), (101, false), (-1, false)] as [(Int64, Bool)])
  func `Reading SKAdNetwork accepts campaigns 1 through 100`(number: Int64, isTaken: Bool) {
    let reading = PostbackReading(body(.v3_0, with: [.init("campaign-id", .integer(number))]))
    #expect((reading.postback != nil) == isTaken)
  }

  @Test func `Reading SKAdNetwork accepts one of source app and source domain`() {
    let app = JSONOutput.Member("source-app-id", 7)
    let domain = JSONOutput.Member("source-domain", "a.example")
    #expect(
      PostbackReading(body(.v4_0, with: [app])).postback?.attested.publisher == AppID(7).map { .app($0) })
    #expect(PostbackReading(body(.v4_0, with: [domain])).postback?.attested.publisher == .web("a.example"))
    #expect(reasonCode(PostbackReading(body(.v4_0, with: [app, domain]))) == "exclusive-members")
    #expect(
      PostbackReading(body(.v3_0, with: [app, domain])).postback?.attested.publisher
        == AppID(7).map { .app($0) })
  }

  @Test func `Reading SKAdNetwork identifies unknown versions as such`() {
    for text in ["4.1", "2", "5.0", "", "1", "4.0 ", "aak"] {
      let reading = PostbackReading(Array(#"{"version":"\#(text)","app-id":[],"transaction-id":"x"}"#.utf8))
      #expect(reading.outcome == .unverifiable(.unknownVersion(text)))
      #expect(reading.id == "x")
    }
    #expect(
      reasonCode(PostbackReading(Array(#"{"version":"4.1","version":"4.1"}"#.utf8))) == "duplicate-member")
  }

  @Test(arguments: [
    ("", "broken-json"), ("{", "broken-json"), ("{} {}", "broken-json"), ("[]", "not-an-object"),
    ("\"x\"", "not-an-object"), ("{\"a\":1,\"a\":1}", "duplicate-member"), ("{}", "missing-member"),
    ("{\"a\":\"\\ud800\"}", "broken-json"),
  ])
  func `Reading SKAdNetwork rejects what is no object`(text: String, code: String) {
    #expect(reasonCode(PostbackReading(Array(text.utf8))) == code)
  }

  @Test func `Reading SKAdNetwork rejects duplicates even in JSON that was parsed without that check`() throws
  {
    let text = #"{"version":"3.0","did-win":true,"did-win":false,"transaction-id":"t"}"#
    let reading = PostbackReading(try JSONReader.read(Array(text.utf8), allowingDuplicates: true))
    #expect(reading == PostbackReading(Array(text.utf8)))
    #expect(reasonCode(reading) == "duplicate-member")
    #expect(reading.id == "t")
  }

  @Test func `Reading SKAdNetwork rejects a body that is larger than any postback, and reads nothing of it`()
  {
    let postback = body(.v4_0)
    let spaces = [UInt8](repeating: 0x20, count: PostbackReading.byteLimit - postback.count)
    #expect(PostbackReading(postback + spaces).postback != nil)
    let tooLarge = PostbackReading(postback + spaces + [0x20])
    #expect(reasonCode(tooLarge) == "too-large")
    #expect(tooLarge.id == nil)
  }

  @Test func `Reading SKAdNetwork keeps its messages short, whatever it read`() {
    let long = String(repeating: "é", count: 3000)
    let many = (0..<300).map { "\"\(long.prefix(90))\($0)\":0" }.joined(separator: ",")
    let texts = [
      "{\"\(long)\":{\"\(long)\":[{\"\(long)\":x}]}}", "{\"\(long)\":1,\"\(long)\":1}", "{\(many)}",
      "{\"version\":\"\(long)\"}",
    ]
    for text in texts {
      let reading = PostbackReading(Array(text.utf8))
      let said =
        switch reading.outcome {
        case .postback: ""
        case .unverifiable(let reason): reason.description
        case .invalid(let reason): reason.description
        case .malformed(let defect): defect.description
        }
      #expect(said.utf8.count < 500)
      #expect(reading.warnings.count <= 16)
    }
    let extended = PostbackReading(Array("{\(many),".utf8) + body(.v4_0).dropFirst())
    #expect(extended.warnings.count == 16)
    #expect(extended.warnings.allSatisfy { $0.description.utf8.count < 500 })
  }

  @Test func `Reading SKAdNetwork reports kind, version and id of a rejected body, if they exist`() {
    let duplicate = PostbackReading(
      Array(#"{"version":"3.0","transaction-id":"t","did-win":true,"did-win":false}"#.utf8))
    #expect(duplicate.version == "3.0")
    #expect(duplicate.id == "t")
    let long = String(repeating: "x", count: 5000)
    let reading = PostbackReading(Array(#"{"version":"\#(long)","transaction-id":"\#(long)"}"#.utf8))
    #expect(reading.id?.utf8.count == 128)
    guard case .unverifiable(let reason) = reading.outcome else {
      Issue.record("expected an unknown version")
      return
    }
    #expect(reason.description.utf8.count < 100)
    #expect(PostbackReading(Array(#"{"ad-interaction-type":"view"}"#.utf8)).kind == .aak)
    #expect(PostbackReading(Array(#"{"ad-interaction-type":"view","ad-network-id":"x"}"#.utf8)).kind == .skan)
    #expect(PostbackReading(Array(#"{"jws-string":3}"#.utf8)).kind == .aak)
    #expect(PostbackReading(Array(#"{"jws-string":"a.b"#.utf8)).kind == .aak)
    #expect(PostbackReading(Array(#"{"version":"4.0""#.utf8)).kind == .skan)
  }
}

struct `The claims of a postback` {
  private static let win = JSONOutput.Member("did-win", true)
  private static let loss = JSONOutput.Member("did-win", false)

  private static func fine(_ value: Int64) -> JSONOutput.Member { .init("conversion-value", .integer(value)) }
  private static func coarse(_ word: String) -> JSONOutput.Member {
    .init("coarse-conversion-value", .string(word))
  }
  private static func window(_ index: Int64) -> JSONOutput.Member {
    .init("postback-sequence-index", .integer(index))
  }
  private static let twoDigits = JSONOutput.Member("source-identifier", "39")

  @Test(
    arguments: [
      ([fine(0)], FineValue(0).map { .fine($0) } ?? .rejected, []),
      ([fine(63)], FineValue(63).map { .fine($0) } ?? .rejected, []),
      ([fine(64)], .rejected, [.valueOutOfRange]), ([fine(-1)], .rejected, [.valueOutOfRange]),
      ([fine(5), window(1), twoDigits], .rejected, [.fineValueInLaterWindow]),
      ([fine(5), window(2), twoDigits], .rejected, [.fineValueInLaterWindow]),
      ([fine(5), loss], .rejected, [.valueWithoutWin]),
      ([fine(5), coarse("low"), twoDigits], .rejected, [.bothValues]),
      ([coarse("low"), twoDigits], .coarse(.low), []),
      ([coarse("high"), twoDigits, window(2)], .coarse(.high), []),
      ([coarse("LOW"), twoDigits], .coarse(.low), [.coarseCase]),
      ([coarse("Medium"), twoDigits], .coarse(.medium), [.coarseCase]),
      ([coarse("medium")], .coarse(.medium), [.coarseBesideFourDigits]),
      ([coarse("lowest"), twoDigits], .rejected, [.unknownCoarseWord]),
      ([fine(12), coarse("lowest")], FineValue(12).map { .fine($0) } ?? .rejected, [.unknownCoarseWord]),
      ([fine(-1), coarse("low"), twoDigits], .coarse(.low), [.valueOutOfRange]),
      ([fine(64), coarse("lowest"), twoDigits], .rejected, [.valueOutOfRange, .unknownCoarseWord]),
      ([coarse("low"), twoDigits, loss], .rejected, [.valueWithoutWin]), ([], .absent, []),
      ([loss], .absent, []),
    ] as [([JSONOutput.Member], ConversionValue, [PostbackWarning])])
  func `The claims of a postback are judged by window, tier and win`(
    changes: [JSONOutput.Member], value: ConversionValue, warnings: [PostbackWarning]
  ) {
    let reading = PostbackReading(body(.v4_0, with: changes))
    #expect(reading.postback?.claimed.value == value)
    #expect(reading.warnings == warnings)
  }

  @Test(arguments: [
    "", "none", "None", "null", "N/A", "#N/A", "\\N", "nan", "NaN", "nil", "<NA>", "undefined",
  ])
  func `A text for no value in an unsigned member is none, and leaves the others alone`(text: String) {
    let none = [Self.coarse(text), .init("country-code", .string(text))]
    let warnings: [PostbackWarning] = [.nullAsText(.coarseConversionValue), .nullAsText(.countryCode)]
    for (changes, value) in [
      ([Self.fine(12)], FineValue(12).map { ConversionValue.fine($0) }), ([], .absent),
      ([Self.loss], .absent),
    ] {
      let reading = PostbackReading(body(.v4_0, with: changes + none))
      #expect(reading.postback?.claimed.value == value)
      #expect(reading.postback?.claimed.country == nil)
      #expect(reading.warnings == warnings)
    }
    let namibia = PostbackReading(body(.v4_0, with: [.init("country-code", "NA")]))
    #expect(namibia.postback?.claimed.country == "NA")
  }

  @Test(
    arguments: [
      ([loss, .init("source-app-id", 7)], [.sourceWithoutWin]),
      ([loss, .init("source-domain", "a.example")], [.sourceWithoutWin]),
      ([loss, window(1), twoDigits], [.laterWindowWithoutWin]), ([window(1)], [.detailInLaterWindow]),
      ([window(2), twoDigits, .init("source-app-id", 7)], [.detailInLaterWindow]),
      ([window(2), twoDigits], []),
      ([.init("source-app-id", 7)], []),
    ] as [([JSONOutput.Member], [PostbackWarning])])
  func `The claims of a postback are kept with a warning if signed fields violate Apple's rules`(
    changes: [JSONOutput.Member], warnings: [PostbackWarning]
  ) {
    let reading = PostbackReading(body(.v4_0, with: changes))
    #expect(reading.postback != nil)
    #expect(reading.warnings == warnings)
  }

  @Test func `The claims of a postback beyond 64 bits are rejected, not malformed`() {
    let reading = PostbackReading(raw("conversion-value", "99999999999999999999"))
    #expect(reading.postback?.claimed.value == .rejected)
    #expect(reading.warnings == [.valueOutOfRange])
  }

  @Test func `The claims of a postback get a warning for members of other versions and for unknown ones`() {
    let reading = PostbackReading(
      body(.v2_1, with: [.init("did-win", false), .init("source-domain", ""), .init("timestamp", 3)]))
    #expect(reading.postback?.attested.outcome == .install)
    #expect(
      reading.warnings == [
        .unsignedMember(.didWin, .v2_1), .unsignedMember(.sourceDomain, .v2_1),
        .unknownMember(.body, name: "timestamp"),
      ])
  }

  @Test func `The claims of a postback of version 1 have no value and no source`() {
    let reading = PostbackReading(
      body(.v1_0, with: [.init("version", "1.0"), .init("redownload", true), .init("conversion-value", 3)]))
    #expect(reading.postback?.attested.outcome == .install)
    #expect(reading.postback?.claimed.value == .absent)
    #expect(
      reading.warnings == [.unsignedMember(.redownload, .v1_0), .unsignedMember(.conversionValue, .v1_0)])
  }
}

/// The stable code of why a body was rejected.
func reasonCode(_ reading: PostbackReading) -> String? {
  switch reading.outcome {
  case .postback: nil
  case .unverifiable(let reason): reason.code
  case .invalid(let reason): reason.code
  case .malformed(let defect): defect.code
  }
}
