public import Crypto
import HTTPServer

/// Who may forward postbacks and who may read reports: bearer tokens, known by their SHA-256 only.
public struct Access: Sendable {
  /// A network that forwards postbacks.
  public struct Network: Hashable, Sendable {
    /// Its name in the path and in the reports.
    public let name: String
    /// The SHA-256 of its token.
    public let token: SHA256Digest

    /// Gives a network a token.
    public init(name: String, token: SHA256Digest) {
      self.name = name
      self.token = token
    }
  }

  /// The networks that may forward.
  public let networks: [Network]
  /// The SHA-256 of every token that may read.
  public let readTokens: [SHA256Digest]

  /// Lists who may do what.
  public init(networks: [Network] = [], readTokens: [SHA256Digest] = []) {
    self.networks = networks
    self.readTokens = readTokens
  }

  /// Whether the request may forward postbacks as that network; the problem if not.
  func refusalToForward(as network: String, _ request: borrowing Request) -> Problem? {
    guard let digest = bearerDigest(of: request) else {
      return .unauthorized("Send Authorization: Bearer TOKEN.")
    }
    // Digests are compared, so the time a comparison takes tells nothing of a token.
    guard let owner = networks.first(where: { $0.token == digest }) else {
      return .unauthorized("The token is not known.")
    }
    return owner.name == network ? nil : .forbidden("The token belongs to another network.")
  }

  /// Whether the request may read; the problem if not.
  func refusalToRead(_ request: borrowing Request) -> Problem? {
    guard !readTokens.isEmpty else {
      return .forbidden("No read token is configured; set read-tokens in the configuration file.")
    }
    guard let digest = bearerDigest(of: request) else {
      return .unauthorized("Send Authorization: Bearer TOKEN.")
    }
    return readTokens.contains(digest) ? nil : .unauthorized("The token is not known.")
  }

  private func bearerDigest(of request: borrowing Request) -> SHA256Digest? {
    guard let header = request.header("Authorization") else { return nil }
    let words = header.split(separator: " ")
    // The scheme's name is case-insensitive; source: RFC 9110, section 11.1.
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return SHA256Digest(of: Array(words[1].utf8))
  }
}
