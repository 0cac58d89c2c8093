import Platform

/// The files that a ledger's path and its log's path led to when it was opened.
///
/// SQLite goes on writing to a file whose name was taken away, and nobody finds again what it wrote. As long as a
/// connection is open it keeps both names itself.
struct LedgerPlace {
  private let path: String
  private let found: [FileIdentity?]

  init(_ path: String) {
    self.path = path
    found = Self.files(of: path)
  }

  /// Whether both paths still lead to the same files.
  var isKept: Bool { Self.files(of: path) == found }

  private static func files(of path: String) -> [FileIdentity?] {
    [path, path + "-wal"].map { FileIdentity($0) }
  }
}
