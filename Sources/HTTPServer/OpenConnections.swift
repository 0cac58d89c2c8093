import CMicroHTTPD
import Glibc
import Platform
import Synchronization

/// An open connection, as far as slow clients are concerned.
final class OpenConnection: Sendable {
  /// What the time is while a request is under way.
  static let noHeadAwaited = Int.max

  /// The connection's socket.
  let descriptor: Int32
  /// Where the target of its present request ended in memory before it was decoded.
  let targetEnd = Atomic<UInt>(0)
  /// Since when the client owes a complete head, in seconds of the monotonic clock.
  private let headAwaitedSince: Atomic<Int>
  /// What its session shows, which has to live as long as the session.
  private let identity: TLSIdentity?

  /// Begins to wait for the first head.
  init(_ descriptor: Int32, identity: TLSIdentity?) {
    self.descriptor = descriptor
    self.identity = identity
    headAwaitedSince = Atomic(monotonicSeconds())
  }

  /// Takes note that a head has come.
  func headCame() { headAwaitedSince.store(Self.noHeadAwaited, ordering: .relaxed) }

  /// Waits for the next head.
  func awaitHead() { headAwaitedSince.store(monotonicSeconds(), ordering: .relaxed) }

  /// Whether a head is awaited since before that second.
  func isLate(since second: Int) -> Bool { headAwaitedSince.load(ordering: .relaxed) < second }
}

/// The open connections, so that those whose clients take too long over a head can be shut down.
///
/// The library closes a connection after a silence only, and a client that sends a byte now and then is never silent.
final class OpenConnections: Sendable {
  private let connections = Guarded<[Int32: OpenConnection]>([:])
  private let hasEnded = Atomic(false)

  /// Adds a connection.
  func add(_ connection: OpenConnection) {
    connections.withLock { $0[connection.descriptor] = connection }
  }

  /// Takes a connection out, which has to happen before its socket is closed.
  func remove(_ connection: OpenConnection) {
    connections.withLock { _ = $0.removeValue(forKey: connection.descriptor) }
  }

  /// Looks once a second from now on, on a thread of its own, for clients that owe a head for that many seconds.
  ///
  /// - Throws: `ThreadError`.
  func watch(headSeconds: Int) throws(ThreadError) {
    // Nobody waits for the thread: it ends within a second after `endWatch`.
    _ = try Worker {
      while !self.hasEnded.load(ordering: .relaxed) {
        rest(microseconds: 1_000_000)
        self.shutDown(lateSince: monotonicSeconds() - headSeconds)
      }
    }
  }

  /// Ends the thread that looks.
  func endWatch() { hasEnded.store(true, ordering: .relaxed) }

  private func shutDown(lateSince second: Int) {
    connections.withLock { connections in
      // Under the lock no socket is closed, so that none of the numbers can mean another file. The library sees
      // the end of the stream and closes the connection itself.
      for connection in connections.values where connection.isLate(since: second) {
        shutdown(connection.descriptor, Int32(skan_both_directions))
      }
    }
  }
}

/// Returns the seconds of a clock that never goes back.
func monotonicSeconds() -> Int {
  var time = timespec()
  // The coarse clock costs a tenth of the fine one. It exists on every Linux, so the call cannot fail.
  unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
  return time.tv_sec
}
