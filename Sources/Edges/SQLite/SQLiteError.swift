import CSQLite

/// A failure reported by SQLite.
///
/// Bound values are never part of it, because they may be private.
/// Source: <https://www.sqlite.org/rescode.html>
public struct SQLiteError: Error, Equatable, Sendable {
  /// The extended result code, such as 2067 for a broken unique constraint.
  public let code: Int32
  public let message: String
  /// The SQL that failed, where one was running.
  public let sql: String?

  /// Reports a failure, also one that SQLite itself can't see, such as rows that disagree.
  public init(code: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// The database's file or its log is not the one that was opened: `SQLITE_READONLY_DBMOVED`.
  public static let moved = SQLiteError(
    code: 1032, message: "the file or its -wal file was removed or replaced while it was in use")

  /// The low eight bits of ``code``: the family of the failure.
  public var family: Family { Family(rawValue: code & 0xFF) ?? .other }

  /// The families that a caller may want to answer differently.
  public enum Family: Int32, Sendable {
    case busy = 5
    case locked = 6
    case outOfMemory = 7
    case readOnly = 8
    case interrupted = 9
    case inputOutput = 10
    case corrupt = 11
    case full = 13
    case cannotOpen = 14
    case constraint = 19
    case notADatabase = 26
    case other = 1
  }
}

extension SQLiteError: CustomStringConvertible {
  /// One line with the code and SQLite's words.
  public var description: String { "SQLite error \(code): \(message)" }
}

/// An error that can be made of one of SQLite.
public protocol SQLiteFailure: Error {
  init(_ error: SQLiteError)
}

extension SQLiteError: SQLiteFailure {
  public init(_ error: SQLiteError) { self = error }
}
