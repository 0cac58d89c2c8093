import OpenSSL
import Values

/// Apple's root certificate for what the App Store signs, as Apple publishes it.
///
/// Like ``AppleKey`` it is pinned twice, as the certificate and as its SHA-256 fingerprint.
/// Source: Apple, "Apple PKI", AppleRootCA-G3.cer; valid until 2039-04-30.
enum AppStoreRoot {
  /// "Apple Root CA - G3" in DER form, base64.
  static let base64 = """
    MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1B\
    cHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQwNDMwMTgxOTA2\
    WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24g\
    QXV0aG9yaXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJy\
    gRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtfTjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517IDvYuVTZ\
    XpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySrMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoG\
    CCqGSM49BAMDA2gAMGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4at+qIxUCMG1mihDK1A3UT82N\
    Qz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM6BgD56KyKA==
    """

  /// SHA-256 of the DER form, in hexadecimal.
  static let fingerprint = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"

  /// The extension of certificates that sign for the App Store.
  ///
  /// Source: Apple, "Worldwide Developer Relations Certification Practice Statement".
  static let leafMark = "1.2.840.113635.100.6.11.1"
  /// The extension of the authority that issues them.
  static let intermediateMark = "1.2.840.113635.100.6.2.1"

  /// The certificate after a look at its fingerprint.
  ///
  /// - Throws: ``KeyringError`` when the fingerprint is another.
  static func load() throws(KeyringError) -> [UInt8] {
    guard let der = Base64.decode(Array(base64.utf8)), SHA256Digest(of: der).hex == fingerprint else {
      throw KeyringError(message: "the built-in root certificate lacks the fingerprint \(fingerprint)")
    }
    return der
  }
}
