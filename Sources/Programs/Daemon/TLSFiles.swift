import Arguments
import HTTPServer
package import Service
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
package struct TLSFiles: Hashable, Sendable {
  package let certificate: String
  package let key: String

  /// Reads and checks both, and returns when the certificate ends.
  package func validUntil(at now: Instant) throws -> Instant { try identity(at: now).validUntil }

  /// Reads and checks both.
  func identity(at now: Instant) throws -> TLSIdentity {
    try TLSIdentity(certificateFile: certificate, keyFile: key, now: now)
  }

  /// Reads both again for a running service; where one is wrong, what was read before stays in force.
  ///
  /// - Returns: What was read; `nil` where one is wrong.
  func reload(into service: PostbackService, _ context: DaemonContext) -> TLSIdentity? {
    do {
      let identity = try identity(at: context.clock())
      service.use(identity)
      context.log.write(.info, "tls-files-read", [("valid-until", .string("\(identity.validUntil)"))])
      return identity
    } catch {
      let problem = CommandError(error)
      context.log.write(
        .error, "tls-files-wrong",
        [("problem", .string(problem.message)), ("remedy", .string(problem.remedy ?? ""))])
      return nil
    }
  }
}
