import Glibc

public struct Folder: Equatable, Sendable {
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

  /// Bytes that this process may still write on the folder's disk, or nil where the system does not report it.
  public var freeBytes: Int64? {
    var figures = statvfs()
    guard unsafe statvfs(path, &figures) == 0 else { return nil }
    return Int64(
      clamping: UInt64(figures.f_bavail).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
        .partialValue)
  }
}

/// What distinguishes a file from an earlier state of it, without reading it.
public struct FileMark: Equatable, Sendable {
  public let name: String
  /// Its length in bytes.
  public let size: Int64
  /// When it was changed last, in nanoseconds since 1970-01-01.
  public let changed: Int64
  /// The number that stands for it on its disk; a file that is replaced gets another.
  public let number: UInt64
}

extension Folder {
  /// The files whose names end in that way, by name, without those whose names begin with a dot.
  ///
  /// - Throws: ``FileError`` when the folder can't be read.
  public func files(endingWith ending: String) throws(FileError) -> [FileMark] {
    guard let stream = unsafe opendir(path) else { throw .last(.read, path) }
    defer { unsafe closedir(stream) }
    var marks: [FileMark] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard name.hasSuffix(ending), !name.hasPrefix(".") else { continue }
      var status = stat()
      // A file that vanished in between was not there.
      guard unsafe stat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      marks.append(
        FileMark(
          name: name, size: Int64(status.st_size),
          changed: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
          number: UInt64(status.st_ino)))
    }
    return marks.sorted { $0.name < $1.name }
  }
}
