import JSONText
import OpenSSL
import Postbacks
import Signing
import Testing
import Values
import Verification

struct `A keyring` {
  @Test func `A keyring passes its own test`() throws {
    try Keyring().selfTest()
    try Keyring(trusting: SigningKeys.generate().keys).selfTest()
  }

  @Test func `A keyring treats source app 0 as a development postback, whichever of Apple's keys signed it`()
    throws
  {
    let keys = try SigningKeys.generate()
    let test = try keys.sign(skan(#","source-app-id":0"#))
    #expect(try Keyring(trusting: keys.keys).judge(test).environment == .test)
    let production = try Keyring(trusting: keys.keys.map { rotated($0, .production) })
    #expect(production.judge(test).environment == .development)
    #expect(production.judge(test).warnings == [.testMarker])
    #expect(production.judge(test).verified?.warnings == [.testMarker])
    let real = try keys.sign(skan(#","source-app-id":1"#))
    #expect(production.judge(real).environment == .production)
    #expect(production.judge(real).warnings == [])
  }

  @Test func `A keyring accepts a new production key in our own form only`() throws {
    let keys = try SigningKeys.generate()
    let text = KeyFile.text(of: keys.keys.map { rotated($0, .production) }, includingPrivateKeys: false)
    #expect(!text.contains("private"))
    let read = try KeyFile.read(Array(text.utf8))
    #expect(read.map(\.environment) == Array(repeating: .production, count: 6))
    #expect(try Keyring(trusting: read).judge(keys.sign(skan(""))).environment == .production)
  }

  @Test func `A keyring distinguishes unknown and missing kids from forgeries`() throws {
    let keys = try SigningKeys(KeyFile.read(vectorFile("test-keys.json")))
    let trusted = try Keyring(trusting: keys.keys)
    let body = try keys.sign(aak, keyID: "apple-development-identifier/1")
    #expect(trusted.judge(body).environment == .test)
    #expect(try Keyring().judge(body).reasonCode == "signature-mismatch")
    let foreign = try SigningKeys([
      TrustedKey(
        use: .aak(keyID: "apple-cas-identifier/9"), curve: .p256, environment: .test, spki: keys.keys[0].spki,
        privateKey: keys.keys[0].privateKey)
    ])
    let judgement = try trusted.judge(foreign.sign(aak, keyID: "apple-cas-identifier/9"))
    #expect(judgement.state == .unverifiable)
    #expect(
      judgement.reason?.english == "unknown-key: no key is known for the \"kid\" \"apple-cas-identifier/9\"")
    #expect(judgement.id == "P")
  }

  @Test(arguments: ["", "!", "AAA", "MEUC", "AAAA", "MEUCIQ=="])
  func `A keyring treats an unreadable signature as invalid`(text: String) throws {
    let body = skan(#","attribution-signature":"\#(text)""#)
    #expect(try Keyring().judge(body).state == .invalid)
  }

  @Test func `A keyring treats a missing signature as unverifiable, unless the rest is broken too`() throws {
    #expect(try Keyring().judge(skan("")).reasonCode == "missing-signature")
    #expect(try Keyring().judge(skan(#","source-app-id":"1""#)).reasonCode == "wrong-type")
  }

  @Test func `A keyring makes the row that people and scripts read`() throws {
    let judgement = try Keyring().judge(skan(#","source-app-id":"1","x":1"#))
    let expected =
      #"{"index":7,"kind":"skan","version":"4.0","state":"malformed","environment":null,"#
      + #""reason":"wrong-type: \"source-app-id\" must be an integer, found a string","warnings":[],"id":"t"}"#
    #expect(judgement.row(index: 7).text() == expected)
    let keys = try SigningKeys.generate()
    let valid = try Keyring(trusting: keys.keys).judge(keys.sign(skan(#","x":1"#)))
    let row =
      #"{"index":0,"kind":"skan","version":"4.0","state":"valid","environment":"test","reason":null,"#
      + #""warnings":["unknown-member: Apple documents no member \"x\""],"id":"t"}"#
    #expect(valid.row(index: 0).text() == row)
  }

  @Test func `A keyring judges a parsed body as it judges its bytes`() throws {
    let keyring = try Keyring()
    let node = try JSONReader.readValue(in: Array("  [1,".utf8) + skan("") + Array("]".utf8), at: 2)
    let element = try #require(node.value.array?.last)
    #expect(keyring.judge(element) == keyring.judge(skan("")))
  }

  @Test func `A keyring answers eight threads at once`() async throws {
    let keys = try SigningKeys.generate()
    let keyring = try Keyring(trusting: keys.keys)
    let bodies = try [keys.sign(skan("")), keys.sign(aak), skan("")]
    let valid = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<60).count { keyring.judge(bodies[$0 % 3]).state == .valid } }
      }
      return await group.reduce(0, +)
    }
    #expect(valid == 8 * 40)
  }
}

struct `A key file` {
  @Test func `A key file is read back as it was written`() throws {
    let keys = try SigningKeys.generate().keys
    #expect(try KeyFile.read(Array(KeyFile.text(of: keys, includingPrivateKeys: true).utf8)) == keys)
  }

  @Test func `A key file may be PEM`() throws {
    let secret = try #require(try SigningKeys.generate().keys.first { $0.curve == .p192 })
    let der = try #require(secret.privateKey)
    let pem = PEMBlock(label: "EC PRIVATE KEY", bytes: der).text
    let keys = try KeyFile.read(Array(pem.utf8))
    #expect(
      keys == [TrustedKey(use: .skan, curve: .p192, environment: .test, spki: secret.spki, privateKey: der)])
    let p256 = try #require(try SigningKeys.generate().keys.first { $0.curve == .p256 })
    let both = try KeyFile.read(Array(PEMBlock(label: "PUBLIC KEY", bytes: p256.spki).text.utf8))
    #expect(both.map(\.use) == [.skan, .aak(keyID: productionKeyID)])
    #expect(both.allSatisfy { $0.environment == .test && $0.privateKey == nil })
  }

  @Test(arguments: [
    "", "{}", "[]", "x", "{\"keys\":[]}", "{\"keys\":3}", "{\"keys\":[{}]}", "{\"p256\":\"\"}",
    "{\"p256\":\"AAAA\"}",
    "{\"p256\":1}", "{\"p192\":\"\(p256)\"}", "{\"p256\":\"\(p256)\",\"p256\":\"\(p256)\"}",
    "{\"keys\":[{\"use\":\"skan\",\"curve\":\"P-256\",\"public-key\":\"\(p256)\"}]}",
    "{\"keys\":[{\"use\":\"aak\",\"curve\":\"P-256\",\"environment\":\"test\",\"public-key\":\"\(p256)\"}]}",
    "{\"keys\":[{\"use\":\"skan\",\"curve\":\"P-192\",\"environment\":\"test\",\"public-key\":\"\(p256)\"}]}",
    "{\"keys\":[{\"use\":\"skan\",\"curve\":\"P-256\",\"environment\":\"Test\",\"public-key\":\"\(p256)\"}]}",
    "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
  ])
  func `A key file is rejected in any other form`(text: String) {
    #expect(throws: KeyFileError.self) { try KeyFile.read(Array(text.utf8)) }
  }

  @Test(arguments: [
    ("{\"keys\":[\n{\"use\":\"skan\"}]}", "2:1: $.keys[0] needs an \"environment\""),
    ("{\"keys\":[\n{\"usse\":\"skan\"}]}", "2:2: $.keys[0].usse is unknown: a key has no member \"usse\""),
    ("{\"keys\":3}", "1:9: $.keys must be an object, found an integer"),
    ("{\"p256\":1}", "1:9: $.p256 must be a string"),
    (
      "{\"keys\":[{\"use\":\"skan\",\"curve\":\"P-256\",\"environment\":\"Test\",\"public-key\":\"\(p256)\"}]}",
      "$.keys[0].environment must be one of production, development, test, found \"Test\""
    ),
  ])
  func `A key file that is wrong is reported with line, path and what is allowed`(text: String, words: String)
  {
    let error = #expect(throws: KeyFileError.self) { try KeyFile.read(Array(text.utf8)) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test func `A key file must not pair keys that do not belong together`() throws {
    let one = try SigningKeys.generate().keys[0]
    let other = try SigningKeys.generate().keys[0]
    let mixed = TrustedKey(
      use: .skan, curve: .p256, environment: .test, spki: one.spki, privateKey: other.privateKey)
    let text = KeyFile.text(of: [mixed], includingPrivateKeys: true)
    #expect(throws: KeyFileError.self) { try KeyFile.read(Array(text.utf8)) }
  }

  @Test func `A key file must not pair a private number with another key either`() throws {
    let scalar = [UInt8](repeating: 7, count: 32)
    let spki = try PrivateKey(scalar: scalar, on: .p256).spki()
    func file(_ key: String) -> [UInt8] {
      let number = String(repeating: "07", count: 32)
      return Array(#"{"p256":"\#(key)","private_scalars_hex":{"p256":"\#(number)"}}"#.utf8)
    }
    #expect(throws: KeyFileError.self) { try KeyFile.read(file(p256)) }
    let keys = try KeyFile.read(file(String(decoding: Base64.encode(spki), as: UTF8.self)))
    #expect(keys.map(\.spki) == [spki])
    #expect(keys[0].privateKey != nil)
  }
}

private let p256 =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEvjXIbRiKpstY09Fyn6rQ9gfBndvXsR+AGIk4HzZrzHIbZiOfR5VoWNBTgI+dwCojP+ej+EwMh+fImVVxixbJww=="

private func rotated(_ key: TrustedKey, _ environment: Environment) -> TrustedKey {
  TrustedKey(use: key.use, curve: key.curve, environment: environment, spki: key.spki)
}

/// A well-formed unsigned 4.0 postback with more members.
func skan(_ more: String) -> [UInt8] {
  let text =
    #"{"version":"4.0","ad-network-id":"a.skadnetwork","source-identifier":"39","app-id":5,"transaction-id":"t","#
    + #""redownload":false,"fidelity-type":1,"did-win":true,"postback-sequence-index":0\#(more)}"#
  return Array(text.utf8)
}

/// A well-formed unsigned AdAttributionKit postback.
let aak = Array(
  (#"{"advertised-item-identifier":5,"conversion-type":"download","ad-network-identifier":"a.adattributionkit","#
    + #""impression-type":"app-impression","postback-sequence-index":0,"source-identifier":"39","did-win":true,"#
    + #""postback-identifier":"P","ad-interaction-type":"click","conversion-value":3}"#).utf8)
