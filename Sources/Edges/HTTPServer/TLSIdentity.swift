// The server's use of GnuTLS; `TLSProbe` is a client's.
//
// Ownership: a `TLSIdentity` owns its credentials. A connection's session uses them to its end, so `OpenConnection`
// keeps the identity that its session was given.
import CGnuTLS
import Glibc
import System
public import Values

/// A server's certificates and private key, which belong together and were valid when they were read.
@safe public final class TLSIdentity: Sendable {
  /// The longest file that is read, in bytes.
  private static let fileLimit = 1 << 20

  /// The versions and ciphers that are spoken: TLS 1.3 and 1.2, by the server's preference.
  ///
  /// Source: RFC 8996 deprecates everything older.
  static let priorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:%SERVER_PRECEDENCE"

  /// When the first of the certificates ends to be valid.
  public let validUntil: Instant
  /// The file of certificates, which ends with a zero byte.
  let certificateText: [UInt8]
  /// The file of the key, which ends with a zero byte.
  let keyText: [UInt8]
  // Sendable: after `init` sessions only read them, which GnuTLS allows from any thread.
  private nonisolated(unsafe) let credentials: gnutls_certificate_credentials_t

  /// Reads and checks both files.
  ///
  /// - Parameters:
  ///   - certificateFile: A PEM file with the server's certificate and those of its issuers after it.
  ///   - keyFile: A PEM file with the private key, without a password.
  ///   - now: The time at which the certificates have to be valid.
  /// - Throws: ``TLSError`` that names the file that is wrong.
  public init(certificateFile: String, keyFile: String, now: Instant) throws(TLSError) {
    let certificates: [UInt8]
    let key: [UInt8]
    do {
      certificates = try FileReader.contents(of: certificateFile, limit: Self.fileLimit, mayWait: false)
      key = try FileReader.contents(of: keyFile, limit: Self.fileLimit, mayWait: false)
    } catch {
      throw TLSError(error)
    }
    let validity = try Self.validity(of: certificates, in: certificateFile)
    guard validity.from <= now else {
      throw TLSError(.notYetValid, certificateFile, "it is valid from \(validity.from) on")
    }
    guard now <= validity.until else {
      throw TLSError(.expired, certificateFile, "it was valid until \(validity.until)")
    }
    var made: gnutls_certificate_credentials_t?
    let code = unsafe gnutls_certificate_allocate_credentials(&made)
    guard let credentials = unsafe made else {
      throw TLSError(.system, certificateFile, Self.words(for: code))
    }
    let outcome = unsafe skan_tls_set_pair(
      credentials, certificates, UInt32(certificates.count), key, UInt32(key.count))
    guard outcome >= 0 else {
      unsafe gnutls_certificate_free_credentials(credentials)
      let isMismatch = Int64(outcome) == Int64(skan_tls_mismatch)
      throw TLSError(
        isMismatch ? .keyMismatch : .notAKey, keyFile,
        isMismatch ? "it is not the key of the certificate in '\(certificateFile)'" : Self.words(for: outcome)
      )
    }
    unsafe self.credentials = credentials
    validUntil = validity.until
    certificateText = certificates + [0]
    keyText = key + [0]
  }

  deinit { unsafe gnutls_certificate_free_credentials(credentials) }

  /// Returns the time in which all certificates of a PEM text are valid.
  private static func validity(
    of text: [UInt8], in path: String
  ) throws(TLSError) -> (from: Instant, until: Instant) {
    var chain: UnsafeMutablePointer<gnutls_x509_crt_t?>?
    var count: UInt32 = 0
    let code = unsafe skan_tls_read_chain(&chain, &count, text, UInt32(text.count))
    guard code >= 0, count > 0, let first = unsafe chain else {
      throw TLSError(.notACertificate, path, words(for: code))
    }
    defer { unsafe skan_tls_free_chain(first, count) }
    var (from, until) = (Int64.min, Int64.max)
    for index in 0..<Int(count) {
      from = max(from, Int64(unsafe gnutls_x509_crt_get_activation_time(first[index])))
      until = min(until, Int64(unsafe gnutls_x509_crt_get_expiration_time(first[index])))
    }
    // A certificate without an end may carry the largest time there is.
    let last = Int64.max / 1000
    return (Instant(seconds: max(from, -last)), Instant(seconds: min(until, last)))
  }

  private static func words(for code: Int32) -> String {
    guard let text = unsafe gnutls_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  /// Makes a session show these certificates; allowed before its handshake.
  ///
  /// The C function is `gnutls_credentials_set`.
  func present(in session: TLSSession) {
    _ = unsafe gnutls_credentials_set(
      session.pointer, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
  }
}

/// The encrypted side of a connection, which the server's library owns.
@safe struct TLSSession {
  fileprivate let pointer: gnutls_session_t

  init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = gnutls_session_t(pointer) }

  /// Encrypts and writes bytes, informs the client that no more will come, and returns whether all were written.
  ///
  /// The C functions are `gnutls_record_send` and `gnutls_bye`.
  func sendLast(_ bytes: [UInt8]) -> Bool {
    let most = Int(unsafe gnutls_record_get_max_size(pointer))
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(most)
      let sent = unsafe piece.withUnsafeBytes { unsafe gnutls_record_send(pointer, $0.baseAddress, $0.count) }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return unsafe gnutls_bye(pointer, GNUTLS_SHUT_WR) == 0
  }
}

/// The version of the GnuTLS library that is linked, such as `3.7.9`.
public var gnuTLSVersion: String {
  guard let version = unsafe gnutls_check_version(nil) else { return "?" }
  return unsafe String(cString: version)
}
