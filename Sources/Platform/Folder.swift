import Glibc

/// A folder that exists.
public struct Folder: Hashable, Sendable {
  /// The folder's path as it was given.
  public let path: String

  /// Finds a folder.
  ///
  /// - Throws: ``FileError`` when there is none of that path.
  public init(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .last(.read, path) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw FileError(ENOTDIR, .read, path) }
    self.path = path
  }

  /// Finds the folder that a file of that path lies in, or would lie in.
  ///
  /// - Throws: ``FileError`` when there is no such folder.
  public init(holding file: String) throws(FileError) {
    let folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) }
    try self.init(folder ?? ".")
  }

  /// Whether this process may make files in it.
  public var isWritable: Bool { unsafe access(path, W_OK | X_OK) == 0 }

  /// Bytes that this process may still write on the folder's disk, or nil where the system does not tell.
  public var freeBytes: Int64? {
    var figures = statvfs()
    guard unsafe statvfs(path, &figures) == 0 else { return nil }
    return Int64(
      clamping: UInt64(figures.f_bavail).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
        .partialValue)
  }
}
