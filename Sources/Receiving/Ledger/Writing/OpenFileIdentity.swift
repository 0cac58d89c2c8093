import SQLite
import System

/// The files that a ledger's path and its log's path led to when it was opened, and the number of the first.
///
/// SQLite goes on writing to a file whose name was taken away, and what it wrote is lost. As long as a
/// connection is open it keeps both names itself.
struct OpenFileIdentity {
  private let path: String
  private let found: [FileIdentity?]
  private let lineage: Int

  /// Notes where a connection that was admitted writes to.
  init(_ path: String, _ connection: borrowing Connection) throws(SQLiteError) {
    self.path = path
    found = Self.files(of: path)
    lineage = try Schema.lineage(connection)
  }

  /// Whether both paths still lead to the same files.
  var isKept: Bool { Self.files(of: path) == found }

  /// Whether the file still is the one that the log belongs to; another one may have been copied over it.
  func isOwnFile(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    let ofFile = try Schema.lineageOfFile(connection)
    return ofFile == lineage || ofFile == 0
  }

  private static func files(of path: String) -> [FileIdentity?] {
    [path, path + "-wal"].map { FileIdentity($0) }
  }
}
