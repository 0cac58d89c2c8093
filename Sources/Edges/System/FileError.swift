public import Values
import Glibc

/// A failure to read or write a file, with what to do about it.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Operation: String, Sendable {
    case read
    case write
  }

  public enum Code: String, Sendable {
    /// There is no such file or folder.
    case notFound = "file-not-found"
    case notPermitted = "file-not-permitted"
    case isReadOnly = "file-system-read-only"
    case isFolder = "file-is-folder"
    /// The path names a pipe or a device where a file is needed.
    case notRegular = "file-not-regular"
    /// The file belongs to a database that this process has open.
    case isDatabase = "file-is-database"
    /// The file is there already and must not be replaced.
    case exists = "file-exists"
    case noSpace = "file-no-space"
    case tooLarge = "file-too-large"
    case system = "file-system"
  }

  public let code: Code
  /// The path as it was given; `-` is standard input or output.
  public let path: String
  public let operation: Operation
  /// The system's own words.
  public let reason: String

  init(code: Code, path: String, operation: Operation, reason: String) {
    self.code = code
    self.path = path
    self.operation = operation
    self.reason = reason
  }

  /// One sentence that names the file and the reason.
  public var description: String {
    let stream = operation == .read ? "standard input" : "standard output"
    return "cannot \(operation.rawValue) \(path == "-" ? stream : "'\(path)'"): \(reason)"
  }

  public var remedy: String? { cure.english }

  /// What to do about it, as a clause without a full stop.
  public var cure: Sentence {
    switch code {
    case .notFound: Sentence("check the spelling of the path, and that its folder exists")
    case .notPermitted: Sentence("grant this user the permission, or run as the owner of the file")
    case .isReadOnly: Sentence("mount the file system writable, or name a place on another one")
    case .isFolder: Sentence("name a file in that folder")
    case .notRegular: Sentence("name a regular file; a service reads it more than once")
    case .isDatabase: Sentence("name another file; only SQLite may open a database that is in use")
    case .exists: Sentence("remove the file first, or choose another name")
    case .noSpace: Sentence("free some space on that disk")
    case .tooLarge: Sentence("check that this is the right file")
    case .system: Sentence("check the disk and the limits of open files")
    }
  }

  /// Makes an error of the system's last one, which has to be read before anything else is called.
  static func last(_ operation: Operation, _ path: String) -> Self { Self(errno, operation, path) }

  /// Makes an error of an `errno`.
  init(_ number: Int32, _ operation: Operation, _ path: String) {
    let code: Code =
      switch number {
      case ENOENT, ENOTDIR: .notFound
      case EROFS: .isReadOnly
      case EACCES, EPERM: .notPermitted
      case EISDIR: .isFolder
      case EEXIST: .exists
      case ENOSPC, EDQUOT: .noSpace
      default: .system
      }
    self.init(code: code, path: path, operation: operation, reason: unsafe String(cString: strerror(number)))
  }
}

extension FileError: UserFacingError {
  /// What it means to the program that started this one.
  public var exitCode: ExitCode { .inputOutput }
}
