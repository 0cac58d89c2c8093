import JSONText
import OpenSSL
import Postbacks
import Values

/// The forms in which keys are kept in files.
///
/// Ours is `{"keys":[{"use":"skan","curve":"P-256","environment":"test","public-key":"…"}]}` with `kid` for
/// AdAttributionKit and `private-key` where the file is for signing; both keys are DER in base64. The use `purchases` is
/// that of a root below which test notifications of the App Store are signed. Only this form can have
/// `"environment":"production"`, so that no test key is ever taken for Apple's by accident. Read are also a bare `{"p256":…,"p192":…}`, `{"skan":…,"aak":{kid:…}}`, either of them under `keys`, and PEM.
public enum KeyFile {
  /// Reads the keys of a file in any of the forms.
  ///
  /// - Throws: ``KeyFileError`` when the bytes have none of the forms, hold no key, or a key can't be loaded.
  public static func read(_ bytes: [UInt8]) throws(KeyFileError) -> [TrustedKey] {
    let start = JSONReader.skipWhitespace(in: bytes, from: 0)
    let keys: [TrustedKey]
    if start < bytes.count, bytes[start] == UInt8(ascii: "{") {
      let node: JSONNode
      do {
        node = try JSONReader.read(bytes)
      } catch {
        throw .invalid(
          "the file is not JSON at \(error.position(in: bytes)): \(error.diagnosis(in: bytes).text)")
      }
      do throws(JSONProblem) { keys = try self.keys(of: try JSONPlace(node).members()) } catch {
        let position = TextPosition(ofByte: error.offset, in: bytes)
        throw .invalid("\(position): \(error.path) \(error.predicate)")
      }
    } else {
      keys = try pemKeys(String(decoding: bytes, as: UTF8.self))
    }
    guard !keys.isEmpty else { throw .invalid("the file has no key") }
    return keys
  }

  /// Writes keys in our form; with private keys only where the caller asks for them.
  public static func text(of keys: [TrustedKey], includingPrivateKeys: Bool) -> String {
    let entries = keys.map { key in
      var members: [JSONOutput.Member] = []
      switch key.use {
      case .skan: members.append(.init("use", "skan"))
      case .aak(let keyID):
        members.append(.init("use", "aak"))
        members.append(.init("kid", .string(keyID)))
      case .purchases: members.append(.init("use", "purchases"))
      }
      members.append(.init("curve", .string(key.curve.rawValue)))
      members.append(.init("environment", .string(key.environment.rawValue)))
      members.append(.init("public-key", .string(base64(key.spki))))
      if includingPrivateKeys, let secret = key.privateKey {
        members.append(.init("private-key", .string(base64(secret))))
      }
      return JSONOutput.object(members)
    }
    return JSONOutput.object([.init("keys", .array(entries))]).text(pretty: true) + "\n"
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    String(decoding: Base64.encode(bytes), as: UTF8.self)
  }

  private static func keys(of root: JSONMembers) throws(JSONProblem) -> [TrustedKey] {
    guard let place = root["keys"] else { return try shortKeys(of: root) }
    guard place.node.value.array != nil else { return try shortKeys(of: try place.members()) }
    var keys: [TrustedKey] = []
    for entry in try place.list() { keys.append(try key(of: entry)) }
    return keys
  }

  private static let form = JSONForm(
    "a key", required: ["use", "environment", "curve"], optional: ["kid", "public-key", "private-key"])

  /// Reads an entry of our own form.
  private static func key(of place: JSONPlace) throws(JSONProblem) -> TrustedKey {
    let members = try place.members(form)
    let word = try members.required("use").text()
    let use: TrustedKey.Use
    switch (word, members["kid"]) {
    case ("skan", nil): use = .skan
    case ("aak", let keyID?): use = .aak(keyID: try keyID.text())
    case ("purchases", nil): use = .purchases
    case ("aak", nil): throw place.mistake("needs a \"kid\"")
    default:
      throw place.mistake("must have \"use\" \"skan\" or \"purchases\" (without \"kid\"), or \"aak\"")
    }
    let signer: SignedEnvironment = try members.required("environment").word()
    let secretPlace = members["private-key"]
    let secret = try secretPlace?.keyBytes()
    let half = try secretPlace.map { (at) throws(JSONProblem) in
      try publicHalf(of: try at.keyBytes()) { at.mistake($0) }
    }
    guard let spki = try members["public-key"]?.keyBytes() ?? half else {
      throw place.mistake("needs a \"public-key\"")
    }
    guard half == nil || half == spki else { throw place.mistake("has two keys that are not a pair") }
    let curve = try curve(of: spki) { (members["public-key"] ?? place).mistake($0) }
    let named = try members.required("curve")
    guard try named.text() == curve.rawValue else {
      throw named.mistake("must be \(curve.rawValue), the curve of the key")
    }
    if use != .skan, curve != .p256 {
      let signer = use == .purchases ? "the App Store" : "AdAttributionKit"
      throw named.mistake("must be \(Curve.p256.rawValue): \(signer) signs on no other")
    }
    return TrustedKey(use: use, curve: curve, environment: signer.environment, spki: spki, privateKey: secret)
  }

