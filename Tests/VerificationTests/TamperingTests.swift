import JSONText
import Postbacks
import Signing
import Testing
import Values
import Verification

private let unsigned: Set<String> = [
  "conversion-value", "coarse-conversion-value", "country-code", "ad-interaction-type", "timestamp",
]

/// Signed random postbacks of every version.
private struct Sample {
  let keys: SigningKeys
  let keyring: Keyring
  private var generator: PostbackGenerator

  init(seed: UInt64) throws {
    keys = try SigningKeys(KeyFile.read(vectorFile("test-keys.json")))
    keyring = try Keyring(trusting: keys.keys)
    generator = PostbackGenerator(seed: seed)
  }

  mutating func next(_ version: ProtocolVersion) -> [JSONOutput.Member] {
    if case .object(let members) = generator.next(version) { members } else { [] }
  }
}

struct `A signed postback` {
  @Test(arguments: ProtocolVersion.allCases)
  func `A signed postback is valid as it was signed, without a warning`(version: ProtocolVersion) throws {
    var sample = try Sample(seed: 11)
    for round in 0..<40 {
      let members = sample.next(version)
      let judgement = try sample.keyring.judge(sample.keys.sign(.object(members)))
      #expect(judgement.state == .valid, "round \(round): \(judgement.reason?.english ?? "")")
      #expect(judgement.version == version.rawValue)
      #expect(judgement.environment == .test)
      #expect(judgement.warnings == [])
      #expect(judgement.verified?.claimed.value != .rejected)
    }
  }

  @Test(arguments: ProtocolVersion.allCases)
  func `A signed postback is not valid when any signed member changes`(version: ProtocolVersion) throws {
    var sample = try Sample(seed: 12)
    for _ in 0..<6 {
      let members = sample.next(version)
      let body = try sample.keys.sign(.object(members))
      for member in members where !unsigned.contains(member.name) {
        for other in variants(of: member.value) + [nil] {
          let tampered = try replacing(member.name, with: other, in: body, version: version)
          #expect(sample.keyring.judge(tampered).state != .valid, "\(member.name)")
        }
      }
    }
  }

  @Test(arguments: ProtocolVersion.allCases)
  func `A signed postback stays valid when anything unsigned changes`(version: ProtocolVersion) throws {
    var sample = try Sample(seed: 13)
    for _ in 0..<6 {
      let body = try sample.keys.sign(.object(sample.next(version)))
      for name in unsigned.sorted() {
        for value in [.integer(1), .integer(64), "low", "LOW"] as [JSONOutput] {
          if name == "conversion-value", case .string = value { continue }
          if name != "conversion-value", name != "timestamp", case .integer = value { continue }
          let changed = try replacing(name, with: value, in: body, version: nil)
          #expect(sample.keyring.judge(changed).state == .valid, "\(name)")
        }
        #expect(try sample.keyring.judge(replacing(name, with: nil, in: body, version: nil)).state == .valid)
      }
    }
  }

  @Test func `A signed postback is never valid with other signed facts, whatever happened to its bytes`()
    throws
  {
    var sample = try Sample(seed: 14)
    var random = SplitMix64(seed: 15)
    let genuine = try ProtocolVersion.allCases.map { try sample.keys.sign(.object(sample.next($0))) }
    var valid = 0
    for round in 0..<20_000 {
      let original = genuine[round % genuine.count]
      var body = original
      for _ in 0...random.number(below: 3) {
        guard !body.isEmpty else { break }
        let at = random.number(below: body.count)
        switch random.number(below: 5) {
        case 0: body[at] ^= UInt8(1 << random.number(below: 8))
        case 1: body.remove(at: at)
        case 2: body.insert(UInt8(random.number(below: 256)), at: at)
        case 3: body.replaceSubrange(at..<min(at + 20, body.count), with: [])
        default:
          let other = genuine[random.number(below: genuine.count)]
          let from = random.number(below: other.count)
          body.insert(contentsOf: other[from..<min(from + 30, other.count)], at: at)
        }
      }
      let judgement = sample.keyring.judge(body)
      guard let postback = judgement.verified else { continue }
      valid += 1
      #expect(postback.attested == sample.keyring.judge(original).verified?.attested, "round \(round)")
    }
    // Some mutations touch unsigned members or white space only; if none did, nothing was tested.
    #expect(valid > 20)
  }

  /// Values near to `value`: another of its kind, and of another type.
  private func variants(of value: JSONOutput) -> [JSONOutput] {
    switch value {
    case .integer(let number): [.integer(number ^ 1), .integer(number + 10), .string(String(number))]
    case .bool(let truth): [.bool(!truth), .integer(truth ? 1 : 0)]
    case .string(let text):
      [.string(text + "0"), .string("39"), .string(String(text.dropLast())), .string("")]
    default: [.null]
    }
  }

