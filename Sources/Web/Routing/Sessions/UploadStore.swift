package import OpenSSL
package import System
import Values

/// Files that were uploaded and are yet to be confirmed: in memory, for a while, each for the session that sent it.
package final class UploadStore: Sendable {
  /// Milliseconds after which an upload is forgotten.
  static let mostMilliseconds = Hour.milliseconds
  /// Uploads of one session; a further one takes the place of its oldest.
  static let mostOfSession = 2

  /// A file, and what else its form had.
  package struct Upload: Sendable {
    package let kind: String
    /// The name that the browser gave; nothing is done with it but to show it.
    package let name: String
    package let bytes: [UInt8]
    package let choices: [String: [String]]
    /// How it is to be read, of the type that its kind has for that.
    package let reading: any Sendable

    package init(
      kind: String, name: String, bytes: [UInt8], choices: [String: [String]], reading: any Sendable
    ) {
      self.kind = kind
      self.name = name
      self.bytes = bytes
      self.choices = choices
      self.reading = reading
    }
  }

  private struct Entry: Sendable {
    let upload: Upload
    let session: String
    let at: Instant
  }

  private let clock: WallClock
  private let capacity: Int
  private let entries = Guarded<[String: Entry]>([:])

  /// - Parameters:
  ///   - capacity: Bytes of all uploads; beyond them the oldest are forgotten.
  package init(clock: @escaping WallClock, capacity: Int = 64 << 20) {
    self.clock = clock
    self.capacity = capacity
  }

  /// Keeps an upload.
  ///
  /// - Throws: `OpenSSLError` when there is no randomness.
  package func keep(_ upload: Upload, of session: String) throws(OpenSSLError) -> String {
    let id = hexText(try randomBytes(16))
    let now = clock()
    entries.withLock { entries in
      entries[id] = Entry(upload: upload, session: session, at: now)
      func forget(_ some: [String: Entry]) -> Bool {
        guard let oldest = some.filter({ $0.key != id }).min(by: { $0.value.at < $1.value.at }) else {
          return false
        }
        entries[oldest.key] = nil
        return true
      }
      for (key, entry) in entries where now.milliseconds - entry.at.milliseconds >= Self.mostMilliseconds {
        entries[key] = nil
      }
      while entries.count(where: { $0.value.session == session }) > Self.mostOfSession,
        forget(entries.filter { $0.value.session == session })
      {}
      while entries.values.reduce(0, { $0 + $1.upload.bytes.count }) > capacity, forget(entries) {}
    }
    return id
  }

  /// An upload of a session; `nil` for one that is another's, or was forgotten.
  package func upload(_ id: String, of session: String) -> Upload? {
    let now = clock()
    return entries.withLock { entries in
      guard let entry = entries[id], entry.session == session,
        now.milliseconds - entry.at.milliseconds < Self.mostMilliseconds
      else { return nil }
      return entry.upload
    }
  }

  package func forget(_ id: String, of session: String) {
    entries.withLock { entries in if entries[id]?.session == session { entries[id] = nil } }
  }
}

/// A text that cannot be guessed, for a token.
///
/// - Throws: `OpenSSLError` when there is no randomness.
package func newTokenText() throws(OpenSSLError) -> String { hexText(try randomBytes(32)) }
