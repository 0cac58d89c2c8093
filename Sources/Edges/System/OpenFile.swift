import Glibc

/// A descriptor of a file; nothing else in the program opens or closes one, apart from SQLite.
///
/// A database that SQLite has open here is not opened, and a file that became one meanwhile is not closed: the
/// descriptor stays until the process ends. See ``OpenDatabase`` for the reason.
@safe struct OpenFile: ~Copyable {
  let descriptor: Int32

  /// Opens a file, as open(2) does.
  ///
  /// - Throws: ``FileError`` where the system or a database forbids it.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o600, for operation: FileError.Operation
  ) throws(FileError) -> OpenFile {
    if let file = FileIdentity(path), OpenDatabase.includes(file) { throw .isDatabase(operation, path) }
    let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .last(operation, path) }
    let file = OpenFile(owning: descriptor)
    // The path may lead elsewhere since the look at it.
    if file.isDatabase { throw .isDatabase(operation, path) }
    return file
  }

  /// Opens a new file without a name for writing; a negative number where the file system knows none.
  static func nameless(in folder: String) -> Int32 {
    // The number is that of O_TMPFILE, a macro that the importer skips; see open(2).
    unsafe Glibc.open(folder, 0o20000000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o600)
  }

  /// Makes a file for reading and writing that has no name any more.
  ///
  /// - Throws: ``FileError`` when the folder cannot be written to.
  static func unnamed(in folder: String) throws(FileError) -> OpenFile {
    var template = Array("\(folder)/skan.XXXXXX\0".utf8.map { CChar(bitPattern: $0) })
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw .last(.write, folder) }
    unsafe unlink(&template)
    // Only where the process starts another one at this very moment could that one see the file, which is harmless.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return OpenFile(owning: descriptor)
  }

  static func standardInput() -> OpenFile { OpenFile(owning: STDIN_FILENO) }

  /// Takes over a descriptor that another call of the system opened.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor != STDIN_FILENO { OpenDatabase.close(descriptor) } }

  /// Writes all bytes, and returns 0 or the `errno`.
  borrowing func write(_ bytes: [UInt8]) -> Int32 { writeAll(bytes[...], to: descriptor) }

  /// Writes cached data to the disk, and returns whether it is there.
  borrowing func sync() -> Bool { fsync(descriptor) == 0 }

  private var isDatabase: Bool { FileIdentity(descriptor: descriptor).map(OpenDatabase.includes) ?? false }
}

extension FileError {
  fileprivate static func isDatabase(_ operation: Operation, _ path: String) -> Self {
    Self(
      code: .isDatabase, path: path, operation: operation, reason: "it belongs to a database that is in use")
  }
}

/// Makes an empty file that only its owner can read and write, where there is none.
///
/// What can't be made is left to SQLite, which reports why.
public func makePrivateFile(_ path: String) {
  var status = stat()
  // A link that leads to no file yet can't be opened with O_EXCL.
  let isLink = unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  guard unsafe stat(path, &status) != 0 else { return }
  _ = try? OpenFile.open(path, O_RDWR | O_CREAT | (isLink ? 0 : O_EXCL), for: .write)
}
