import Glibc

/// A stream of bytes to a descriptor or, for tests, to memory; any thread may write to it.
///
/// On a terminal and on standard error every write goes out at once, elsewhere 64 KiB are gathered.
public final class OutputStream: Sendable {
  /// Whether what is written arrives.
  public enum State: Hashable, Sendable {
    case open
    /// There is no reader any more; the rest is dropped, which is no failure.
    case closed
    /// The system rejected; the rest is dropped.
    case failed(reason: String)
  }

  private static let capacity = 65_536

  private struct Buffer: Sendable {
    var bytes: [UInt8] = []
    var state = State.open
  }

  /// Whether a person sees what is written.
  public let isTerminal: Bool
  private let descriptor: Int32?
  private let gathers: Bool
  private let buffer = Guarded(Buffer())

  /// Writes to an open descriptor, which stays the caller's.
  public init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    gathers = !isTerminal && descriptor != STDERR_FILENO
  }

  /// Keeps what is written.
  ///
  /// - Parameter isTerminal: Whether the stream is a terminal.
  public init(capturingAsTerminal isTerminal: Bool) {
    self.isTerminal = isTerminal
    descriptor = nil
    gathers = true
  }

  /// Whether what is written arrives; a long command may end early when it does not.
  public var state: State { buffer.withLock { buffer in buffer.state } }

  public var captured: String { buffer.withLock { buffer in String(decoding: buffer.bytes, as: UTF8.self) } }

  public func write(_ bytes: [UInt8]) {
    buffer.withLock { buffer in
      guard buffer.state == .open else { return }
      buffer.bytes += bytes
      if !gathers || buffer.bytes.count >= Self.capacity { send(&buffer) }
    }
  }

  public func flush() { buffer.withLock { buffer in send(&buffer) } }

  private func send(_ buffer: inout Buffer) {
    guard let descriptor, !buffer.bytes.isEmpty else { return }
    let number = writeAll(buffer.bytes[...], to: descriptor)
    buffer.bytes.removeAll(keepingCapacity: true)
    if number == EPIPE {
      buffer.state = .closed
    } else if number != 0 {
      buffer.state = .failed(reason: unsafe String(cString: strerror(number)))
    }
  }
}
