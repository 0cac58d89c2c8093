package import OpenSSL
package import System
import Values

/// Who is signed in: sessions in memory, which end with their token, after a time without use, and at a restart.
///
/// Only the digest of a session's id is kept, so a copy of the memory does not let anyone in.
package final class SessionStore: Sendable {
  /// Milliseconds without use after which a session ends.
  package static let idleMilliseconds = 12 * Hour.milliseconds
  /// Milliseconds after which a session ends in any case.
  package static let mostMilliseconds = 7 * Day.milliseconds

  private struct Session: Sendable {
    let token: SHA256Digest
    let formToken: String
    let began: Instant
    var lastUse: Instant
  }

  private let access: Access
  private let clock: WallClock
  private let capacity: Int
  private let sessions = Guarded<[SHA256Digest: Session]>([:])

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

  package var count: Int { sessions.withLock { $0.count } }

  /// Signs in with a token.
  ///
  /// The session always has an id of its own, whatever the client sent: no attacker can prepare one for others.
  /// - Returns: The id of the session for the cookie; `nil` where the token does not allow to read.
  /// - Throws: `OpenSSLError` when there is no randomness.
  package func begin(withToken token: String) throws(OpenSSLError) -> String? {
    let digest = SHA256Digest(of: Array(token.utf8))
    guard access.reader(withTokenDigest: digest) != nil else { return nil }
    let id = hexText(try randomBytes(32))
    let now = clock()
    let session = Session(
      token: digest, formToken: hexText(try randomBytes(32)), began: now, lastUse: now)
    sessions.withLock { sessions in
      if sessions.count >= capacity, let oldest = sessions.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        sessions[oldest.key] = nil
      }
      sessions[Self.key(id)] = session
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
      guard let session = sessions[key] else { return nil }
      guard now.milliseconds - session.lastUse.milliseconds < Self.idleMilliseconds,
        now.milliseconds - session.began.milliseconds < Self.mostMilliseconds
      else {
        sessions[key] = nil
        return nil
      }
      sessions[key]?.lastUse = now
      return session
    }
    guard let found else { return nil }
    guard let reader = access.reader(withTokenDigest: found.token) else {
      end(id)
      return nil
    }
    return Viewer(
      name: reader.name, role: reader.mayEdit ? .editor : .reader, formToken: found.formToken,
      isSignedIn: true, token: reader.token, digest: found.token, apps: reader.apps)
  }

  package func end(_ id: String) { sessions.withLock { $0[Self.key(id)] = nil } }

  private static func key(_ id: String) -> SHA256Digest { SHA256Digest(of: Array(id.utf8)) }
}
