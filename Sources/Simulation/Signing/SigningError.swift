package import Values
package import Postbacks

/// What keeps a postback from being signed.
package enum SigningError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No private key is there for the version or key id; the text states which.
  case noKey(String)
  /// A private key can't be loaded or used.
  case key(String)
  /// The fields do not make a postback.
  case malformed(PostbackDefect)
  /// The version is none that Apple documents.
  case unknownVersion(String)
  /// There is a signature already.
  case signedAlready

  package var code: String {
    switch self {
    case .noKey: "no-key"
    case .key: "key"
    case .malformed: "malformed"
    case .unknownVersion: "unknown-version"
    case .signedAlready: "signed-already"
    }
  }

  package var description: String {
    switch self {
    case .noKey(let use): "no private key for \(use)"
    case .key(let reason): "a private key is \(reason)"
    case .malformed(let defect): defect.description
    case .unknownVersion: "Apple documents no such version"
    case .signedAlready: "the postback is signed already"
    }
  }
}

extension SigningError: UserFacingError {
  package var exitCode: ExitCode { .data }
}
