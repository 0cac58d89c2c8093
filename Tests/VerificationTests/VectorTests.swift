import JSONText
import OpenSSL
import Postbacks
import Testing
import Values
import Verification

private let published =
  (try? JSONReader.read(vectorFile("skan-aak.json")))?.value.array?.map { Vector($0) } ?? []
private let synthetic: [Vector] = {
  let document = try? JSONReader.read(vectorFile("test-keys.json"))
  return document?.value.object?["vectors"]?.value.array?.map { Vector($0) } ?? []
}()
private let apple = Result { try Keyring() }

/// Genuine, derived and forged postbacks, judged strictly.
///
/// Nine of them a tolerant verifier would take. They are rejected here, because accepting a body in a second reading
/// means that two readers can disagree on what Apple signed:
/// - everything as strings, `app-id` as a string, `redownload` as 1 (`pub-jen6-all-strings`, `d-4.0-app-id-string`,
///   `d-3.0-redownload-number`), and `app-id` written with a fraction (`d-4.0-app-id-float`): a relay rewrote the
///   types, and where types are guessed, fields can be shifted into each other (`d-3.0-field-shift`);
/// - `source-app-id` null (`d-3.0-source-app-id-null`): null is neither missing nor a number;
/// - zeros that a relay filled in (`prod-2.2-unity-zero`, `d-3.0-source-app-id-zero-fill`): 0 is a documented
///   value, signed as such in tests, so leaving it out would let anyone mark a postback as a test;
/// - base64 without padding, base64url with it or with white space (`d-b64-nopad`, `d-aak-padded`,
///   `d-aak-whitespace`): a signature shall have one spelling.
struct `The published vectors` {
  @Test func `The published vectors are complete`() {
    #expect(published.count == 106)
    #expect(published.filter { $0.text("kind") == "message" }.count == 2)
    #expect(published.filter { $0.object["keys"] != nil }.count == 12)
    let tolerant = published.filter { $0.object["expect_tolerant"] != nil }
    #expect(tolerant.allSatisfy { $0.expectedState != .valid })
  }

  @Test(arguments: published.filter { $0.text("kind") != "message" && $0.object["keys"] == nil })
  func `The published vectors get the verdict that their note names`(vector: Vector) throws {
    let judgement = try apple.get().judge(vector.body)
    #expect(judgement.state == vector.expectedState, "\(judgement.reason?.english ?? "valid")")
    #expect((judgement.environment != nil) == (judgement.state == .valid))
    #expect((judgement.reason == nil) == (judgement.state == .valid))
    if vector.id != "d-aak-no-jws" { #expect(judgement.kind.rawValue == vector.text("kind")) }
    if vector.object["environment"] != nil, judgement.state == .valid {
      #expect(judgement.environment?.rawValue == vector.text("environment"))
    }
    if vector.object["semantic"] != nil { #expect(!judgement.warnings.isEmpty) }
  }

  @Test(arguments: published.filter { $0.object["keys"] != nil })
  func `The published vectors signed by a third party are valid under its keys only`(vector: Vector) throws {
    let file = JSONOutput(try #require(vector.object["keys"]?.value)).bytes()
    let judgement = try Keyring(trusting: KeyFile.read(file)).judge(vector.body)
    #expect(judgement.state == vector.expectedState, "\(judgement.reason?.english ?? "valid")")
    if judgement.state == .valid { #expect(judgement.environment == .test) }
    let underApple = try apple.get().judge(vector.body)
    #expect(underApple.state == (vector.expectedState == .valid ? .invalid : vector.expectedState))
  }

  @Test func `The published vectors sign exactly the documented bytes and none of the variants`() throws {
    let vector = try #require(published.first { $0.id == "d-message-apple-4.0-fine" })
    let genuine = try #require(published.first { $0.id == "apple-4.0-web-fine" })
    let message = bytes(hex: vector.text("message_hex"))
    #expect(PostbackReading(genuine.body).postback?.signedMessage == message)
    #expect(SHA256Digest(of: message).hex == vector.text("message_sha256"))
    let key = try KeyBox(base64: appleP256)
    let signature = try #require(Base64.decode(Array(vector.text("signature").utf8)))
    #expect(key.isValid(signature, for: message))
    let variants = try #require(vector.object["must_fail"]?.value.object?.members)
    #expect(variants.count == 10)
    for variant in variants {
      #expect(!key.isValid(signature, for: bytes(hex: variant.value.value.string ?? "")), "\(variant.name)")
    }
    #expect(!key.isValid(signature, for: bytes(hex: vector.text("utf16le_hex"))))
  }

  @Test func `The published vectors of P-192 agree in every visible intermediate value`() throws {
    let vector = try #require(published.first { $0.id == "d-p192-intermediates" })
    let genuine = try #require(published.first { $0.id == "prod-1.0-ironsource" })
    let message = bytes(hex: vector.text("message_hex"))
    #expect(PostbackReading(genuine.body).postback?.signedMessage == message)
    #expect(SHA256Digest(of: message).hex == vector.text("sha256"))
    #expect(vector.text("sha256").hasPrefix(vector.text("e")))
    let key = try KeyBox(base64: appleP192)
    let pair = bytes(hex: vector.text("r") + vector.text("s"))
    #expect(key.isValid(raw: pair, for: message))
    for index in pair.indices {
      var changed = pair
      changed[index] ^= 1
      #expect(!key.isValid(raw: changed, for: message))
    }
  }
}

struct `The vectors of the test keys` {
  @Test func `The vectors of the test keys are complete`() { #expect(synthetic.count == 54) }

  @Test(arguments: synthetic)
  func `The vectors of the test keys are valid under the test keys only`(vector: Vector) throws {
    let keys = try KeyFile.read(vectorFile("test-keys.json"))
    let judgement = try Keyring(trusting: keys).judge(vector.body)
    #expect(judgement.state == vector.expectedState, "\(judgement.reason?.english ?? "valid")")
    #expect(judgement.kind.rawValue == vector.text("kind"))
    #expect(judgement.version == vector.text("version"))
    if judgement.state == .valid { #expect(judgement.environment == .test) }
    if vector.object["semantic"] != nil { #expect(!judgement.warnings.isEmpty) }
    let underApple = try apple.get().judge(vector.body)
    #expect(underApple.state != .valid)
    let appleState = try #require(VerdictState(rawValue: vector.text("under_apple_keys")))
    #expect(underApple.state == (vector.expectedState == .valid ? appleState : vector.expectedState))
    if vector.object["message_hex"] != nil, judgement.state == .valid {
      #expect(PostbackReading(vector.body).postback?.signedMessage == bytes(hex: vector.text("message_hex")))
    }
  }
}

private let appleP256 =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SPykE3YVK3sVqW6Af0lfx3gg=="
private let appleP192 =
  "MEkwEwYHKoZIzj0CAQYIKoZIzj0DAQEDMgAEMyHD625uvsmGq4C43cQ9BnfN2xslVT5V1nOmAMP6qaRRUll3PB1JYmgSm+62sosG"
