import HTTPServer
import OpenSSL
package import Values

/// A network's signature of a body: `t=UNIX_SECONDS,v1=HEX`, where HEX is the HMAC-SHA256 of the seconds as
/// they are written, a dot and the body as it is sent.
///
/// Several `v1` may be there, so that a sender can sign with an old and a new secret at once; names other than `t` and
/// `v1` are passed over. Source: the form is Stripe's, "Verify webhook signatures manually".
package struct ForwardSignature: Equatable {
  /// Why a signature is not accepted.
  package enum Mistake: Equatable {
    case missing
    case malformed
    /// The moment it names is too far from now.
    case expired(Instant, now: Instant)
    case mismatch
  }

  /// Milliseconds that the moment may lie before or after now.
  static let tolerance: Int64 = 300_000
  private static let mostCodes = 8

  private let seconds: String
  private let time: Instant
  private let codes: [[UInt8]]

  /// Reads the header's value; nil where it is anything else.
  init?(_ text: String) {
    var seconds: Substring?
    var codes: [[UInt8]] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { return nil }
      switch pair[0] {
      case "t":
        guard seconds == nil else { return nil }
        seconds = pair[1]
      case "v1":
        guard let digest = SHA256Digest(hex: String(pair[1])), codes.count < Self.mostCodes else {
          return nil
        }
        codes.append(digest.bytes)
      default: break
      }
    }
    guard let seconds, (1...12).contains(seconds.utf8.count),
      seconds.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(seconds), !codes.isEmpty
    else { return nil }
    self.seconds = String(seconds)
    time = Instant(seconds: number)
    self.codes = codes
  }

  /// Reports what is wrong with a body's signature; nil where one of the secrets made it.
  ///
  /// - Parameters:
  ///   - header: The value of `Skan-Signature`, nil where there is none.
  package static func mistake(in header: String?, of body: [UInt8], secrets: [[UInt8]], now: Instant)
    -> Mistake?
  {
    guard let header else { return .missing }
    guard let signature = ForwardSignature(header) else { return .malformed }
    let distance = now.milliseconds - signature.time.milliseconds
    guard abs(distance) <= tolerance else { return .expired(signature.time, now: now) }
    let message = Array("\(signature.seconds).".utf8) + body
    for secret in secrets {
      guard let code = try? hmacSHA256(message, secret: secret) else { continue }
      if signature.codes.contains(where: { isSame($0, code) }) { return nil }
    }
    return .mismatch
  }
}

extension Problem {
  /// The signature of a network's body is not accepted; 401.
  package static func signature(_ mistake: ForwardSignature.Mistake) -> Problem {
    let (code, detail) =
      switch mistake {
      case .missing:
        (
          "signature-missing",
          "This network has a signing secret; each body requires Skan-Signature: t=UNIX_SECONDS,v1=HEX."
        )
      case .malformed:
        (
          "signature-malformed",
          "Skan-Signature must be t=UNIX_SECONDS,v1=HEX with 64 hexadecimal digits; several v1 are allowed."
        )
      case .expired(let time, let now):
        (
          "signature-expired",
          "The body was signed at \(time), and the server's time is \(now); the tolerance is 300 s."
        )
      case .mismatch:
        (
          "signature-mismatch",
          "v1 must be the HMAC-SHA256 of t, a dot and the body as sent, with the network's secret."
        )
      }
    // A 401 has to name a scheme. Source: RFC 9110, section 11.6.1.
    return Problem(
      status: 401, code: code, title: "The body's signature is rejected", detail: detail,
      headers: [.init("WWW-Authenticate", "Skan-Signature")])
  }
}
