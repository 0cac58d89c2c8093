public import Crypto
import HTTPServer
import Ledger
import Platform

/// Who may forward postbacks and who may read reports: bearer tokens, known by their SHA-256 only.
public struct Access: Sendable {
  /// A network that forwards postbacks.
  public struct Network: Hashable, Sendable {
    /// Its name in the path and in the reports.
    public let name: String
    /// The SHA-256 of its token.
    public let token: SHA256Digest
    /// The secret that it signs bodies with; nil where it signs none.
    public let secret: [UInt8]?

    /// Gives a network a token, and a secret where its bodies have to be signed.
    public init(name: String, token: SHA256Digest, secret: [UInt8]? = nil) {
      self.name = name
      self.token = token
      self.secret = secret
    }
  }

  /// The networks that may forward.
  public let networks: [Network]
  /// The SHA-256 of every token that may read.
  public let readTokens: [SHA256Digest]
  /// Tokens that were made with `skan token`; `nil` for none.
  private let book: TokenBook?

  /// Lists who may do what, beside those who have a token of a database.
  public init(networks: [Network] = [], readTokens: [SHA256Digest] = [], database: String? = nil) {
    self.networks = networks
    self.readTokens = readTokens
    book = database.map { TokenBook(database: $0) }
  }

  /// Whether the request may forward postbacks as that network; the problem if not.
  func refusalToForward(as network: String, _ request: borrowing Request) -> Problem? {
    guard let digest = bearerDigest(of: request) else {
      return .unauthorized("Send Authorization: Bearer TOKEN.")
    }
    // Digests are compared, so the time a comparison takes tells nothing of a token.
    let stored = book?.tokens.filter { $0.use == .forward && $0.digest == digest }.map(\.name) ?? []
    let owners = networks.filter { $0.token == digest }.map(\.name) + stored
    guard !owners.isEmpty else { return .unauthorized("The token is not known.") }
    return owners.contains(network) ? nil : .forbidden("The token belongs to another network.")
  }

  /// The secrets of a network, one of which has to have signed its bodies; none where they need no signature.
  func secrets(of network: String) -> [[UInt8]] {
    let stored = book?.tokens.filter { $0.use == .sign && $0.name == network }.compactMap(\.secret) ?? []
    return networks.filter { $0.name == network }.compactMap(\.secret) + stored.map { Array($0.utf8) }
  }

  /// Whether the request may read; the problem if not.
  func refusalToRead(_ request: borrowing Request) -> Problem? {
    let stored = book?.tokens.filter { $0.use == .read }.map(\.digest) ?? []
    guard !readTokens.isEmpty || !stored.isEmpty else {
      return .forbidden("There is no read token; make one with `skan token create --reader NAME`.")
    }
    guard let digest = bearerDigest(of: request) else {
      return .unauthorized("Send Authorization: Bearer TOKEN.")
    }
    return readTokens.contains(digest) || stored.contains(digest)
      ? nil : .unauthorized("The token is not known.")
  }

  private func bearerDigest(of request: borrowing Request) -> SHA256Digest? {
    guard let header = request.header("Authorization") else { return nil }
    let words = header.split(separator: " ")
    // The scheme's name is case-insensitive; source: RFC 9110, section 11.1.
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return SHA256Digest(of: Array(words[1].utf8))
  }
}

/// The tokens of a database that hold, read again when a second has passed.
private final class TokenBook: Sendable {
  private static let microsecondsToLive = 1e6

  private struct Page: Sendable {
    var tokens: [StoredToken] = []
    var readAt: Double?
  }

  private let database: String
  private let page = Guarded(Page())

  init(database: String) { self.database = database }

  /// The tokens that hold; while the database can't be read, those of the last look.
  var tokens: [StoredToken] {
    page.withLock { page in
      let now = wallMicroseconds()
      if let readAt = page.readAt, now - readAt < Self.microsecondsToLive { return page.tokens }
      if let all = try? LedgerReader(path: database).tokens() {
        page.tokens = all.filter { $0.revokedAt == nil }
      }
      page.readAt = now
      return page.tokens
    }
  }
}
