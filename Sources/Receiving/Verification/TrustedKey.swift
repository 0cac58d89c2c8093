public import Postbacks
public import Values
public import OpenSSL

/// A key that the operator adds to Apple's, as a key file states it.
public struct TrustedKey: Equatable, Sendable {
  public let use: Use
  public let curve: Curve
  public let environment: Environment
  /// The public key in SubjectPublicKeyInfo DER form.
  public let spki: [UInt8]
  /// The private key in DER form, where the file holds it.
  ///
  /// Secret.
  public let privateKey: [UInt8]?

  public enum Use: Equatable, Sendable {
    /// SKAdNetwork: 1.0 and 2.0 on P-192, later versions on P-256.
    case skan
    /// AdAttributionKit postbacks whose header names this key id; P-256 only.
    case aak(keyID: String)
    /// Notifications of the App Store: the key of a root certificate; P-256 only.
    case purchases
  }

  public init(use: Use, curve: Curve, environment: Environment, spki: [UInt8], privateKey: [UInt8]? = nil) {
    self.use = use
    self.curve = curve
    self.environment = environment
    self.spki = spki
    self.privateKey = privateKey
  }
}

public struct KeyFileError: Error, Equatable, Sendable, CustomStringConvertible {
  public let code: String
  public let message: String
  public let remedy: String?

  public var description: String { "\(code): \(message)" }

  static func invalid(_ message: String) -> KeyFileError {
    KeyFileError(
      code: "key-file", message: message,
      remedy: "Make one with `skan sign --new-key FILE`, or give a PEM file with a P-256 or P-192 key.")
  }
}

extension KeyFileError: UserFacingError {
  /// What it means to the program that started this one.
  public var exitCode: ExitCode { .data }
}
