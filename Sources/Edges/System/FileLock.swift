import Glibc

/// A lock between processes that the system takes away when its holder ends, however it ends.
///
/// Source: flock(2).
@safe public struct FileLock: ~Copyable {
  private let file: OpenFile

  /// Takes the lock of a file, which is made when it is missing; `nil` when another process holds it.
  public init?(path: String) {
    guard let file = try? OpenFile.open(path, O_RDWR | O_CREAT, for: .write),
      flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
    else { return nil }
    self.file = file
  }
}
