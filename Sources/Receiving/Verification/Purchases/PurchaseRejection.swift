import JSONText
import OpenSSL
package import Postbacks

/// Why a body is not counted as a notification of the App Store.
package enum PurchaseRejection: Error, Equatable, Sendable {
  /// It has not the form; the text is what is wrong.
  case malformed(String)
  /// A JWS names another algorithm than ES256.
  case otherAlgorithm
  /// The certificates lead to no trusted root.
  case foreignRoot
  /// A certificate was not valid at the `signedDate`.
  case expiredChain
  /// The certificates don't hold otherwise; the text is OpenSSL's reason.
  case brokenChain(String)
  /// The signature is not of the certificate's key.
  case signatureMismatch
  /// Of an app that the configuration does not have.
  case otherApp(bundle: String, app: AppID?)
  /// The parts are not of one environment, or of one that is not accepted.
  case otherEnvironment

  package var code: String {
    switch self {
    case .malformed: "malformed"
    case .otherAlgorithm: "jws-algorithm"
    case .foreignRoot: "foreign-root"
    case .expiredChain: "expired-chain"
    case .brokenChain: "broken-chain"
    case .signatureMismatch: "signature-mismatch"
    case .otherApp: "other-app"
    case .otherEnvironment: "other-environment"
    }
  }

  /// What is wrong, without a full stop.
  package var sentence: String {
    switch self {
    case .malformed(let what): what
    case .otherAlgorithm: "a signature names another algorithm than ES256"
    case .foreignRoot: "the certificates lead neither to Apple's root nor to a root that is trusted for tests"
    case .expiredChain: "a certificate was not valid at the signedDate"
    case .brokenChain(let why): "the certificates do not hold: \(why)"
    case .signatureMismatch: "the signature does not match the certificate's key"
    case .otherApp(let bundle, let app):
      "the app \(quoted(bundle))\(app.map { ", \($0.number)," } ?? "") is not in \"purchases\" of the configuration"
    case .otherEnvironment: "the environment is not accepted, or is not that of the signed transaction"
    }
  }

  /// Whether it has no form that could be verified.
  package var isMalformed: Bool { if case .malformed = self { true } else { false } }

  init(_ defect: AppStoreDefect) {
    switch defect {
    case .malformed(let what): self = .malformed(what)
    case .otherAlgorithm: self = .otherAlgorithm
    }
  }

  init(_ defect: ChainDefect) {
    switch defect {
    case .notACertificate: self = .malformed("x5c has something else than certificates in DER form")
    case .expired: self = .expiredChain
    case .untrusted(let why): self = .brokenChain(why)
    case .unmarked(let mark): self = .brokenChain("Apple's extension \(mark) is missing")
    }
  }
}
