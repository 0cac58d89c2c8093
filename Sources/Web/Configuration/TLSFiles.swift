import Arguments
package import HTTPServer
import System
package import Values

extension ServiceConfiguration {
  /// The files of TLS; `nil` where they are not both named.
  package var tlsFiles: TLSFiles? {
    guard let certificate, let certificateKey else { return nil }
    return TLSFiles(certificate: certificate.text, key: certificateKey.text)
  }
}

/// The files with which a service speaks HTTPS.
package struct TLSFiles: Equatable, Sendable {
  package let certificate: String
  package let key: String

  /// Reads and checks both, and returns when the certificate ends.
  package func validUntil(at now: Instant) throws -> Instant { try identity(at: now).validUntil }

  /// Reads and checks both.
  package func identity(at now: Instant) throws -> TLSIdentity {
    try TLSIdentity(certificateFile: certificate, keyFile: key, now: now)
  }
}
