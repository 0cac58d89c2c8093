public import Values
import System

/// A certificate or key that cannot be used, with what to do about it.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// A file cannot be read.
    case unreadable = "tls-file-unreadable"
    /// The file holds no PEM certificates, or not from the server's own to its issuers'.
    case notACertificate = "tls-not-a-certificate"
    /// The file holds no PEM key, or one that is under a password.
    case notAKey = "tls-not-a-key"
    case keyMismatch = "tls-key-of-another-certificate"
    case notYetValid = "tls-certificate-not-yet-valid"
    /// A certificate is not valid any more.
    case expired = "tls-certificate-expired"
    case system = "tls-system"
  }

  public let code: Code
  /// The file that is wrong, as it was named.
  public let path: String
  /// What is wrong, in the library's or the system's words.
  public let reason: String

  init(_ code: Code, _ path: String, _ reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  init(_ error: FileError) { self.init(.unreadable, error.path, error.reason) }

  /// One sentence that names the file and the reason.
  public var description: String { "cannot use '\(path)' for TLS: \(reason)" }

  public var remedy: String? {
    switch code {
    case .unreadable: "check the path, and that this user may read the file"
    case .notACertificate: "name a PEM file with the server's certificate first and its issuers' after it"
    case .notAKey: "name a PEM file with a private key that has no password"
    case .keyMismatch: "name the key that the certificate was made for"
    case .notYetValid: "check the clock, or wait until the certificate is valid"
    case .expired: "renew the certificate"
    case .system: "check the memory that is free, then try again"
    }
  }
}

extension TLSError: UserFacingError {
  /// What it means to the program that started this one.
  public var exitCode: ExitCode {
    switch code {
    case .unreadable: .inputOutput
    case .system: .unavailable
    case .notACertificate, .notAKey, .keyMismatch, .notYetValid, .expired: .data
    }
  }
}
