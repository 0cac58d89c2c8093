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

  /// The log and its index, as those found them who watch them.
  private struct Watched: Sendable {
    var watchers = 0
    /// Each file beside the database by the ending of its name, as soon as there was one.
    var found: [String: FileIdentity] = [:]
    /// Whether one was removed or replaced; then connections of before and after must not meet.
    var isLost = false
  }

  public enum Log: Sendable {
    /// Both have their names.
    case kept
    case removed
    /// A name is another file's.
    case replaced
  }

  private static let endings = ["-wal", "-shm"]

  /// The path with its links followed, because SQLite keeps the log beside the file that they lead to.
  private let path: String
  private let identity: FileIdentity
  private let watched = Guarded(Watched())

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

  static func includes(_ file: FileIdentity) -> Bool {
    let open = all.withLock { $0.values.compactMap(\.database) }
    return open.contains { $0.includes(file) }
  }

  /// Closes a descriptor, unless it is one of such a file; no database is opened in between.
  static func close(_ descriptor: Int32) {
    let file = FileIdentity(descriptor: descriptor)
    // Closed after the lock, which the end of a database does not need.
    var open: [OpenDatabase] = []
    all.withLock { all in
      open = all.values.compactMap(\.database)
      if let file, open.contains(where: { $0.includes(file) }) { return }
      _ = Glibc.close(descriptor)
    }
  }

  private func includes(_ file: FileIdentity) -> Bool {
    file.isFile
      && (file == identity || watched.withLock { $0.found.values.contains(file) }
        || Self.endings.contains { FileIdentity(path + $0) == file })
  }

  /// Watches the log and its index until ``stopWatching()``; it is for one who keeps both in place by a lock of SQLite's.
  public func watch() {
    watched.withLock { $0.watchers += 1 }
    noteFiles()
  }

  /// Ends ``watch()``; what goes from then on goes as SQLite lets it go.
  public func stopWatching() {
    watched.withLock { watched in
      watched.watchers -= 1
      if watched.watchers == 0 { watched.found = [:] }
    }
  }

  private func noteFiles() {
    for ending in Self.endings {
      guard let file = FileIdentity(path + ending), file.isFile else { continue }
      watched.withLock { watched in
        if watched.watchers > 0, watched.found[ending] == nil { watched.found[ending] = file }
      }
    }
  }

  /// What became of the log and its index since they were watched; what was not watched is kept.
  ///
  /// An empty log in place of the old one counts as none: SQLite makes one for each connection that finds no log, such as
  /// one of this process that was opened at that moment, and nothing has been written to the database through it.
  public var log: Log {
    let (found, isLost) = watched.withLock { ($0.found, $0.isLost) }
    func state(_ ending: String) -> Log {
      guard let file = found[ending] else { return .kept }
      let now = FileIdentity(path + ending)
      return now == file ? .kept : now?.isFile == true ? .replaced : .removed
    }
    switch state("-wal") {
    case .replaced: return fileBytes(path + "-wal") ?? 0 > 0 ? .replaced : .removed
    case .removed: return .removed
    // A process with an index of its own for the same log may have written to it.
    case .kept: return state("-shm") == .kept && isLost ? .removed : state("-shm")
    }
  }

  /// Whether a path still leads to this file, and log and index are kept.
  ///
  /// Where they are not, no further connection is to be opened until all are closed.
  public func isKept(at path: String) -> Bool {
    noteFiles()
    guard log == .kept else {
      watched.withLock { $0.isLost = true }
      return false
    }
    return FileIdentity(path) == identity
  }
}

/// A path with its links followed; the path itself where nothing is there.
func resolvedPath(_ path: String) -> String {
  guard let resolved = unsafe realpath(path, nil) else { return path }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}
