import Glibc

/// A file that grows by pieces under a hidden name and gets its own when it is whole; nothing of it is open in between.
///
/// So a program can write thousands of them at a time. Where the process is killed, the hidden file stays.
public struct PartialFile: ~Copyable {
  public static let ending = ".partial"

  private let path: String
  private let folder: String
  private let hiddenPath: String
  private var isCommitted = false

  /// Starts a file, in place of a hidden one that was left behind.
  ///
  /// - Throws: ``FileError`` when the folder cannot be written to.
  public init(_ name: String, in folder: String) throws(FileError) {
    self.folder = folder
    path = "\(folder)/\(name)"
    hiddenPath = "\(folder)/.\(name)\(Self.ending)"
    _ = try opened(O_CREAT | O_TRUNC)
  }

  deinit { if !isCommitted { unsafe unlink(hiddenPath) } }

  /// Adds bytes.
  ///
  /// - Throws: ``FileError`` when the disk is full or fails.
  public borrowing func append(_ bytes: [UInt8]) throws(FileError) {
    let number = try opened(O_APPEND).write(bytes)
    guard number == 0 else { throw FileError(number, .write, path) }
  }

  private borrowing func opened(_ flags: Int32) throws(FileError) -> OpenFile {
    try OpenFile.open(hiddenPath, O_WRONLY | O_NOFOLLOW | flags, mode: 0o644, for: .write)
  }

  /// Gives the file its name, after its bytes are on the disk; a file of that name is replaced.
  ///
  /// - Throws: ``FileError`` when the disk fails.
  public consuming func commit() throws(FileError) {
    guard try opened(0).sync(), unsafe rename(hiddenPath, path) == 0 else { throw .last(.write, path) }
    isCommitted = true
    syncFolder(folder)
  }
}

/// Writes the names in a folder to the disk; some file systems cannot, and need not.
func syncFolder(_ path: String) {
  _ = try? OpenFile.open(path, O_RDONLY | O_DIRECTORY, for: .write).sync()
}
