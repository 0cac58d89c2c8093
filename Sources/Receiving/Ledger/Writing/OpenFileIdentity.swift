import SQLite
import System

/// The files that a ledger's path and its log's path led to when it was opened, and the number of the first.
///
/// SQLite goes on writing to a file whose name was taken away, and what it wrote is lost. As long as a
/// connection is open it keeps both names itself.
struct OpenFileIdentity {
  private let path: String
  private let lineage: Int
  private let file: OpenDatabase?

  /// Notes where a connection that was admitted writes to, until ``forget()``.
  init(_ path: String, _ connection: borrowing LedgerDatabase) throws(LedgerError) {
    self.path = path
    lineage = try Schema.lineage(connection)
    file = connection.file
    file?.watch()
  }

  /// Ends the watch, before the connection is closed and may remove its log.
  func forget() { file?.stopWatching() }

  /// Whether both paths still lead to the same files.
  var isKept: Bool { file?.isKept(at: path) ?? true }

  /// Whether another program has begun a log or an index of its own.
  var isReplaced: Bool { file?.log == .replaced }

  /// Whether the file still is the one that the log belongs to; another one may have been copied over it.
  func isOwnFile(_ connection: borrowing LedgerDatabase) throws(LedgerError) -> Bool {
    let ofFile = try Schema.lineageOfFile(connection)
    return ofFile == lineage || ofFile == 0
  }
}
