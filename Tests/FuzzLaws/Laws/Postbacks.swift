import JSONText
import OpenSSL
import Postbacks
import Values
import Verification

extension FuzzTarget {
  /// Postbacks of all versions: nothing is valid but what a genuine signature covers, and it states what was signed.
  static let postback = FuzzTarget("postback", dictionary: jsonWords + postbackWords) { bytes in
    let judgement = genuine.keyring.judge(bytes)
    try checkShape(judgement, bytes)
    if let verified = judgement.verified {
      let message = PostbackReading(bytes).postback?.signedMessage ?? []
      guard let facts = genuine.facts[message] else {
        throw LawBroken("a message that nobody signed is valid: \(String(decoding: message, as: UTF8.self))")
      }
      try law(facts == verified.attested, "a message has one meaning: \(facts), \(verified.attested)")
    }
    guard let node = try? JSONReader.read(bytes) else { return }
    try law(genuine.keyring.judge(node) == judgement, "a parsed body is judged like its bytes")
    let again = genuine.keyring.judge(JSONOutput(node.value).bytes())
    try law(
      again.state == judgement.state && again.reasonCode == judgement.reasonCode && again.id == judgement.id
        && again.verified == judgement.verified, "a body that is written anew is judged alike")
  }

  private static func checkShape(_ judgement: Judgement, _ bytes: [UInt8]) throws {
    try law((judgement.id?.unicodeScalars.count ?? 0) <= 128, "an identifier is short")
    try law((judgement.version?.unicodeScalars.count ?? 0) <= 128, "a version is short")
    try law((judgement.reason?.english.utf8.count ?? 0) <= 4_000, "a reason is short")
    try law((judgement.reasonCode == nil) == (judgement.state == .valid), "whatever is rejected has a code")
    let row = JSONOutput.object(judgement.members).bytes()
    try law(row.count <= 8_000 + 6 * bytes.count, "a row is bounded by the body")
  }

  /// What the keys of the test vectors and Apple's signed.
  struct Genuine: Sendable {
    let keyring: Keyring
    let facts: [[UInt8]: AttestedFacts]

    init() throws {
      keyring = try Keyring(trusting: corpusKeys())
      var facts: [[UInt8]: AttestedFacts] = [:]
      for (_, bytes) in try Corpus.inputs("postback") {
        // Apple signed some postbacks of the corpus without a member that their bodies have.
        for bytes in [bytes] + Self.withoutOneMember(bytes) {
          guard let verified = keyring.judge(bytes).verified else { continue }
          facts[PostbackReading(bytes).postback?.signedMessage ?? []] = verified.attested
        }
      }
      guard facts.count >= 20 else { throw LawBroken("the corpus has only \(facts.count) genuine postbacks") }
      self.facts = facts
    }

    private static func withoutOneMember(_ bytes: [UInt8]) -> [[UInt8]] {
      guard case .object(let object)? = try? JSONReader.read(bytes).value else { return [] }
      return object.members.indices.map { left in
        JSONOutput.object(
          object.members.enumerated().filter { $0.offset != left }
            .map { JSONOutput.Member($0.element.name, JSONOutput($0.element.value.value)) }
        ).bytes()
      }
    }
  }

  static let genuine: Genuine = {
    do { return try Genuine() } catch { preconditionFailure("The corpus is broken: \(error)") }
  }()

  /// The keys that some of the corpus was signed with.
  static func corpusKeys() throws -> [TrustedKey] {
    try Corpus.inputs("keys").filter { $0.name.hasPrefix("trusted") }.flatMap { try KeyFile.read($0.bytes) }
  }

