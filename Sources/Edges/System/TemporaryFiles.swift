import Glibc

/// The temporary names that this process writes under, which go when a signal ends it.
enum TemporaryFiles {
  private static let paths = Guarded<Set<String>>([])

  /// Makes a file beside a path that no other process has, readable by this user only.
  ///
  /// - Parameter make: Makes the file and returns its descriptor and path, or nil.
  static func add(_ make: () -> (descriptor: Int32, path: String)?) -> (descriptor: Int32, path: String)? {
    // Under the lock, so that no signal comes between the file and its name in the list.
    paths.withLock { paths in
      guard let file = make() else { return nil }
      paths.insert(file.path)
      return file
    }
  }

  /// Takes a path out of the list, because its file has its final name or is gone.
  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all of them, and what SQLite puts beside a database.
  static func removeAll() {
    paths.withLock { paths in
      for path in paths {
        for ending in ["", "-journal"] { unsafe unlink(path + ending) }
      }
      paths = []
    }
  }
}
