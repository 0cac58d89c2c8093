package import HTTPServer
package import Ledger
package import NetworkForms
package import OpenSSL
package import Postbacks
package import System
package import Values

/// Who may forward postbacks and who may read reports: bearer tokens, known by their SHA-256 only.
package struct Access: Sendable {
  package struct Network: Hashable, Sendable {
    package let name: String
    /// The SHA-256 of its token; nil where it has only those of a database.
    package let token: SHA256Digest?
    /// The secret that it signs bodies with; nil where it signs none.
    package let secret: [UInt8]?
    package let profile: NetworkProfile

    /// Gives a network a token, and a secret where its bodies have to be signed.
    package init(
      name: String, token: SHA256Digest?, secret: [UInt8]? = nil, profile: NetworkProfile = .apple
    ) {
      self.name = name
      self.token = token
      self.secret = secret
      self.profile = profile
    }
  }

  private struct Configured: Sendable {
    var networks: [Network]
    var readTokens: [SHA256Digest]
  }

  private let configured: Guarded<Configured>
  /// Tokens that were made with `skan token`; `nil` for none.
  private let book: TokenCache?
  private let clock: WallClock
  /// Requests for known networks that were turned away.
  package let turnedAway = TurnedAwayRequests()

  /// Lists who may do what, beside those who have a token of a database.
  ///
  /// - Parameter ledger: Whose tokens also hold, and where their use is noted; `nil` for none.
  package init(
    networks: [Network] = [], readTokens: [SHA256Digest] = [], ledger: (any ChangeWriter & Sendable)? = nil,
    clock: @escaping WallClock = systemClock
  ) {
    self.clock = clock
    configured = Guarded(Configured(networks: networks, readTokens: readTokens))
    book = ledger.map { TokenCache($0) }
  }

  /// Takes other tokens of the configuration file from the next request on.
  package func use(networks: [Network], readTokens: [SHA256Digest]) {
    configured.withLock { $0 = Configured(networks: networks, readTokens: readTokens) }
  }

  /// The tokens of the database that were made or revoked since the last call; the first call returns none.
  ///
  /// It reads the database unless that happened within the last second.
  package func tokenChanges() -> [TokenChange] { book?.changes() ?? [] }

  /// Has the tokens of the database read again at the next request, because this process may have changed them.
  package func forgetTokens() { book?.forget() }

  /// Stores the days on which tokens were used since the last call; what cannot be stored now is kept for the next one.
  ///
  /// A request itself writes nothing.
  package func storeTokenUses() { book?.storeUses() }

  private func noteUse(of digest: SHA256Digest) { book?.noteUse(of: digest, on: clock().day) }

  private var networks: [Network] { configured.withLock { $0.networks } }

  /// Whether the request may forward postbacks as that network; the problem if not.
  package func rejectionToForward(as network: String, _ request: borrowing Request) -> Problem? {
    let takesQuery = profile(of: network).takesParameters
    guard let digest = bearerDigest(of: request) ?? (takesQuery ? queryDigest(of: request) : nil) else {
      return .unauthorized("Send Authorization: Bearer TOKEN\(takesQuery ? ", or the parameter token" : "").")
    }
    // Digests are compared, so the time a comparison takes reveals nothing about a token.
    let stored = book?.tokens.filter { $0.use == .forward && $0.digest == digest }.map(\.name) ?? []
    let owners = networks.filter { $0.token == digest }.map(\.name) + stored
    guard owners.isEmpty else {
      guard owners.contains(network) else { return .forbidden("The token belongs to another network.") }
      noteUse(of: digest)
      return nil
    }
    return mayRead(digest)
      ? .forbidden(
        "This is a read token; forwarding requires a token of the network. Create one with `skan token "
          + "create --network NAME`."
      ) : .unauthorized("The token is unknown or revoked.")
  }

  /// The network whose token a part of a path is; `nil` where it is unknown or revoked.
  ///
  /// Letters count alike in either case, because some systems write addresses in lower case.
  package func network(withPathToken text: String) -> String? {
    let digest = SHA256Digest(of: Array(text.lowercased().utf8))
    guard let token = book?.tokens.first(where: { $0.use == .forwardPath && $0.digest == digest }) else {
      return nil
    }
    noteUse(of: digest)
    return token.name
  }

  /// Notes that a request for a network was answered 401, 403, 404 or 405, if the network is known.
  ///
  /// - Parameter status: The status of the answer.
  package func noteTurnedAway(_ network: String, status: Int) {
    guard networks.contains(where: { $0.name == network }) || book?.networks.contains(network) == true else {
      return
    }
    turnedAway.note(network, status: status, at: clock())
  }

  /// Notes that a path with a revoked token was used.
  package func noteTurnedAway(pathToken text: String) {
    let digest = SHA256Digest(of: Array(text.lowercased().utf8))
    guard let network = book?.networkOfRevokedPath(digest) else { return }
    turnedAway.note(network, status: 404, at: clock())
  }

  /// How a network passes postbacks on; as Apple does where nothing else is configured.
  package func profile(of network: String) -> NetworkProfile {
    networks.first { $0.name == network }?.profile ?? .apple
  }

  /// Whether a network may send the query of a GET: its profile has parameters, and no body has to be signed.
  package func takesQuery(from network: String) -> Bool {
    profile(of: network).takesParameters && secrets(of: network).isEmpty
  }

  /// The parameters of a query without the token.
  package func parameters(of request: borrowing Request) -> [(name: String, value: String)] {
    request.queryItems.filter { $0.name != Self.tokenParameter }
  }

  /// The secrets of a network, one of which has to have signed its bodies; none where they need no signature.
  package func secrets(of network: String) -> [[UInt8]] {
    let stored = book?.tokens.filter { $0.use == .sign && $0.name == network }.compactMap(\.secret) ?? []
    return networks.filter { $0.name == network }.compactMap(\.secret) + stored.map { Array($0.utf8) }
  }

  /// Whether the request may read; the problem if not.
  package func rejectionToRead(_ request: borrowing Request) -> Problem? {
    let tokens = book?.tokens ?? []
    let readTokens = configured.withLock { $0.readTokens }
    guard !readTokens.isEmpty || tokens.contains(where: { $0.mayRead(at: clock()) }) else {
      return .forbidden("There is no read token; create one with `skan token create --reader NAME`.")
    }
    guard let digest = bearerDigest(of: request) else {
      return .unauthorized("Send Authorization: Bearer TOKEN.")
    }
    if mayRead(digest) {
      if let limit = reader(withTokenDigest: digest)?.limit, !limit.isNone {
        return .forbidden(
          limit.networks.isEmpty
            ? "This token is limited to apps and is for the pages; reading here requires a token without a limit."
            : "This token is limited to networks and is for the pages of campaigns, values, arrivals and withheld "
              + "values; reading here requires a token without a limit.")
      }
      noteUse(of: digest)
      return nil
    }
    let owner =
      networks.first { $0.token == digest }?.name
      ?? tokens.first { $0.use == .forward && $0.digest == digest }?.name
    guard let owner else { return .unauthorized("The token is unknown or revoked.") }
    return .forbidden(
      "This token forwards postbacks of the network '\(owner)'; reading requires a read token. Create "
        + "one with `skan token create --reader NAME`.")
  }

  /// The state of the test inbox that a path names.
  package enum Inbox: Equatable, Sendable {
    case open(Int64)
    case expired
    case unknown
  }

  /// The test inbox that a part of a path names.
  package func inbox(named name: String, at now: Instant) -> Inbox {
    let digest = SHA256Digest(of: Array(name.lowercased().utf8))
    guard let token = book?.tokens.first(where: { $0.use == .testInbox && $0.digest == digest }) else {
      return .unknown
    }
    guard token.expiresAt.map({ now < $0 }) ?? true else { return .expired }
    noteUse(of: digest)
    return .open(token.id)
  }

  /// The app whose page for developers a part of a path opens; `nil` where it is unknown, revoked or has expired.
  package func handover(named name: String, at now: Instant) -> AppID? {
    let digest = SHA256Digest(of: Array(name.utf8))
    guard let token = book?.tokens.first(where: { $0.use == .handover && $0.digest == digest }),
      token.expiresAt.map({ now < $0 }) ?? true
    else { return nil }
    noteUse(of: digest)
    return token.limit.apps.first
  }

  private func mayRead(_ digest: SHA256Digest) -> Bool {
    configured.withLock { $0.readTokens.contains(digest) }
      || book?.tokens.contains { $0.digest == digest && $0.mayRead(at: clock()) } == true
  }

  package struct Reader: Equatable, Sendable {
    package let name: String
    /// Whether the token allows to edit, too.
    package let mayEdit: Bool
    /// The number of the token; `nil` for one of the configuration file.
    package let token: Int64?
    /// The only apps and networks that the token shows.
    package let limit: ReadLimit
  }

  /// Who uses the token with this digest, where it allows to read; the day is noted.
  ///
  /// - Returns: `nil` for a token that is unknown, revoked or for something else.
  package func reader(usingTokenDigest digest: SHA256Digest) -> Reader? {
    let reader = reader(withTokenDigest: digest)
    if reader?.token != nil { noteUse(of: digest) }
    return reader
  }

  /// Who has the token of a request, where it allows to read; its use is not noted.
  package func reader(of request: borrowing Request) -> Reader? {
    bearerDigest(of: request).flatMap { reader(withTokenDigest: $0) }
  }

  /// Who has the token with this digest, where it allows to read.
  ///
  /// - Returns: `nil` for a token that is unknown, revoked or for something else.
  package func reader(withTokenDigest digest: SHA256Digest) -> Reader? {
    if let token = book?.tokens.first(where: { $0.digest == digest && $0.mayRead(at: clock()) }) {
      return Reader(name: token.name, mayEdit: token.use == .edit, token: token.id, limit: token.limit)
    }
    return configured.withLock { $0.readTokens.contains(digest) }
      ? Reader(name: "read-tokens", mayEdit: false, token: nil, limit: .none) : nil
  }

  /// The parameter that has the token of a network whose servers can send no header.
  static let tokenParameter = "token"

  private func queryDigest(of request: borrowing Request) -> SHA256Digest? {
    let tokens = request.queryItems.filter { $0.name == Self.tokenParameter }
    return tokens.count == 1 ? tokens.first.map { SHA256Digest(of: Array($0.value.utf8)) } : nil
  }

  private func bearerDigest(of request: borrowing Request) -> SHA256Digest? {
    guard let header = request.header("Authorization") else { return nil }
    let words = header.split(separator: " ")
    // The scheme's name is case-insensitive; source: RFC 9110, section 11.1.
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return SHA256Digest(of: Array(words[1].utf8))
  }
}