  /// JSON Web Signatures with any header and payload, signed as they are: the signature alone decides.
  ///
  /// The header is the first line of the input, the rest is the payload.
  static let jws = FuzzTarget("jws", dictionary: jsonWords + postbackWords + ["\n"]) { bytes in
    let cut = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let message =
      Base64.encodeURL(Array(bytes[..<cut])) + [UInt8(ascii: ".")]
      + Base64.encodeURL(Array(bytes.dropFirst(cut + 1)))
    let body = { (message: [UInt8], signature: [UInt8]) -> [UInt8] in
      Array(#"{"jws-string":""#.utf8) + message + [UInt8(ascii: ".")] + Base64.encodeURL(signature)
        + Array(#"","ad-interaction-type":"click","conversion-value":5}"#.utf8)
    }
    let signature = try signer.sign(message)
    let signed = body(message, signature)
    let judgement = signer.keyring.judge(signed)
    try checkShape(judgement, signed)
    guard case .aak(let read)? = PostbackReading(signed).postback else {
      return try law(judgement.state != .valid, "what cannot be read is not valid")
    }
    let isKnown = read.keyID.map { haveSameBytes($0, TestSigner.keyID) } ?? false
    try law((judgement.state == .valid) == isKnown, "the key id and the signature decide: \(judgement.state)")
    // Any other signature, and the signature of any other payload, is rejected.
    var forged = signature
    forged[bytes.count % 64] ^= 1 << UInt8(bytes.count / 64 % 8)
    try law(signer.keyring.judge(body(message, forged)).state != .valid, "a changed signature is rejected")
    let padded = Array(bytes.dropFirst(cut + 1)) + [0x20]
    let other = Array(message[...(message.firstIndex(of: UInt8(ascii: ".")) ?? 0)]) + Base64.encodeURL(padded)
    try law(signer.keyring.judge(body(other, signature)).state != .valid, "a changed payload is rejected")
  }

  /// A key of this process.
  private struct TestSigner: Sendable {
    static let keyID = "fuzz/0"
    let der: [UInt8]
    let keyring: Keyring

    init() throws {
      let key = try PrivateKey(scalar: [UInt8](repeating: 7, count: 32), on: .p256)
      der = key.der()
      keyring = try Keyring(trusting: [
        TrustedKey(use: .aak(keyID: Self.keyID), curve: .p256, environment: .test, spki: key.spki())
      ])
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] { try PrivateKey(der: der).signRaw(message) }
  }

  private static let signer: TestSigner = {
    do { return try TestSigner() } catch { preconditionFailure("OpenSSL lacks the curve: \(error)") }
  }()

  /// Key files: what is written again reads as the same.
  static let keys = FuzzTarget(
    "keys",
    dictionary: jsonWords + [
      "-----BEGIN PUBLIC KEY-----\n", "-----END PUBLIC KEY-----\n", "-----BEGIN EC PRIVATE KEY-----\n",
      "keys",
      "public-key", "private-key", "environment", "production", "test", "use", "skan", "aak", "kid", "curve",
      "P-256", "P-192", "p256", "p192", "private_scalars_hex",
    ]
  ) { bytes in
    let keys: [TrustedKey]
    do throws(KeyFileError) { keys = try KeyFile.read(bytes) } catch {
      return try law(error.message.utf8.count < 4_000 + bytes.count, "a message is short")
    }
    let again = try KeyFile.read(Array(KeyFile.text(of: keys, includingPrivateKeys: true).utf8))
    try law(again == keys, "keys that are written read as the same")
    _ = try Keyring(trusting: keys)
  }

  private static let postbackWords = [
    "version", "ad-network-id", "source-identifier", "campaign-id", "app-id", "transaction-id", "redownload",
    "source-app-id", "source-domain", "fidelity-type", "did-win", "conversion-value",
    "coarse-conversion-value",
    "postback-sequence-index", "attribution-signature", "jws-string", "ad-interaction-type", "country-code",
    "conversion-type", "impression-type", "advertised-item-identifier", "publisher-item-identifier",
    "marketplace-identifier", "postback-identifier", "alg", "kid", "crit", "ES256", "none",
    "apple-cas-identifier/0", "fuzz/0", "high", "medium", "low", "1.0", "2.0", "2.1", "2.2", "3.0", "4.0",
    "5.0",
    "\u{2063}", "\\u2063",
  ]
}
