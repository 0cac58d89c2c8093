package import OpenSSL
package import System
package import Values

/// Who is signed in: sessions in memory, which end with their token, after a time without use, and at a restart.
///
/// Only the digest of a session's id is kept, so a copy of the memory does not let anyone in.
package final class SessionStore: Sendable {
  /// Milliseconds without use after which a session ends.
  package static let idleMilliseconds = 12 * Hour.milliseconds
  /// Milliseconds after which a session ends in any case.
  static let mostMilliseconds = 7 * Day.milliseconds

  private struct Session: Sendable {
    let number: Int
    let token: SHA256Digest
    let formToken: String
    let began: Instant
    var lastUse: Instant

    func isOpen(at now: Instant) -> Bool {
      now.milliseconds - lastUse.milliseconds < idleMilliseconds
        && now.milliseconds - began.milliseconds < mostMilliseconds
    }
  }

  private struct Sessions: Sendable {
    var last = 0
    var byKey: [SHA256Digest: Session] = [:]
  }

  private let access: Access
  private let clock: WallClock
  private let capacity: Int
  private let sessions = Guarded(Sessions())

  /// Begins without sessions.
  ///
  /// - Parameters:
  ///   - access: Whose tokens allow a sign-in.
  ///   - capacity: Sessions at once; beyond it the one that was used the longest ago ends.
  package init(_ access: Access, clock: @escaping WallClock, capacity: Int = 4096) {
    self.access = access
    self.clock = clock
    self.capacity = max(1, capacity)
  }

  package var count: Int { sessions.withLock { $0.byKey.count } }

  /// Signs in with a token.
  ///
  /// The session always has an id of its own, whatever the client sent: no attacker can prepare one for others.
  /// - Returns: The id of the session for the cookie; `nil` where the token does not allow to read.
  /// - Throws: `OpenSSLError` when there is no randomness.
  package func begin(withToken token: String) throws(OpenSSLError) -> String? {
    let digest = SHA256Digest(of: Array(token.utf8))
    guard access.reader(usingTokenDigest: digest) != nil else { return nil }
    let id = hexText(try randomBytes(32))
    let now = clock()
    let formToken = hexText(try randomBytes(32))
    sessions.withLock { sessions in
      if sessions.byKey.count >= capacity,
        let oldest = sessions.byKey.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        sessions.byKey[oldest.key] = nil
      }
      sessions.last += 1
      sessions.byKey[Self.key(id)] = Session(
        number: sessions.last, token: digest, formToken: formToken, began: now, lastUse: now)
    }
    return id
  }

  /// Who has a session.
  ///
  /// - Returns: `nil` where there is no such session, or where it or its token has ended.
  package func viewer(ofSession id: String) -> Viewer? {
    let now = clock()
    let key = Self.key(id)
    let found: Session? = sessions.withLock { sessions in
      guard let session = sessions.byKey[key] else { return nil }
      guard session.isOpen(at: now) else {
        sessions.byKey[key] = nil
        return nil
      }
      sessions.byKey[key]?.lastUse = now
      return session
    }
    guard let found else { return nil }
    guard let reader = access.reader(usingTokenDigest: found.token) else {
      end(id)
      return nil
    }
    return Viewer(
      name: reader.name, role: reader.mayEdit ? .editor : .reader, formToken: found.formToken,
      isSignedIn: true, hasSession: true, token: reader.token, digest: found.token, limit: reader.limit)
  }

  package func end(_ id: String) { sessions.withLock { $0.byKey[Self.key(id)] = nil } }

  /// A session as a list shows it.
  package struct Open: Equatable, Sendable {
    package let number: Int
    /// The name of the token's owner.
    package let name: String
    package let began: Instant
    package let lastUse: Instant
    /// Whether it is the viewer's own.
    package let isOwn: Bool
  }

  /// The sessions that have not ended, the last used first.
  package func open(shownTo viewer: Viewer) -> [Open] {
    let now = clock()
    let all = sessions.withLock { Array($0.byKey.values) }
    return all.compactMap { session -> Open? in
      guard session.isOpen(at: now), let reader = access.reader(withTokenDigest: session.token) else {
        return nil
      }
      return Open(
        number: session.number, name: reader.name, began: session.began, lastUse: session.lastUse,
        isOwn: session.formToken == viewer.formToken)
    }.sorted { ($1.lastUse, $1.number) < ($0.lastUse, $0.number) }
  }

  /// Ends the session of a number; false where there is none.
  package func end(number: Int) -> Bool {
    sessions.withLock { sessions in
      guard let key = sessions.byKey.first(where: { $0.value.number == number })?.key else { return false }
      sessions.byKey[key] = nil
      return true
    }
  }

  private static func key(_ id: String) -> SHA256Digest { SHA256Digest(of: Array(id.utf8)) }
}
