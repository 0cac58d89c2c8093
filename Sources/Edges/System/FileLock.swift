import Glibc

/// A lock between processes that the system takes away when its holder ends, however it ends.
///
/// Source: flock(2).
@safe public struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock of a file, which is made when it is missing; `nil` when another process holds it.
  public init?(path: String) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