  /// Replaces, adds or removes a member; of AdAttributionKit inside the payload where the version has it there.
  private func replacing(
    _ name: String, with value: JSONOutput?, in body: [UInt8], version: ProtocolVersion?
  ) throws -> [UInt8] {
    let object = try #require(try JSONReader.read(body).value.object)
    guard version == .adAttributionKit else { return changed(object, name, value).bytes() }
    var segments = try #require(object["jws-string"]?.value.string).split(separator: ".").map(String.init)
    let payload = try #require(Base64.decodeURL(Array(segments[1].utf8)))
    let tampered = changed(try #require(try JSONReader.read(payload).value.object), name, value)
    segments[1] = String(decoding: Base64.encodeURL(tampered.bytes()), as: UTF8.self)
    return changed(object, "jws-string", .string(segments.joined(separator: "."))).bytes()
  }

  private func changed(_ object: JSONObject, _ name: String, _ value: JSONOutput?) -> JSONOutput {
    var members = object.members.map { JSONOutput.Member($0.name, JSONOutput($0.value.value)) }
    members.removeAll { $0.name == name }
    if let value { members.append(.init(name, value)) }
    return .object(members)
  }
}

struct `The postback generator` {
  @Test func `The postback generator gives the same postbacks for the same seed`() {
    func first(_ seed: UInt64) -> [JSONOutput] {
      var generator = PostbackGenerator(seed: seed)
      return (0..<200).map { _ in generator.next() }
    }
    #expect(first(1) == first(1))
    #expect(first(1) != first(2))
  }

  @Test func `The postback generator makes well-formed postbacks of every version, window and outcome`()
    throws
  {
    var generator = PostbackGenerator(seed: 3)
    var seen: [ProtocolVersion: Int] = [:]
    var windows: Set<ConversionWindow> = []
    var outcomes: Set<Outcome> = []
    let keys = try SigningKeys(KeyFile.read(vectorFile("test-keys.json")))
    for _ in 0..<1000 {
      let reading = PostbackReading(try keys.sign(generator.next()))
      let facts = try #require(reading.postback?.attested)
      #expect(reading.warnings == [])
      seen[facts.version, default: 0] += 1
      windows.insert(facts.window)
      outcomes.insert(facts.outcome)
    }
    #expect(seen.count == ProtocolVersion.allCases.count)
    #expect(seen[.v4_0] ?? 0 > 600)
    #expect(windows.count == 3)
    #expect(outcomes == [.install, .redownload, .reengagement, .assist])
  }

  @Test(arguments: [
    (#"{"version":"4.0"}"#, "malformed"), ("[]", "malformed"), ("{", "malformed"),
    (#"{"version":"9"}"#, "unknown-version"),
    (#"{"version":"4.0","attribution-signature":""}"#, "signed-already"),
    (#"{"jws-string":""}"#, "signed-already"),
    (#"{"ad-network-identifier":"x"}"#, "malformed"),
  ])
  func `The postback generator signs only unsigned postbacks`(text: String, code: String) throws {
    let keys = try SigningKeys(KeyFile.read(vectorFile("test-keys.json")))
    let error = #expect(throws: SigningError.self) { try keys.sign(Array(text.utf8)) }
    #expect(error?.code == code)
  }

  @Test func `The postback generator cannot sign without a key`() throws {
    let keys = try SigningKeys([])
    #expect(throws: SigningError.noKey("SKAdNetwork 4.0")) { try keys.sign(skan("")) }
    #expect(throws: SigningError.self) { try keys.sign(aak) }
  }
}

struct `A source app that is relabelled as a domain of its digits` {
  @Test
  func `A source app that is relabelled as a domain of its digits is malformed in spite of its signature`()
    throws
  {
    var sample = try Sample(seed: 23)
    var tried = 0
    for _ in 0..<200 {
      let members = sample.next(.v4_0)
      guard let app = members.first(where: { $0.name == "source-app-id" }) else { continue }
      tried += 1
      let text = String(decoding: try sample.keys.sign(.object(members)), as: UTF8.self)
      let digits = app.value.text()
      let relabelled = text.replacing("\"source-app-id\":\(digits)", with: "\"source-domain\":\"\(digits)\"")
      #expect(relabelled != text)
      let judgement = sample.keyring.judge(Array(relabelled.utf8))
      #expect(judgement.state == .malformed)
      #expect(judgement.reasonCode == "wrong-form")
    }
    #expect(tried > 20)
  }
}
