public import OpenSSL
import SQLite
public import Values

/// A token as the ledger keeps it: by its digest only, but for secrets that bodies are signed with.
public struct StoredToken: Equatable, Sendable {
  /// What a token allows; the raw value is stored in the database.
  public enum Use: String, Hashable, Sendable, CaseIterable {
    case forward
    /// To forward to a path that the token is part of, for networks that know only an address.
    case forwardPath = "forward-path"
    case read
    /// To read reports and to edit mappings and imported data on the pages.
    case edit
    case sign
    /// To send postbacks of development and test keys to a path that the token is part of.
    case testInbox = "test-inbox"
    /// To read the page for developers of an app at an address that the token is part of.
    case handover

    /// Whether its holder is a network that forwards.
    package var isOfNetwork: Bool {
      switch self {
      case .forward, .forwardPath, .sign: true
      case .read, .edit, .testInbox, .handover: false
      }
    }
  }

  public let id: Int64
  public let use: Use
  /// The network it belongs to, or whose it is.
  public let name: String
  /// The SHA-256 of its text.
  public let digest: SHA256Digest
  public let createdAt: Instant
  /// When it was revoked; `nil` while it holds.
  public let revokedAt: Instant?
  /// When it ends by itself; `nil` for never.
  public let expiresAt: Instant?
  /// The only apps and networks that it shows.
  public let limit: ReadLimit
  /// The UTC day on which it was used last; `nil` for never, and for secrets, whose use is not noted.
  public let lastUsedOn: Day?
  /// Whether a text can be the name of a token's holder: letters, digits, `-`, `_` and `.`, as a URL has them.
  package static func isHolderName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
      }
  }

  /// The text itself of a secret that bodies are signed with, which can't be checked otherwise; nil for all others.
  public let secret: String?
}

/// Makes and revokes tokens.
package struct TokenStore {
  private let changes: any ChangeWriter

  /// Writes where changes go.
  package init(_ changes: any ChangeWriter) { self.changes = changes }

  /// Opens a database, and makes it when it is missing.
  package init(path: String) throws(LedgerError) { self.init(try LedgerFile(path: path)) }

  /// Adds a token.
  ///
  /// - Parameters:
  ///   - name: The network it belongs to, or whose it is.
  ///   - token: Its text, of which the SHA-256 is kept.
  ///   - expiresAt: When it ends by itself; `nil` for never.
  ///   - limit: The only apps and networks that it shows.
  ///   - isSecret: Whether bodies are signed with it, for which the text is kept too.
  /// - Returns: Its number.
  package func add(
    _ use: StoredToken.Use, name: String, token: String, expiresAt: Instant? = nil, limit: ReadLimit = .none,
    isSecret: Bool = false, now: Instant
  ) throws(LedgerError) -> Int64 {
    try changes.write(
      TokenAddition(
        use: use, name: name, digest: SHA256Digest(of: Array(token.utf8)), createdAt: now,
        secret: isSecret ? token : nil, expiresAt: expiresAt, limit: limit))
  }

  /// Notes on which days tokens were used; an earlier day than the one that is noted changes nothing.
  package func note(uses: [Int64: Day]) throws(LedgerError) {
    try changes.write(
      TokenUses(uses: uses.map { TokenUse(token: $0, day: $1) }.ordered { $0.token < $1.token }))
  }

  /// Revokes a token from now on.
  ///
  /// - Returns: Whether there is such a token that held until now.
  package func revoke(_ id: Int64, now: Instant) throws(LedgerError) -> Bool {
    try changes.write(TokenRevocation(id: id, revokedAt: now))
  }
}

extension StoredToken.Use: ChangeField {}

struct TokenAddition: LedgerChange {
  static let kind = ChangeKind.tokenAddition

  let use: StoredToken.Use
  let name: String
  let digest: SHA256Digest
  let createdAt: Instant
  /// The text of a secret that bodies are signed with; `nil` for all others.
  let secret: String?
  let expiresAt: Instant?
  let limit: ReadLimit

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int64 {
    let insert = try connection.prepare(
      """
      INSERT INTO token(use, name, digest, created_at, secret, expires_at, apps, networks)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    try insert.run(
      use.rawValue, name, digest.hex, createdAt.milliseconds, secret, expiresAt?.milliseconds, limit.appsText,
      limit.networksText)
    return connection.lastInsertedID
  }

  static let form = Form(Self.init) {
    ($0.use, $0.name, $0.digest, $0.createdAt, $0.secret, $0.expiresAt, $0.limit)
  }
}

extension ReadLimit: ChangeRecord {
  package static let form = Form({ (apps: String?, networks: String?) throws(ChangeDefect) in
    guard let limit = Self(apps: apps, networks: networks) else { throw .badValue(of: "limit") }
    return limit
  }) { ($0.appsText, $0.networksText) }
}

struct TokenRevocation: LedgerChange {
  static let kind = ChangeKind.tokenRevocation

  let id: Int64
  let revokedAt: Instant

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Bool {
    let update = try connection.prepare(
      "UPDATE token SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL")
    try update.run(id, revokedAt.milliseconds)
    return connection.changedRows > 0
  }

  static let form = Form(Self.init) { ($0.id, $0.revokedAt) }
}

struct TokenUse: ChangeRecord {
  let token: Int64
  let day: Day

  static let form = Form(Self.init) { ($0.token, $0.day) }
}

struct TokenUses: LedgerChange {
  static let kind = ChangeKind.tokenUses

  let uses: [TokenUse]

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    let update = try connection.prepare(
      "UPDATE token SET last_used_on = ?2 WHERE id = ?1 AND (last_used_on IS NULL OR last_used_on < ?2)")
    for use in uses { try update.run(use.token, Int64(use.day.number)) }
  }

  static let form = Form(Self.init) { $0.uses }
}

extension LedgerReader {
  /// All tokens, revoked ones too, in the order they were made.
  public func tokens() throws(LedgerError) -> [StoredToken] {
    var tokens: [StoredToken] = []
    try connection.prepare(
      """
      SELECT id, use, name, digest, created_at, revoked_at, secret, expires_at, apps, last_used_on, networks
      FROM token ORDER BY id
      """
    ).forEachRow { row in
      guard let use = StoredToken.Use(rawValue: row.text(1) ?? ""),
        let digest = SHA256Digest(hex: row.text(3) ?? ""),
        // A limit that can't be read must not open everything.
        let limit = ReadLimit(apps: row.text(8), networks: row.text(10))
      else { return }
      tokens.append(
        StoredToken(
          id: row.count(0), use: use, name: row.text(2) ?? "", digest: digest,
          createdAt: Instant(milliseconds: row.count(4)),
          revokedAt: row.integer(5).map { Instant(milliseconds: $0) },
          expiresAt: row.integer(7).map { Instant(milliseconds: $0) },
          limit: limit,
          lastUsedOn: row.integer(9).map { Day(number: Int32(truncatingIfNeeded: $0)) }, secret: row.text(6)
        ))
    }
    return tokens
  }
}
