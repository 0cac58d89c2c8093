package import OpenSSL
package import Values

/// Three certificates as the App Store sends them, below the key of a root that is for tests.
///
/// The two below the root are made anew each time. Source: RFC 5280.
package struct TestChain: Sendable {
  /// What a chain has, so that a test can have one that must not be trusted.
  package struct Form: Sendable {
    /// The moments from and up to which all certificates are valid; the years 1950 to 2049.
    package var validity = Instant(seconds: 946_684_800)...Instant(seconds: 2_524_607_999)
    /// Whether the leaf has Apple's extension.
    package var marksLeaf = true
    /// Whether the certificate that issued the leaf has Apple's extension.
    package var marksIntermediate = true

    package init() {}
  }

  /// The leaf, its issuer, and the root, in DER form.
  package let certificates: [[UInt8]]
  private let leaf: Signer

  /// - Throws: ``SigningError`` when the root is not on P-256 or the system has no entropy.
  package init(root: borrowing PrivateKey, _ form: Form = Form()) throws(SigningError) {
    guard root.curve == .p256 else { throw .key("the key of a root has to be on P-256") }
    do throws(OpenSSLError) {
      let intermediate = try PrivateKey(generateOn: .p256)
      let leaf = try PrivateKey(generateOn: .p256)
      let rootName = DER.name("skan test root")
      let middleName = DER.name("skan test authority")
      let (rootKey, middleKey) = (root.spki(), intermediate.spki())
      certificates = [
        try Certificate(
          subject: DER.name("skan test signer"), issuer: middleName, key: leaf.spki(), issuerKey: middleKey,
          mark: form.marksLeaf ? DER.leafMark : nil, isAuthority: false
        ).signed(by: intermediate, form.validity),
        try Certificate(
          subject: middleName, issuer: rootName, key: middleKey, issuerKey: rootKey,
          mark: form.marksIntermediate ? DER.intermediateMark : nil, isAuthority: true
        ).signed(by: root, form.validity),
        try Certificate(
          subject: rootName, issuer: rootName, key: rootKey, issuerKey: rootKey, mark: nil, isAuthority: true
        ).signed(by: root, form.validity),
      ]
      self.leaf = Signer(leaf)
    } catch {
      throw .key("\(error)")
    }
  }

  /// Signs the text of a JSON object as a JWS of the App Store.
  ///
  /// - Throws: ``SigningError`` when the system has no entropy.
  package func sign(_ payload: [UInt8], algorithm: String = "ES256") throws(SigningError) -> [UInt8] {
    let entries = certificates.map { "\"\(String(decoding: Base64.encode($0), as: UTF8.self))\"" }
    let header = #"{"alg":"\#(algorithm)","x5c":[\#(entries.joined(separator: ","))]}"#
    let message = Base64.encodeURL(Array(header.utf8)) + [UInt8(ascii: ".")] + Base64.encodeURL(payload)
    do { return message + [UInt8(ascii: ".")] + Base64.encodeURL(try leaf.key.signRaw(message)) } catch {
      throw .key("\(error)")
    }
  }
}

/// What a certificate contains.
private struct Certificate {
  let subject: [UInt8]
  let issuer: [UInt8]
  /// The public keys in SubjectPublicKeyInfo DER form.
  let key: [UInt8]
  let issuerKey: [UInt8]
  /// The identifier of Apple's extension; `nil` for none.
  let mark: [UInt8]?
  let isAuthority: Bool

  func signed(
    by signer: borrowing PrivateKey, _ validity: ClosedRange<Instant>
  ) throws(OpenSSLError) -> [UInt8] {
    var serial = try randomBytes(16)
    // Positive, and without a byte that DER would leave out.
    serial[0] = (serial[0] & 0x3F) | 0x40
    var extensions = [
      // Authority or not; what the key may sign; whose key it is, and whose signed it.
      DER.extension(
        [0x55, 0x1D, 0x13], DER.sequence(isAuthority ? [[0x01, 0x01, 0xFF]] : []), isCritical: true),
      DER.extension(
        [0x55, 0x1D, 0x0F], [0x03, 0x02] + (isAuthority ? [1, 0x06] : [7, 0x80]), isCritical: true),
      DER.extension([0x55, 0x1D, 0x0E], DER.element(0x04, Self.identifier(of: key))),
      DER.extension([0x55, 0x1D, 0x23], DER.sequence([DER.element(0x80, Self.identifier(of: issuerKey))])),
    ]
    if let mark { extensions.append(DER.extension(mark, [0x05, 0x00])) }
    let content = DER.sequence([
      DER.element(0xA0, [0x02, 0x01, 0x02]), DER.element(0x02, serial), DER.algorithm, issuer,
      DER.sequence([DER.time(validity.lowerBound), DER.time(validity.upperBound)]), subject, key,
      DER.element(0xA3, DER.sequence(extensions)),
    ])
    return DER.sequence([content, DER.algorithm, DER.element(0x03, [0] + (try signer.sign(content)))])
  }

  private static func identifier(of key: [UInt8]) -> [UInt8] {
    Array(SHA256Digest(of: key).bytes.prefix(20))
  }
}

/// Writes the elements that certificates are made of.
///
/// Source: ITU-T X.690, section 8.
private enum DER {
  /// ecdsa-with-SHA256.
  static let algorithm = sequence([element(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])])
  /// 1.2.840.113635.100.6.11.1, and 1.2.840.113635.100.6.2.1.
  static let leafMark: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01]
  static let intermediateMark: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x02, 0x01]

  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      count < 0x80
      ? [UInt8(count)]
      : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
    return [tag] + length + content
  }

  static func sequence(_ parts: [[UInt8]]) -> [UInt8] { element(0x30, Array(parts.joined())) }

  /// A name of one part, the common name.
  static func name(_ text: String) -> [UInt8] {
    let part = sequence([element(0x06, [0x55, 0x04, 0x03]), element(0x0C, Array(text.utf8))])
    return sequence([element(0x31, part)])
  }

  static func `extension`(_ identifier: [UInt8], _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
    sequence([element(0x06, identifier), isCritical ? [0x01, 0x01, 0xFF] : [], element(0x04, value)])
  }

  /// A moment with two digits for the year.
  static func time(_ moment: Instant) -> [UInt8] {
    let digits = "\(Instant(seconds: moment.seconds))".utf8.filter { (0x30...0x39).contains($0) }
    return element(0x17, digits.dropFirst(2) + [UInt8(ascii: "Z")])
  }
}
