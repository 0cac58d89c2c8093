import JSONText
import OpenSSL
import Postbacks
import Values

/// The forms in which keys are kept in files.
///
/// Ours is `{"keys":[{"use":"skan","curve":"P-256","environment":"test","public-key":"…"}]}` with `kid` for
/// AdAttributionKit and `private-key` where the file is for signing; both keys are DER in base64. Only this form can
/// have `"environment":"production"`, so that no test key is ever taken for Apple's by accident. Read are also a
/// bare `{"p256":…,"p192":…}`, `{"skan":…,"aak":{kid:…}}`, either of them under `keys`, and PEM.
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
      guard case .object(let object) = node.value else { throw .invalid("the file is not a JSON object") }
      keys = try self.keys(of: object)
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

  private static func keys(of object: JSONObject) throws(KeyFileError) -> [TrustedKey] {
    switch object["keys"]?.value {
    case .array(let entries):
      var keys: [TrustedKey] = []
      for (index, entry) in entries.enumerated() {
        keys.append(try key(of: entry.value, place: "keys[\(index)]"))
      }
      return keys
    case .object(let inner): return try shortKeys(of: inner)
    case nil: return try shortKeys(of: object)
    default: throw .invalid("\"keys\" must be an array or an object")
    }
  }

  /// Reads an entry of our own form.
  private static func key(of value: JSONValue, place: String) throws(KeyFileError) -> TrustedKey {
    guard case .object(let object) = value else { throw .invalid("\(place) must be an object") }
    for member in object.members
    where !["use", "curve", "kid", "environment", "public-key", "private-key"].contains(member.name) {
      throw .invalid("\(place) has an unknown member \(quoted(member.name))")
    }
    let use: TrustedKey.Use
    switch (object["use"]?.value.string, object["kid"]?.value.string) {
    case ("skan", _) where object["kid"] == nil: use = .skan
    case ("aak", let keyID?) where !keyID.isEmpty: use = .aak(keyID: keyID)
    case ("aak", _): throw .invalid("\(place) needs a \"kid\"")
    default: throw .invalid("\(place).use must be \"skan\" (without \"kid\") or \"aak\"")
    }
    guard let environment = object["environment"]?.value.string.flatMap({ Environment(rawValue: $0) }) else {
      throw .invalid("\(place).environment must be test, development or production")
    }
    let secret = try object["private-key"].map { (node) throws(KeyFileError) in
      try bytes(of: node.value, place: "\(place)[\"private-key\"]")
    }
    let spki: [UInt8]
    if let node = object["public-key"] {
      spki = try bytes(of: node.value, place: "\(place)[\"public-key\"]")
    } else if let secret {
      spki = try publicHalf(of: secret, place: place)
    } else {
      throw .invalid("\(place) needs a \"public-key\"")
    }
    if let secret, try publicHalf(of: secret, place: place) != spki {
      throw .invalid("the two keys of \(place) are not a pair")
    }
    let curve = try curve(of: spki, place: place)
    guard object["curve"]?.value.string == curve.rawValue else {
      throw .invalid("\(place).curve must be \(curve.rawValue), the curve of the key")
    }
    if case .aak = use, curve != .p256 { throw .invalid("\(place): AdAttributionKit signs on P-256 only") }
    return TrustedKey(use: use, curve: curve, environment: environment, spki: spki, privateKey: secret)
  }

  /// Reads `p256` and `p192`, or `skan` and `aak` with `private_scalars_hex` beside them; all of them test keys.
  private static func shortKeys(of object: JSONObject) throws(KeyFileError) -> [TrustedKey] {
    let skan = object["skan"]?.value.object ?? object
    let secrets = object["private_scalars_hex"]?.value.object
    var keys: [TrustedKey] = []
    for (name, curve) in [("p256", Curve.p256), ("p192", .p192)] {
      guard let node = skan[name] else { continue }
      let key = try shortKey(node.value, use: .skan, name: name, secret: secrets?[name]?.value)
      guard key.curve == curve else { throw .invalid("\"\(name)\" must be a key on \(curve.rawValue)") }
      keys.append(key)
    }
    for member in object["aak"]?.value.object?.members ?? [] {
      let secret = secrets?[member.name]?.value
      let key = try shortKey(
        member.value.value, use: .aak(keyID: member.name), name: member.name, secret: secret)
      guard key.curve == .p256 else { throw .invalid("\(quoted(member.name)) must be a key on P-256") }
      keys.append(key)
    }
    return keys
  }

  private static func shortKey(
    _ value: JSONValue, use: TrustedKey.Use, name: String, secret: JSONValue?
  ) throws(KeyFileError) -> TrustedKey {
    let place = quoted(name)
    let spki = try bytes(of: value, place: place)
    let curve = try curve(of: spki, place: place)
    var secretDER: [UInt8]?
    if let secret {
      guard let scalar = secret.string.flatMap(bytes(hex:)) else {
        throw .invalid("the private number of \(place) must be hexadecimal text")
      }
      do {
        secretDER = try PrivateKey(scalar: scalar, on: curve).der()
      } catch {
        throw .invalid("the private number of \(place) is \(error)")
      }
    }
    if let secretDER, try publicHalf(of: secretDER, place: place) != spki {
      throw .invalid("the two keys of \(place) are not a pair")
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
        spki = try publicHalf(of: block.bytes, place: "the \(block.label)")
        secret = block.bytes
      default: continue
      }
      let curve = try curve(of: spki, place: "the \(block.label)")
      keys.append(TrustedKey(use: .skan, curve: curve, environment: .test, spki: spki, privateKey: secret))
      guard curve == .p256 else { continue }
      let use = TrustedKey.Use.aak(keyID: productionKeyID)
      keys.append(TrustedKey(use: use, curve: curve, environment: .test, spki: spki, privateKey: secret))
    }
    return keys
  }

  private static func bytes(of value: JSONValue, place: String) throws(KeyFileError) -> [UInt8] {
    guard let text = value.string, let bytes = Base64.decode(Array(text.utf8)), !bytes.isEmpty else {
      throw .invalid("\(place) must be a key in base64")
    }
    return bytes
  }

  private static func curve(of spki: [UInt8], place: String) throws(KeyFileError) -> Curve {
    do { return try PublicKey(spki: spki).curve } catch { throw .invalid("\(place) is \(error)") }
  }

  private static func publicHalf(of secret: [UInt8], place: String) throws(KeyFileError) -> [UInt8] {
    do { return try PrivateKey(der: secret).spki() } catch {
      throw .invalid("the private key of \(place) is \(error)")
    }
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

/// The `kid` of AdAttributionKit's production key.
///
/// Source: Apple, "Verifying a postback".
public let productionKeyID = "apple-cas-identifier/0"
