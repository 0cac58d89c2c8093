import Glibc

extension Folder {
  public struct Entry: Hashable, Sendable {
    public let name: String
    /// Whether it is a folder itself, and no link to one.
    public let isFolder: Bool
  }

  /// Finds a folder, or makes it where its parent is there.
  ///
  /// - Throws: ``FileError`` when it can't be made, or something else has the name.
  public init(making path: String, mode: UInt32 = 0o755) throws(FileError) {
    if unsafe mkdir(path, mode) == 0 {
      if let parent = try? Folder(holding: path) { syncFolder(parent.path) }
    } else if errno != EEXIST {
      throw .last(.write, path)
    }
    try self.init(path)
  }

  /// Checks that this process may make files in it.
  ///
  /// - Throws: ``FileError`` where it may not.
  public func requireWritable() throws(FileError) {
    if !isWritable { throw .last(.write, path) }
  }

  /// All names in it, hidden ones too, in order.
  ///
  /// - Throws: ``FileError`` when the folder can't be read.
  public func entries() throws(FileError) -> [Entry] {
    guard let stream = unsafe opendir(path) else { throw .last(.read, path) }
    defer { unsafe closedir(stream) }
    var entries: [Entry] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      var status = stat()
      let isKnown = unsafe lstat("\(path)/\(name)", &status) == 0
      entries.append(Entry(name: name, isFolder: isKnown && status.st_mode & S_IFMT == S_IFDIR))
    }
    return entries.sorted { $0.name < $1.name }
  }

  /// Deletes a file in it; one that is not there is no error.
  ///
  /// - Throws: ``FileError`` when it can't be deleted.
  public func remove(_ name: String) throws(FileError) {
    guard unsafe unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
      throw .last(.write, "\(path)/\(name)")
    }
  }
}
