import OpenSSL
import Postbacks
import Values

/// Apple's public keys, as Apple publishes them.
///
/// Each is pinned twice, as the key and as the SHA-256 fingerprint of its DER form: a slip in either is noticed when
/// a ``Keyring`` is made. No rotation has been announced; a new key can be trusted from a file.
enum AppleKey: CaseIterable {
  /// SKAdNetwork 1.0 and 2.0.
  /// Source: Apple, "SKAdNetwork 1 release notes" and "SKAdNetwork 2 release notes".
  case skAdNetwork1And2
  /// SKAdNetwork 2.1 and later, and AdAttributionKit's `apple-cas-identifier/0`.
  /// Source: Apple, "Verifying an install-validation postback" and "Verifying a postback".
  case production
  /// AdAttributionKit's `apple-development-identifier/0`, end-to-end tests. Source: Apple, "Verifying a postback".
  case development0
  /// AdAttributionKit's `apple-development-identifier/1`, Developer Settings. Source: Apple, "Verifying a postback".
  case development1

  /// The key in SubjectPublicKeyInfo DER form, base64.
  var base64: String {
    switch self {
    case .skAdNetwork1And2:
      """
      MEkwEwYHKoZIzj0CAQYIKoZIzj0DAQEDMgAEMyHD625uvsmGq4C43cQ9BnfN2xslVT5V1nOmAMP6qaRRUll3PB1JYmgSm+62sosG
      """
    case .production:
      """
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SPykE3YVK3\
      sVqW6Af0lfx3gg==
      """
    case .development0:
      """
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELeEDzpJEP+/qRSE5hJVC1p1J0ssUnQGMzBBbvnACBok8OVGGLgxL0myrKiy6lvRtSlLRsWit\
      87i+vftD8AEqeQ==
      """
    case .development1:
      """
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YzdO7eM97s/IJ25kdW5CZ3A14USE5IJ5Ha/vhWaxI6UBI1ZxCEvjrKxVluVGe6qWwF1BDFq\
      +QHqKfH5u+wxHQ==
      """
    }
  }

  /// SHA-256 of the DER form, in hexadecimal.
  var fingerprint: String {
    switch self {
    case .skAdNetwork1And2: "6394d2c71db7d4e28e50a956f0e252e149e51f9cc6e3c60aa48bf5e08406258b"
    case .production: "2d0358c1a7b212a61409aa21e6c899ac6d51e823e96f9e3cbf51b25f176b9bfe"
    case .development0: "cac58f7397c543a01d04e3130453786a446f07faaca92a20ef696957439a1ea8"
    case .development1: "d0afc601c2ec08963cb37608bcc274c82885b10ea73b81a3fcfd4bf998abd890"
    }
  }
}

extension AppleKey {
  /// Loads the key after a look at its fingerprint.
  ///
  /// - Throws: ``KeyringError`` when the fingerprint is another or the bytes are no key.
  func load(as environment: Environment) throws(KeyringError) -> LoadedKey {
    try Self.load(base64, fingerprint: fingerprint, as: environment)
  }

  /// Loads a key that must have a certain fingerprint.
  ///
  /// - Throws: ``KeyringError`` when it has another or the bytes are no key.
  static func load(
    _ base64: String, fingerprint: String, as environment: Environment
  ) throws(KeyringError) -> LoadedKey {
    guard let spki = Base64.decode(Array(base64.utf8)), SHA256Digest(of: spki).hex == fingerprint else {
      throw KeyringError(message: "a built-in key lacks the fingerprint \(fingerprint)")
    }
    do {
      return LoadedKey(try PublicKey(spki: spki), environment: environment)
    } catch {
      throw KeyringError(message: "the built-in key with the fingerprint \(fingerprint) is \(error)")
    }
  }
}
