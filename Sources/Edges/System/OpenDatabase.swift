import Glibc

/// A database that SQLite has open in this process: its file, and the log and index beside it.
///
/// It lives as long as any connection to the file. Closing any descriptor of a file takes away every lock that the
/// process holds on it (fcntl(2), "Advisory record locking"); the next program beside this one then takes the database
/// for unused and removes its log. So ``OpenFile`` asks here before it opens and before it closes.
/// Source: <https://www.sqlite.org/howtocorrupt.html>, section 2.2.
public final class OpenDatabase: Sendable {
  private struct Weak: Sendable {
    weak let database: OpenDatabase?
  }

  private static let all = Guarded<[FileIdentity: Weak]>([:])

  /// The path with its links followed, because SQLite keeps the log beside the file that they lead to.
  private let path: String
  private let identity: FileIdentity
  private let log = Guarded<FileIdentity?>(nil)

  private init(_ path: String, _ identity: FileIdentity) {
    self.path = resolvedPath(path)
    self.identity = identity
  }

  /// The database that a path leads to, one object for all connections to it; `nil` where there is no file.
  public static func at(_ path: String) -> OpenDatabase? {
    guard let identity = FileIdentity(path), identity.isFile else { return nil }
    return all.withLock { all in
      if let known = all[identity]?.database { return known }
      all = all.filter { $0.value.database != nil }
      let database = OpenDatabase(path, identity)
      all[identity] = Weak(database: database)
      return database
    }
  }

  /// Whether a file is such a database, its log or its index.
  static func includes(_ file: FileIdentity) -> Bool {
    guard file.isFile else { return false }
    let open = all.withLock { $0.values.compactMap(\.database) }
    return open.contains { database in
      file == database.identity || file == database.log.withLock { $0 }
        || ["", "-wal", "-shm"].contains { FileIdentity(database.path + $0) == file }
    }
  }

  /// Remembers which log is in use from now on, as soon as there is one.
  public func noteLog() {
    guard let found = FileIdentity(path + "-wal"), found.isFile else { return }
    log.withLock { $0 = $0 ?? found }
  }

  /// What became of the log since ``noteLog()``.
  public enum Log: Sendable {
    /// It has its name.
    case kept
    /// Its name is gone.
    case removed
    /// Its name is another file's.
    case replaced
  }

  /// What became of the log; what was never noted is kept.
  public var logState: Log {
    guard let noted = log.withLock({ $0 }) else { return .kept }
    let found = FileIdentity(path + "-wal")
    return found == noted ? .kept : found?.isFile == true ? .replaced : .removed
  }

  /// Whether a path still leads to this file, and the log is kept; a first log is noted.
  public func isKept(at path: String) -> Bool {
    noteLog()
    return FileIdentity(path) == identity && logState == .kept
  }
}

/// A path with its links followed; the path itself where nothing is there.
func resolvedPath(_ path: String) -> String {
  guard let resolved = unsafe realpath(path, nil) else { return path }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}
