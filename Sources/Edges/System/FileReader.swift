import Glibc

/// An open file that is read from its start to its end.
public final class FileReader {
  /// The most bytes that one call of ``read()`` returns.
  public static let chunkSize = 262_144

  public let path: String
  /// The file's length in bytes when it was opened, or nil for a pipe or terminal.
  public let size: Int?
  private let file: OpenFile
  private var descriptor: Int32 { file.descriptor }
  private let isEnded: (@Sendable () -> Bool)?

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path, or `-` for standard input.
  ///   - mayWait: Whether it may be a pipe or a device, which may have to be waited for; a service must not.
  ///   - isEnded: Looked at while a pipe or a terminal has nothing to read; `true` ends the file there.
  /// - Throws: ``FileError`` when it cannot be opened or is a folder.
  public init(
    _ path: String, mayWait: Bool = true, isEnded: (@Sendable () -> Bool)? = nil
  ) throws(FileError) {
    let flags = O_RDONLY | (mayWait ? 0 : O_NONBLOCK)
    file = path == "-" ? .standardInput() : try .open(path, flags, for: .read)
    var status = stat()
    let isKnown = unsafe fstat(file.descriptor, &status) == 0
    let kind = status.st_mode & S_IFMT
    if isKnown, kind == S_IFDIR { throw FileError(EISDIR, .read, path) }
    if isKnown, kind != S_IFREG, !mayWait {
      throw FileError(
        code: .notRegular, path: path, operation: .read, reason: "it is a pipe or a device and not a file")
    }
    self.path = path
    self.isEnded = isEnded
    size = isKnown && kind == S_IFREG ? Int(status.st_size) : nil
  }

  /// Returns the next bytes, at most ``chunkSize``, or none at the end.
  ///
  /// - Throws: ``FileError`` when the system cannot read on.
  public func read() throws(FileError) -> [UInt8] {
    if size == nil, let isEnded {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while unsafe poll(&ready, 1, 100) <= 0 { if isEnded() { return [] } }
    }
    while true {
      var count = 0
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, used in
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        used = max(0, count)
      }
      if count >= 0 { return chunk }
      guard errno == EINTR else { throw .last(.read, path) }
    }
  }

  /// Checks that a file can be read, without opening it.
  ///
  /// - Throws: ``FileError`` where it is not there, must not be read or is a folder.
  public static func requireReadable(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else { throw .last(.read, path) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw FileError(EISDIR, .read, path) }
  }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: The file's path, or `-` for standard input.
  ///   - limit: The most bytes that are accepted.
  ///   - mayWait: Whether it may be a pipe or a device.
  /// - Returns: The file's bytes.
  /// - Throws: ``FileError`` when it cannot be read or is longer than the limit.
  public static func contents(
    of path: String, limit: Int = 1 << 30, mayWait: Bool = true
  ) throws(FileError) -> [UInt8] {
    let file = try FileReader(path, mayWait: mayWait)
    var whole: [UInt8] = []
    while true {
      let chunk = try file.read()
      if chunk.isEmpty { return whole }
      guard chunk.count <= limit - whole.count else {
        throw FileError(
          code: .tooLarge, path: path, operation: .read, reason: "it is longer than \(limit) bytes")
      }
      whole += chunk
    }
  }
}
