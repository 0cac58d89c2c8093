import CMalloc
import Glibc

/// A file that appears under its name whole and safe on the disk, or not at all.
///
/// The bytes go to a file without a name in the same folder, which takes the name in ``commit()``. Whatever ends the
/// process before that, also SIGKILL, leaves no trace. Where another library has to find the file, and on the few file
/// systems that know no such files, it has a temporary name, which stays only where the process is killed. A device or a
/// pipe is written to as it is, because replacing it by a file would destroy it; a symbolic link stays, and what it leads
/// to is replaced.
public struct AtomicFile: ~Copyable {
  private let path: String
  /// The name until ``commit()``, empty where the file has none; another library may write there, without putting
  /// another file in place.
  public let temporaryPath: String
  private let file: OpenFile
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
  ///   - isNamed: Whether another library needs ``temporaryPath``.
  /// - Throws: ``FileError`` when the folder cannot be written to.
  public init(
    _ path: String, mode: UInt32 = 0o644, replacesExisting: Bool = true, isNamed: Bool = false
  ) throws(FileError) {
    var status = stat()
    if replacesExisting, unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      file = try OpenFile.open(path, O_WRONLY, for: .write)
      self.path = path
      temporaryPath = ""
      self.replacesExisting = true
      isDirect = true
      return
    }
    // A link that leads nowhere has the name too.
    if !replacesExisting, unsafe lstat(path, &status) == 0 { throw FileError(EEXIST, .write, path) }
    let path = replacesExisting ? resolvedPath(path) : path
    let nameless = isNamed ? nil : Self.makeNameless(beside: path)
    guard
      let (descriptor, temporaryPath) = nameless
        ?? TemporaryFiles.add({ Self.makeTemporary(beside: path) })
    else { throw .last(.write, path) }
    let file = OpenFile(owning: descriptor)
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, fchmod(descriptor, mode) == 0 else {
      let error = FileError.last(.write, path)
      Self.forget(temporaryPath, isCommitted: false)
      throw error
    }
    self.path = path
    self.temporaryPath = temporaryPath
    self.file = file
    self.replacesExisting = replacesExisting
    isDirect = false
  }

  /// Opens a file without a name; `nil` where that can't be had.
  private static func makeNameless(beside path: String) -> (descriptor: Int32, path: String)? {
    // The name is given through /proc.
    guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
    let descriptor = OpenFile.nameless(in: folder(of: path))
    return descriptor >= 0 ? (descriptor, "") : nil
  }

  private static func makeTemporary(beside path: String) -> (descriptor: Int32, path: String)? {
    var template = Array("\(path).XXXXXX\0".utf8.map { CChar(bitPattern: $0) })
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    let name = template.dropLast().map { UInt8(bitPattern: $0) }
    return (descriptor, String(decoding: name, as: UTF8.self))
  }

  deinit { Self.forget(temporaryPath, isCommitted: isCommitted) }

  private static func forget(_ temporaryPath: String, isCommitted: Bool) {
    guard !temporaryPath.isEmpty else { return }
    if !isCommitted { unsafe unlink(temporaryPath) }
    TemporaryFiles.remove(temporaryPath)
  }

  /// Adds bytes.
  ///
  /// - Throws: ``FileError`` when the disk is full or fails.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    let number = file.write(bytes)
    guard number == 0 else { throw FileError(number, .write, path) }
  }

  /// Makes the file appear, after its bytes are on the disk.
  ///
  /// - Throws: ``FileError`` when the disk fails, or where a file is not to be replaced.
  public consuming func commit() throws(FileError) {
    if isDirect { return }
    guard file.sync() else { throw .last(.write, path) }
    if replacesExisting {
      let name = temporaryPath.isEmpty ? try nameForRename() : temporaryPath
      guard unsafe rename(name, path) == 0 else {
        let error = FileError.last(.write, path)
        unsafe unlink(name)
        throw error
      }
      isCommitted = true
    } else if !temporaryPath.isEmpty, unsafe skan_rename_new(temporaryPath, path) == 0 {
      isCommitted = true
    } else {
      // Not every file system knows that call. A hard link fails where the name is taken too; the temporary name goes
      // with `self`.
      guard temporaryPath.isEmpty || errno == EINVAL || errno == ENOSYS, link(as: path) else {
        throw .last(.write, path)
      }
    }
    // Some file systems cannot sync a folder; the file itself is safe by now.
    syncFolder(Self.folder(of: path))
  }

  /// Gives the file another name, which must be free.
  private func link(as name: String) -> Bool {
    guard temporaryPath.isEmpty else { return unsafe Glibc.link(temporaryPath, name) == 0 }
    return unsafe linkat(AT_FDCWD, "/proc/self/fd/\(file.descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
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

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Writes a whole file.
  ///
  /// - Parameters:
  ///   - path: Where it is to appear.
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
