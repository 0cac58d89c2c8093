package import JSONText
import OpenSSL
import Postbacks
import Values
package import Verification

/// Private test keys, and the signing of postbacks with them as a device would.
package final class SigningKeys: Sendable {
  /// The keys as a key file states them, with their private halves.
  package let keys: [TrustedKey]
  private let p192: Signer?
  private let p256: Signer?
  private let aak: [String: Signer]
  private let purchases: TestChain?

  /// Takes those of the keys that have a private half; the first for each use counts.
  ///
  /// - Throws: ``SigningError`` when a private key can't be loaded.
  package init(_ keys: [TrustedKey]) throws(SigningError) {
    var p192: Signer?
    var p256: Signer?
    var aak: [String: Signer] = [:]
    var purchases: TestChain?
    for trusted in keys {
      guard let secret = trusted.privateKey else { continue }
      let signer: Signer
      do { signer = Signer(try PrivateKey(der: secret)) } catch { throw .key("\(error)") }
      switch (trusted.use, trusted.curve) {
      case (.skan, .p192): p192 = p192 ?? signer
      case (.skan, .p256): p256 = p256 ?? signer
      case (.aak(let keyID), _): aak[keyID] = aak[keyID] ?? signer
      case (.purchases, _): if purchases == nil { purchases = try TestChain(root: signer.key) }
      }
    }
    self.keys = keys.filter { $0.privateKey != nil }
    self.p192 = p192
    self.p256 = p256
    self.aak = aak
    self.purchases = purchases
  }

  /// Makes new keys for every version, for AdAttributionKit's three key ids and for a root of purchases, in the test
  /// environment.
  ///
  /// As with Apple, one key serves SKAdNetwork from 2.1 and AdAttributionKit's production key id.
  ///
  /// - Throws: ``SigningError`` when the system has no entropy.
  package static func generate() throws(SigningError) -> SigningKeys {
    let production = try TrustedKey(generatedFor: .skan, curve: .p256)
    let shared = TrustedKey(
      use: .aak(keyID: productionKeyID), curve: .p256, environment: .test, spki: production.spki,
      privateKey: production.privateKey)
    return try SigningKeys([
      production, try TrustedKey(generatedFor: .skan, curve: .p192), shared,
      try TrustedKey(generatedFor: .aak(keyID: "apple-development-identifier/0"), curve: .p256),
      try TrustedKey(generatedFor: .aak(keyID: "apple-development-identifier/1"), curve: .p256),
      try TrustedKey(generatedFor: .purchases, curve: .p256),
    ])
  }

  /// Signs a postback that is given as a flat JSON object without a signature.
  ///
  /// SKAdNetwork: `attribution-signature` is added behind the last member and everything else stays as it is.
  /// AdAttributionKit (an object without `ad-network-id` but with `ad-network-identifier`): the unsigned members go
  /// into an envelope, all others into the payload of its `jws-string`, in the order given. A notification of the App
  /// Store (an object with `notificationType`) is signed as a whole, and so are the objects `signedTransactionInfo` and
  /// `signedRenewalInfo` in it.
  ///
  /// - Parameters:
  ///   - json: The object's text.
  ///   - keyID: Which of AdAttributionKit's keys to sign with.
  /// - Returns: The body as a device would send it.
  /// - Throws: ``SigningError`` when the object is no postback, or no private key is there for it.
  package func sign(_ json: [UInt8], keyID: String = productionKeyID) throws(SigningError) -> [UInt8] {
    let node: JSONNode
    do { node = try JSONReader.read(json) } catch { throw .malformed(.brokenJSON(.body, error)) }
    guard case .object(let object) = node.value else {
      throw .malformed(.notAnObject(.body, found: node.value.sort))
    }
    if object[MemberName.attributionSignature.rawValue] != nil || object[MemberName.jwsString.rawValue] != nil
    {
      throw .signedAlready
    }
    if object[PurchaseMember.type] != nil { return try signPurchase(object, in: json) }
    let isAAK =
      object[MemberName.adNetworkID.rawValue] == nil && object[MemberName.adNetworkIdentifier.rawValue] != nil
    return isAAK ? try signAAK(object, in: json, keyID: keyID) : try signSKAN(node, in: json)
  }

  /// Signs a postback that is given as a value; see the other `sign`.
  ///
  /// - Throws: ``SigningError`` when the object is no postback, or no private key is there for it.
  package func sign(_ object: JSONOutput, keyID: String = productionKeyID) throws(SigningError) -> [UInt8] {
    try sign(object.bytes(), keyID: keyID)
  }

  private func signSKAN(_ node: JSONNode, in json: [UInt8]) throws(SigningError) -> [UInt8] {
    let postback: Postback
    switch PostbackReading(node).outcome {
    case .postback(let read): postback = read
    case .malformed(let defect): throw .malformed(defect)
    case .unverifiable(.unknownVersion(let version)): throw .unknownVersion(version)
    case .unverifiable, .invalid: throw .signedAlready
    }
    let version = postback.attested.version
    guard let signer = version == .v1_0 || version == .v2_0 ? p192 : p256 else {
      throw .noKey("SKAdNetwork \(version.rawValue)")
    }
    let signature: [UInt8]
    do { signature = try signer.key.sign(postback.signedMessage) } catch { throw .key("\(error)") }
    // The object's text ends with its closing brace; a read postback has members, so a comma belongs before.
    var body = Array(json[node.range.lowerBound..<node.range.upperBound - 1])
    body += #","attribution-signature":""#.utf8
    body += Base64.encode(signature)
    body += #""}"#.utf8
    return body
  }

  private func signPurchase(_ object: JSONObject, in json: [UInt8]) throws(SigningError) -> [UInt8] {
    guard let purchases else { throw .noKey("purchases") }
    let parts = try object.members.map { (member) throws(SigningError) in
      guard haveSameBytes(member.name, PurchaseMember.data), let data = member.value.value.object else {
        return text(member, in: json)
      }
      let signed = try data.members.map { (part) throws(SigningError) in
        guard PurchaseMember.signed.contains(where: { haveSameBytes($0, part.name) }),
          part.value.value.object != nil
        else { return text(part, in: json) }
        return json[part.nameRange] + Array(":\"".utf8)
          + (try purchases.sign(Array(json[part.value.range]))) + [UInt8(ascii: "\"")]
      }
      return json[member.nameRange] + Array(":".utf8) + objectText(signed)
    }
    return Array(#"{"signedPayload":""#.utf8) + (try purchases.sign(objectText(parts))) + Array("\"}".utf8)
  }

  private enum PurchaseMember {
    static let type = "notificationType"
    static let data = "data"
    static let signed = ["signedTransactionInfo", "signedRenewalInfo"]
  }

  private func signAAK(_ object: JSONObject, in json: [UInt8], keyID: String) throws(SigningError) -> [UInt8]
  {
    guard let signer = aak[keyID] else { throw .noKey("AdAttributionKit's key id \(quoted(keyID))") }
    let unsigned: [MemberName] = [.adInteractionType, .conversionValue, .coarseConversionValue, .countryCode]
    let (envelope, payload) = object.members.reduce(into: ([JSONMember](), [JSONMember]())) { parts, member in
      let isUnsigned = unsigned.contains { haveSameBytes($0.rawValue, member.name) }
      if isUnsigned { parts.0.append(member) } else { parts.1.append(member) }
    }
    // Apple's header escapes the slash of the key id.
    var quotedKeyID: [UInt8] = []
    appendJSONString(keyID, to: &quotedKeyID)
    var header = Array(#"{"kid":"#.utf8)
    for byte in quotedKeyID {
      if byte == UInt8(ascii: "/") { header.append(UInt8(ascii: "\\")) }
      header.append(byte)
    }
    header += #","alg":"ES256"}"#.utf8
    var token = Base64.encodeURL(header) + [UInt8(ascii: ".")] + Base64.encodeURL(text(of: payload, in: json))
    do {
      token += [UInt8(ascii: ".")] + Base64.encodeURL(try signer.key.signRaw(token))
    } catch {
      throw .key("\(error)")
    }
    var body = Array(#"{"jws-string":""#.utf8) + token + [UInt8(ascii: "\"")]
    if !envelope.isEmpty { body += [UInt8(ascii: ",")] + text(of: envelope, in: json).dropFirst().dropLast() }
    body.append(UInt8(ascii: "}"))
    if case .malformed(let defect) = PostbackReading(body).outcome { throw .malformed(defect) }
    return body
  }

  private func text(of members: [JSONMember], in json: [UInt8]) -> [UInt8] {
    objectText(members.map { text($0, in: json) })
  }

  private func text(_ member: JSONMember, in json: [UInt8]) -> [UInt8] {
    json[member.nameRange] + [UInt8(ascii: ":")] + json[member.value.range]
  }

  /// An object of members that are written already.
  private func objectText(_ parts: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
  }
}

final class Signer: Sendable {
  let key: PrivateKey

  init(_ key: consuming PrivateKey) { self.key = key }
}

extension TrustedKey {
  fileprivate init(generatedFor use: Use, curve: Curve) throws(SigningError) {
    do {
      let key = try PrivateKey(generateOn: curve)
      self.init(use: use, curve: curve, environment: .test, spki: key.spki(), privateKey: key.der())
    } catch {
      throw .key("\(error)")
    }
  }
}
