import SQLite
import System

/// The files that a ledger's path and its log's path led to when it was opened, and the number of the first.
///
/// SQLite goes on writing to a file whose name was taken away, and what it wrote is lost. As long as a
/// connection is open it keeps both names itself.
struct OpenFileIdentity {
  private let path: String
  private let lineage: Int

  /// Notes where a connection that was admitted writes to.
  init(_ path: String, _ connection: borrowing Connection) throws(SQLiteError) {
    self.path = path
    lineage = try Schema.lineage(connection)
    connection.noteLog()
  }

  /// Whether both paths still lead to the same files.
  func isKept(_ connection: borrowing Connection) -> Bool { connection.isKept(at: path) }

  /// Whether the file still is the one that the log belongs to; another one may have been copied over it.
  func isOwnFile(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    let ofFile = try Schema.lineageOfFile(connection)
    return ofFile == lineage || ofFile == 0
  }
}