package struct TokenChange: Equatable, Sendable {
  /// The two ways of change; the raw value is the word in the log.
  package enum Kind: String, Hashable, Sendable {
    case created, revoked
  }

  package let kind: Kind
  /// The token's number.
  package let id: Int64
  package let use: StoredToken.Use
  /// The network it belongs to, or whose it is.
  package let name: String
}

/// The tokens of a database that hold, read again when a second has passed.
private final class TokenCache: Sendable {
  private static let microsecondsToLive = 1e6

  private struct Page: Sendable {
    var tokens: [StoredToken] = []
    /// The names of all networks that have or had a token or a secret.
    var networks: Set<String> = []
    /// The networks whose path was revoked, by the digest of its token.
    var revokedPaths: [SHA256Digest: String] = [:]
    var readAt: Double?
    /// All tokens at the last look, by number, and whether each held; `nil` before the first.
    var known: [Int64: Bool]?
    var changes: [TokenChange] = []
    /// Days of use that are not stored yet, by the number of the token.
    var uses: [Int64: Day] = [:]

    mutating func take(_ all: [StoredToken]) {
      tokens = all.filter { $0.revokedAt == nil }
      networks = Set(all.filter(\.use.isOfNetwork).map(\.name))
      revokedPaths = Dictionary(
        all.filter { $0.use == .forwardPath && $0.revokedAt != nil }.map { ($0.digest, $0.name) },
        uniquingKeysWith: { first, _ in first })
      if let known {
        for token in all {
          if known[token.id] == nil { changes.append(TokenChange(.created, token)) }
          if token.revokedAt != nil, known[token.id] != false { changes.append(TokenChange(.revoked, token)) }
        }
      }
      known = Dictionary(all.map { ($0.id, $0.revokedAt == nil) }, uniquingKeysWith: { _, last in last })
    }
  }

