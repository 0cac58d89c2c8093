/// Why a request had no answer.
package struct PostError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of failure; the raw value is a stable code.
  package enum Code: String, Sendable {
    /// The address is none of `http` or `https`, or no address at all.
    case badAddress = "bad-address"
    case unknownHost = "unknown-host"
    case notConnected = "not-connected"
    case timedOut = "timed-out"
    /// The certificate is not trusted, or TLS failed.
    case notTrusted = "not-trusted"
    /// The connection broke, or the answer was not HTTP.
    case broken
    /// The answer is longer than what is read of it.
    case tooLong = "too-long"
    case system
  }

  package let code: Code
  /// libcurl's own words.
  package let reason: String

  package init(code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  package var description: String { "\(code.rawValue): \(reason)" }

  package var remedy: String {
    switch code {
    case .badAddress: "Write the address as https://HOST/PATH."
    case .unknownHost: "Check the host's name and the name server."
    case .notConnected: "Check that the other side runs and that no firewall is in between."
    case .timedOut: "Check the load of the other side; it must answer within seconds."
    case .notTrusted: "Check the other side's certificate, and that ca-certificates is installed here."
    case .broken: "Check the service at that address; its answer is not HTTP."
    case .tooLong: "Ask for less at a time, or allow longer answers."
    case .system: "Check the memory and the limit of open files."
    }
  }
}
