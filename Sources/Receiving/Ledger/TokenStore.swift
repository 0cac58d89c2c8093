public import OpenSSL
import SQLite
public import Values

/// A token as the ledger keeps it: by its digest only, but for secrets that bodies are signed with.
public struct StoredToken: Hashable, Sendable {
  /// What a token allows; the raw value is stored in the database.
  public enum Use: String, Hashable, Sendable, CaseIterable {
    case forward
    case read
    /// To read reports and to edit mappings and imported data on the pages.
    case edit
    case sign
    /// To send postbacks of development and test keys to a path that the token is part of.
    case testInbox = "test-inbox"
    /// To read the page for developers of an app at an address that the token is part of.
    case handover
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

/// Makes and revokes tokens while the ledger's writer goes on; one thread owns it.
public final class TokenStore {
  private let connection: Connection

  /// Opens a database.
  ///
  /// - Parameter makesFile: Whether the file is made when it is missing; `false` beside a running service.
  public init(path: String, makesFile: Bool = true) throws(LedgerError) {
    connection = try LedgerWriter.open(path, LedgerSettings(), makesFile: makesFile)
  }

  /// Adds a token.
  ///
  /// - Parameters:
  ///   - name: The network it belongs to, or whose it is.
  ///   - token: Its text, of which the SHA-256 is kept.
  ///   - expiresAt: When it ends by itself; `nil` for never.
  ///   - limit: The only apps and networks that it shows.
  ///   - isSecret: Whether bodies are signed with it, for which the text is kept too.
  public func add(
    _ use: StoredToken.Use, name: String, token: String, expiresAt: Instant? = nil,
    limit: ReadLimit = .none,
    isSecret: Bool = false, now: Instant
  ) throws(LedgerError) -> Int64 {
    try asLedger { () throws(SQLiteError) in
      let insert = try connection.prepare(
        """
        INSERT INTO token(use, name, digest, created_at, secret, expires_at, apps, networks)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """
      )
      try insert.run([
        use.rawValue, name, SHA256Digest(of: Array(token.utf8)).hex, now.milliseconds, isSecret ? token : nil,
        expiresAt?.milliseconds,
        limit.appsText, limit.networksText,
      ])
      return connection.lastInsertedID
    }
  }

  /// Notes on which days tokens were used; an earlier day than the one that is noted changes nothing.
  public func note(uses: [Int64: Day]) throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        let update = try connection.prepare(
          "UPDATE token SET last_used_on = ?2 WHERE id = ?1 AND (last_used_on IS NULL OR last_used_on < ?2)")
        for (id, day) in uses { try update.run([id, Int64(day.number)]) }
      }
    }
  }

  /// Revokes a token from now on.
  ///
  /// - Returns: Whether there is such a token that held until now.
  public func revoke(_ id: Int64, now: Instant) throws(LedgerError) -> Bool {
    try asLedger { () throws(SQLiteError) in
      let update = try connection.prepare(
        "UPDATE token SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL")
      try update.run([id, now.milliseconds])
      return connection.changedRows > 0
    }
  }
}

extension LedgerReader {
  /// All tokens, revoked ones too, in the order they were made.
  public func tokens() throws(LedgerError) -> [StoredToken] {
    try asLedger { () throws(SQLiteError) in
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
}
