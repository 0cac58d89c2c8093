public import Values
public import SQLite
public import System

/// Why the ledger could not do its work.
public enum LedgerError: SQLiteFailure, Equatable, Sendable {
  /// The file is not a database of this program.
  case notALedger
  /// The name stands for no file to SQLite, so that nothing would last, or for another one than it seems.
  case notAFile
  /// The writer's thread could not start.
  case noThread(ThreadError)
  /// The file was written by a newer version of this program.
  case newerSchema(found: Int, known: Int)
  /// The file was written by an older version of this program, and a reader must not change it.
  case olderSchema(found: Int, known: Int)
  /// The file was written by a version from before the first release, whose layouts lead to none of a release.
  case unreleasedSchema(found: Int)
  /// Another program holds the database's lock.
  case busy
  /// The file, or its write-ahead log, was removed or replaced while it was in use.
  case moved
  /// The write-ahead log beside the file came about beside another one.
  case foreignLog
  /// What reports count disagrees with the rows that it was made of, which are kept.
  case wrongFacts(String)
  /// A stored number is none that skan writes.
  case wrongNumber(String)
  /// The disk is full or a write failed; nothing of the batch was stored.
  case storage(SQLiteError)
  /// The database follows a journal, and the program was not given it.
  case followsJournal
  /// The database has postbacks that the journal does not begin with.
  case notOfJournal
  /// The database is a node's that only receives, so that bodies are missing.
  case withoutBodies
  /// The journal could not take a change, or can't be followed.
  case journal(reason: String, remedy: String?)
  /// The question took longer than the caller wants to wait.
  case tookTooLong
  /// The ledger is shutting down or its queue is full; nothing was stored.
  case unavailable

  public init(_ error: SQLiteError) {
    if error == .moved {
      self = .moved
      return
    }
    // Its `sum` of whole numbers; sums of amounts from outside are held.
    if error.message == "integer overflow" {
      self = .wrongNumber(
        "a sum of stored counts is larger than \(Int64.max), which no number of postbacks can be")
      return
    }
    switch error.family {
    case .busy, .locked: self = .busy
    case .notADatabase: self = .notALedger
    case .interrupted: self = .tookTooLong
    default: self = .storage(error)
    }
  }
}

/// Rejects names that SQLite takes for something else than a plain file.
///
/// - Throws: ``LedgerError/notAFile`` for the empty name, `:memory:` and its kin, and the URIs that Debian's SQLite reads.
/// Source: <https://www.sqlite.org/c3ref/open.html>, "URI Filenames" and "In-memory databases".
public func requirePlainPath(_ path: String) throws(LedgerError) {
  guard !path.isEmpty, !path.hasPrefix(":"), !path.hasPrefix("file:") else { throw .notAFile }
}

extension LedgerError: CustomStringConvertible {
  /// What is wrong, in one sentence without a full stop.
  public var description: String {
    switch self {
    case .notALedger: "this file is not a skan database"
    case .notAFile:
      "the name is empty or starts with ':' or 'file:', which SQLite reads as a database in memory or "
        + "a URI"
    case .noThread(let error): error.description
    case .newerSchema(let found, let known):
      "this database has schema \(found), written by a newer skan; this skan supports schemas up to "
        + "\(known)"
    case .olderSchema(let found, let known):
      "this database has schema \(found), written by an older skan; this skan reads schema \(known)"
    case .unreleasedSchema(let found):
      "this database has schema \(found), written by a skan from before the first release"
    case .busy: "another program holds the database's lock"
    case .moved: "the database file or its -wal file was removed or replaced while it was in use"
    case .foreignLog:
      "the -wal file beside the database belongs to another database, or to the database before a "
        + "restore"
    case .wrongFacts(let what), .wrongNumber(let what): what
    case .storage(let error): "the database could not be read or written: \(error)"
    case .followsJournal: "the database follows a journal, through which every change has to go"
    case .notOfJournal: "the database is not the one that the journal began with"
    case .withoutBodies: "the node of this database only receives, and has left out the bodies of postbacks"
    case .journal(let reason, _): reason
    case .tookTooLong: "the query took too long"
    case .unavailable: "the ledger does not accept postbacks now"
    }
  }

  public var remedy: String? {
    switch self {
    case .notALedger: "Use a database file created by skan, or a new file."
    case .notAFile: "Use a file name; start it with ./ if it has such a prefix, as in ./file:name."
    case .noThread(let error): error.remedy
    case .newerSchema: "Use the newer skan, or a copy of the database from before the upgrade."
    case .olderSchema:
      "Start `skan serve` with it once: a program that writes to a database upgrades its schema."
    case .unreleasedSchema:
      "Begin a new database; docs/operations.md, \"Upgrade\", has the command that takes its postbacks over."
    case .busy: "Stop the other program, or wait until it finishes."
    case .moved: "Put the file back or restore a backup; skan continues with the file that it finds there."
    case .foreignLog:
      "Move the -wal and -shm files away, and keep them until all postbacks are accounted for; the "
        + "database itself is unchanged."
    case .wrongNumber:
      "Restore the last copy of `skan backup`: a program other than skan has changed the file, or the disk has."
    case .wrongFacts: "Stop the service and run `skan rebuild --repair`; all postbacks are kept."
    case .storage(let error) where error.family == .corrupt:
      "Stop the service, delete the -wal and -shm files, and restore the last copy of `skan backup`; "
        + "`skan doctor` examines the damage."
    case .storage(let error) where error.family == .readOnly:
      "Mount the file system writable, or grant this user write permission for the file and its folder."
    case .storage: "Check the disk's free space and the file's permissions; `skan doctor` checks both."
    case .followsJournal: "Give its address with --journal."
    case .notOfJournal:
      "Start the node with a copy of a node's database (`skan backup`), or with an empty one where the journal began empty."
    case .withoutBodies: "Use the database of a node that has them."
    case .journal(_, let remedy): remedy
    case .tookTooLong: "Select fewer days, apps or networks."
    case .unavailable: "Retry in a moment."
    }
  }
}

extension LedgerError {
  /// Whether it is about the journal that a database follows, and not about the database.
  package var isOfJournal: Bool {
    switch self {
    case .followsJournal, .journal: true
    default: false
    }
  }

  /// Whether the file's pages make no sense.
  public var isDamage: Bool {
    if case .wrongNumber = self { true } else { damage != nil }
  }

  /// What is wrong with the file's pages, or with what skan keeps in them; `nil` where it is something else.
  var damage: String? {
    if case .storage(let error) = self, error.family == .corrupt { error.message } else { nil }
  }

  /// Something in the file that skan does not write.
  static func damaged(_ what: String) -> Self { .storage(SQLiteError(code: 11, message: what)) }

  /// Whether a rule of the database forbids what was written.
  var isForbidden: Bool {
    if case .storage(let error) = self { error.family == .constraint } else { false }
  }

  static let readOnly = LedgerError.storage(SQLiteError(code: 8, message: "the file is read-only"))
}

public var databaseLibrary: String { "SQLite \(sqliteVersion)" }

extension LedgerError: UserFacingError {
  /// What it means to the program that started this one.
  public var exitCode: ExitCode {
    switch self {
    case .notAFile: .usage
    case .followsJournal: .usage
    case .notALedger, .newerSchema, .olderSchema, .unreleasedSchema, .wrongFacts, .wrongNumber, .notOfJournal,
      .withoutBodies:
      .data
    case .journal, .busy, .unavailable, .tookTooLong, .noThread: .unavailable
    case .storage, .moved, .foreignLog: .inputOutput
    }
  }
}