  private let ledger: any ChangeWriter & Sendable
  private let page = Guarded(Page())

  init(_ ledger: any ChangeWriter & Sendable) { self.ledger = ledger }

  /// The tokens that hold; while the database can't be read, those of the last look.
  var tokens: [StoredToken] {
    page.withLock { page in
      refresh(&page)
      return page.tokens
    }
  }

  var networks: Set<String> {
    page.withLock { page in
      refresh(&page)
      return page.networks
    }
  }

  func networkOfRevokedPath(_ digest: SHA256Digest) -> String? {
    page.withLock { page in
      refresh(&page)
      return page.revokedPaths[digest]
    }
  }

  /// What changed since the last call.
  func changes() -> [TokenChange] {
    page.withLock { page in
      refresh(&page)
      defer { page.changes = [] }
      return page.changes
    }
  }

  func forget() { page.withLock { $0.readAt = nil } }

  /// Notes a use unless one of the day is stored.
  func noteUse(of digest: SHA256Digest, on day: Day) {
    page.withLock { page in
      guard let token = page.tokens.first(where: { $0.digest == digest }),
        token.lastUsedOn.map({ $0 < day }) ?? true
      else { return }
      page.uses[token.id] = day
    }
  }

  func storeUses() {
    let uses = page.withLock { $0.uses }
    guard !uses.isEmpty, (try? TokenStore(ledger).note(uses: uses)) != nil else { return }
    page.withLock { page in
      for (id, day) in uses where page.uses[id] == day { page.uses[id] = nil }
      page.readAt = nil
    }
  }

  private func refresh(_ page: inout Page) {
    let now = wallMicroseconds()
    if let readAt = page.readAt, now - readAt < Self.microsecondsToLive { return }
    let all = try? ledger.read { reader throws(LedgerError) in try reader.tokens() }
    if let all { page.take(all) }
    page.readAt = now
  }
}

extension StoredToken {
  /// Whether it allows to read at a moment; an editor reads what it edits.
  fileprivate func mayRead(at now: Instant) -> Bool {
    (use == .read || use == .edit) && expiresAt.map { now < $0 } ?? true
  }
}

extension TokenChange {
  fileprivate init(_ kind: Kind, _ token: StoredToken) {
    self.init(kind: kind, id: token.id, use: token.use, name: token.name)
  }
}
