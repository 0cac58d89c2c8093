import Arguments
import HTTPServer
import Service
import System
import Values

/// The files with which a service speaks HTTPS.
struct TLSFiles: Hashable, Sendable {
  /// The file of certificates.
  let certificate: String
  /// The file of the key.
  let key: String

  /// Reads and checks both.
  func identity(at now: Instant) throws -> TLSIdentity {
    try TLSIdentity(certificateFile: certificate, keyFile: key, now: now)
  }

  /// Reads both again for a running service; where one is wrong, what was read before stays in force.
  ///
  /// - Returns: What was read; `nil` where one is wrong.
  func reload(into service: PostbackService, log: ServiceLog, clock: WallClock) -> TLSIdentity? {
    do {
      let identity = try identity(at: clock())
      service.use(identity)
      log.write(.info, "tls-files-read", [("valid-until", .string("\(identity.validUntil)"))])
      return identity
    } catch {
      let obstacle = CommandError(error)
      log.write(
        .error, "tls-files-wrong",
        [("problem", .string(obstacle.message)), ("remedy", .string(obstacle.remedy ?? ""))])
      return nil
    }
  }
}

extension Invocation {
  /// The files of TLS, or nil where neither is named.
  ///
  /// - Throws: ``UsageError`` where one is named without the other.
  func tlsFiles() throws -> TLSFiles? {
    switch (settings.text("--tls-certificate"), settings.text("--tls-key")) {
    case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
    case (nil, nil): return nil
    case (_?, nil): throw mistake("--tls-certificate needs --tls-key", hint: "add --tls-key FILE")
    case (nil, _?):
      throw mistake("--tls-key needs --tls-certificate", hint: "add --tls-certificate FILE")
    }
  }

  /// Whether a certificate or key is named.
  var usesTLS: Bool { settings.text("--tls-certificate") != nil || settings.text("--tls-key") != nil }
}