  /// Reads `p256` and `p192`, or `skan` and `aak` with `private_scalars_hex` beside them; all of them test keys.
  private static func shortKeys(of root: JSONMembers) throws(JSONProblem) -> [TrustedKey] {
    let skan = try root["skan"]?.members() ?? root
    let secrets = try root["private_scalars_hex"]?.members()
    var keys: [TrustedKey] = []
    for (name, curve) in [("p256", Curve.p256), ("p192", .p192)] {
      guard let place = skan[name] else { continue }
      let key = try shortKey(place, use: .skan, secret: secrets?[name])
      guard key.curve == curve else { throw place.mistake("must be a key on \(curve.rawValue)") }
      keys.append(key)
    }
    guard let aak = try root["aak"]?.members() else { return keys }
    for (name, place) in aak {
      let key = try shortKey(place, use: .aak(keyID: name), secret: secrets?[name])
      guard key.curve == .p256 else { throw place.mistake("must be a key on P-256") }
      keys.append(key)
    }
    return keys
  }

  private static func shortKey(
    _ place: JSONPlace, use: TrustedKey.Use, secret: JSONPlace?
  ) throws(JSONProblem) -> TrustedKey {
    let spki = try place.keyBytes()
    let curve = try curve(of: spki) { place.mistake($0) }
    var secretDER: [UInt8]?
    if let secret {
      guard let scalar = bytes(hex: try secret.text()) else {
        throw secret.mistake("must be a private number in hexadecimal")
      }
      do throws(KeyError) { secretDER = try PrivateKey(scalar: scalar, on: curve).der() } catch {
        throw secret.mistake("is \(error)")
      }
    }
    if let secret, let secretDER, try publicHalf(of: secretDER, { secret.mistake($0) }) != spki {
      throw place.mistake("is not the pair of its private number")
    }
    return TrustedKey(use: use, curve: curve, environment: .test, spki: spki, privateKey: secretDER)
  }

  /// Reads PEM: a P-256 key counts for SKAdNetwork 2.1 and later and for AdAttributionKit's production key id.
  private static func pemKeys(_ text: String) throws(KeyFileError) -> [TrustedKey] {
    var keys: [TrustedKey] = []
    for block in PEMBlock.blocks(in: text) {
      let spki: [UInt8]
      var secret: [UInt8]?
      switch block.label {
      case "PUBLIC KEY": spki = block.bytes
      case "PRIVATE KEY", "EC PRIVATE KEY":
        spki = try publicHalf(of: block.bytes) { KeyFileError.invalid("the \(block.label) \($0)") }
        secret = block.bytes
      default: continue
      }
      let curve = try curve(of: spki) { KeyFileError.invalid("the \(block.label) \($0)") }
      keys.append(TrustedKey(use: .skan, curve: curve, environment: .test, spki: spki, privateKey: secret))
      guard curve == .p256 else { continue }
      let use = TrustedKey.Use.aak(keyID: productionKeyID)
      keys.append(TrustedKey(use: use, curve: curve, environment: .test, spki: spki, privateKey: secret))
    }
    return keys
  }

  private static func curve<Failure: Error>(
    of spki: [UInt8], _ failure: (String) -> Failure
  ) throws(Failure) -> Curve {
    do { return try PublicKey(spki: spki).curve } catch { throw failure("is \(error)") }
  }

  private static func publicHalf<Failure: Error>(
    of secret: [UInt8], _ failure: (String) -> Failure
  ) throws(Failure) -> [UInt8] {
    do { return try PrivateKey(der: secret).spki() } catch { throw failure("is \(error)") }
  }

  private static func bytes(hex text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}

extension JSONPlace {
  /// A key: bytes in base64.
  fileprivate func keyBytes() throws(JSONProblem) -> [UInt8] {
    guard let bytes = Base64.decode(Array(try text().utf8)), !bytes.isEmpty else {
      throw mistake("must be a key in base64")
    }
    return bytes
  }
}

/// The `kid` of AdAttributionKit's production key.
///
/// Source: Apple, "Verifying a postback".
public let productionKeyID = "apple-cas-identifier/0"

/// The environments that a key can stand for; no key signs what is only claimed.
private enum SignedEnvironment: String, CaseIterable {
  case production, development, test

  var environment: Environment {
    switch self {
    case .production: .production
    case .development: .development
    case .test: .test
    }
  }
}
