import Glibc

/// The last part of a path, without the folders it lies in.
public func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}

/// What two paths have in common when they lead to the same file, by links or otherwise.
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  /// The name in that folder, where there is no file yet.
  private let name: String?

  private init(_ status: stat, name: String?) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    self.name = name
  }

  /// Finds the file that a path leads to, or the place where it would be; nil where not even its folder exists.
  ///
  /// A device or a pipe has none, because writing to it replaces nothing.
  public init?(_ path: String) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      self.init(status, name: nil)
    } else {
      let cut = path.lastIndex(of: "/")
      let folder = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      guard unsafe stat(folder, &status) == 0 else { return nil }
      self.init(status, name: cut.map { String(path[path.index(after: $0)...]) } ?? path)
    }
  }

  /// Finds an open file; nil for a folder, device or pipe.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status, name: nil)
  }

  /// Whether there is a file, and not only a place for one.
  var isFile: Bool { name == nil }
}
