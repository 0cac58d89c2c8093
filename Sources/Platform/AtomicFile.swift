import Glibc

/// A file that appears under its name whole and safe on the disk, or not at all.
///
/// The bytes go to a file without a name in the same folder, which takes the name in ``commit()``. Whatever ends the
/// process before that, also SIGKILL, leaves no trace. On a file system that knows no such files, and a few do not,
/// a temporary name stays where the process is killed. A device or a pipe of that name is written to as it is, because
/// replacing it by a file would destroy it; a symbolic link stays, and what it leads to is replaced.
public struct AtomicFile: ~Copyable {
  private let path: String
  /// The name until the commit; `nil` where the file has none.
  private let temporaryPath: String?
  private let descriptor: Int32
  private let replacesExisting: Bool
  /// Whether the name stands for a device or a pipe, which is written to directly.
  private let isDirect: Bool
  private var isCommitted = false

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - path: Where it is to appear.
  ///   - mode: Its permissions, which the process's mask does not change.
  ///   - replacesExisting: Whether a file of that name is replaced; else it is an error when committing.
  /// - Throws: ``FileError`` when the folder cannot be written to.
  public init(_ path: String, mode: UInt32 = 0o644, replacesExisting: Bool = true) throws(FileError) {
    var status = stat()
    if replacesExisting, unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last(.write, path) }
      self.descriptor = descriptor
      self.path = path
      temporaryPath = nil
      self.replacesExisting = true
      isDirect = true
      return
    }
    let path = replacesExisting ? Self.target(of: path) : path
    let (descriptor, temporaryPath) = try Self.begin(path)
    guard fchmod(descriptor, mode) == 0 else {
      let error = FileError.last(.write, path)
      close(descriptor)
      if let temporaryPath { unsafe unlink(temporaryPath) }
      throw error
    }
    self.path = path
    self.temporaryPath = temporaryPath
    self.descriptor = descriptor
    self.replacesExisting = replacesExisting
    isDirect = false
  }

  /// Opens a file without a name where that can be had, else one with a temporary name.
  private static func begin(_ path: String) throws(FileError) -> (descriptor: Int32, temporaryPath: String?) {
    // The name is given through /proc. The number is that of O_TMPFILE, a macro that the importer skips; see open(2).
    if unsafe access("/proc/self/fd", X_OK) == 0 {
      let descriptor = unsafe open(folder(of: path), 0o20000000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return (descriptor, nil) }
    }
    var template = Array("\(path).XXXXXX\0".utf8.map { CChar(bitPattern: $0) })
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw .last(.write, path) }
    // Only where the process starts another one at this very moment could that one see the file, which is harmless.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let name = template.dropLast().map { UInt8(bitPattern: $0) }
    return (descriptor, String(decoding: name, as: UTF8.self))
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// What a path leads to, where symbolic links are in it; the path itself where nothing is there.
  private static func target(of path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  deinit {
    close(descriptor)
    if !isCommitted, let temporaryPath { unsafe unlink(temporaryPath) }
  }

  /// Adds bytes.
  ///
  /// - Throws: ``FileError`` when the disk is full or fails.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    let number = writeAll(bytes[...], to: descriptor)
    guard number == 0 else { throw FileError(number, .write, path) }
  }

  /// Makes the file appear, after its bytes are on the disk.
  ///
  /// - Throws: ``FileError`` when the disk fails, or where a file is not to be replaced.
  public consuming func commit() throws(FileError) {
    if isDirect { return }
    guard fsync(descriptor) == 0 else { throw .last(.write, path) }
    if replacesExisting {
      var name = temporaryPath ?? ""
      if name.isEmpty { name = try nameForRename() }
      guard unsafe rename(name, path) == 0 else {
        let error = FileError.last(.write, path)
        unsafe unlink(name)
        throw error
      }
      isCommitted = true
    } else {
      // A hard link fails where the name is taken, which a rename would not; a temporary name goes with `self`.
      guard link(as: path) else { throw .last(.write, path) }
    }
    let folderDescriptor = unsafe open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Some file systems cannot sync a folder; the file itself is safe by now.
    if folderDescriptor >= 0 {
      fsync(folderDescriptor)
      close(folderDescriptor)
    }
  }

  /// Gives the file another name, which must be free.
  private func link(as name: String) -> Bool {
    if let temporaryPath { return unsafe Glibc.link(temporaryPath, name) == 0 }
    return unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
  }

  /// Gives the file a name that it keeps for a moment only, because a file without one can't replace another.
  private func nameForRename() throws(FileError) -> String {
    for number in 0..<1000 {
      let name = "\(path).\(getpid()).\(number)"
      if link(as: name) { return name }
      guard errno == EEXIST else { break }
    }
    throw .last(.write, path)
  }

  /// Writes a whole file.
  ///
  /// - Parameters:
  ///   - bytes: What it is to hold.
  ///   - path: Where it is to appear.
  ///   - mode: Its permissions.
  ///   - replacesExisting: Whether a file of that name is replaced.
  /// - Throws: ``FileError`` when it cannot be written.
  public static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644, replacesExisting: Bool = true
  ) throws(FileError) {
    let file = try AtomicFile(path, mode: mode, replacesExisting: replacesExisting)
    try file.write(bytes)
    try file.commit()
  }
}

/// Writes all bytes, waiting where the other side is slow, and returns 0 or the `errno`.
func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
  var rest = bytes
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      unsafe poll(&ready, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}
