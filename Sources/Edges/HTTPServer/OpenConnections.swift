import CMicroHTTPD
import Glibc
import Synchronization
import System

/// An open connection, as far as slow clients are concerned.
final class OpenConnection: Sendable {
  /// What the time is while a request is answered.
  private static let nothingAwaited = Int.max

  let descriptor: Int32
  let subscriber: IPAddress
  /// Whether it is a proxy's, which connects for many and is not hurried.
  let isProxy: Bool
  /// Where the target of its present request ended in memory before it was decoded.
  let targetEnd = Atomic<UInt>(0)
  /// Whether its present request was answered before its head was complete, so that nothing can follow.
  let isTurnedAway = Atomic(false)
  /// Since when the client owes a complete head, in seconds of the monotonic clock.
  private let headAwaitedSince: Atomic<Int>
  private let bodyAwaitedSince = Atomic(nothingAwaited)
  /// Until when the client has to have read its answer.
  private let answerReadUntil = Atomic(nothingAwaited)
  /// What its session shows, which has to live as long as the session.
  private let identity: TLSIdentity?

  /// Begins to wait for the first head.
  init(_ descriptor: Int32, of client: IPAddress, isProxy: Bool, identity: TLSIdentity?) {
    self.descriptor = descriptor
    subscriber = client.subscriber
    self.isProxy = isProxy
    self.identity = identity
    headAwaitedSince = Atomic(monotonicSeconds())
  }

  func headCame() { headAwaitedSince.store(Self.nothingAwaited, ordering: .relaxed) }

  func awaitBody() { bodyAwaitedSince.store(monotonicSeconds(), ordering: .relaxed) }

  /// Takes note that the request has come to its end.
  func bodyCame() { bodyAwaitedSince.store(Self.nothingAwaited, ordering: .relaxed) }

  /// Seconds that a client has to read an answer, and bytes that it has to read in each further one.
  static let (secondsOfAnswer, bytesPerSecond) = (30, 32 << 10)

  /// Begins to wait until an answer of so many bytes was read.
  func awaitReading(of bytes: Int, from now: Int = monotonicSeconds()) {
    answerReadUntil.store(now + Self.secondsOfAnswer + bytes / Self.bytesPerSecond, ordering: .relaxed)
  }

  /// Whether an answer should have been read by now.
  func isReadingLate(at now: Int) -> Bool { answerReadUntil.load(ordering: .relaxed) < now }

  func awaitHead() {
    bodyCame()
    answerReadUntil.store(Self.nothingAwaited, ordering: .relaxed)
    headAwaitedSince.store(monotonicSeconds(), ordering: .relaxed)
  }

  /// Whether a head or a body is awaited since before those seconds.
  func isLate(headSince head: Int, bodySince body: Int) -> Bool {
    headAwaitedSince.load(ordering: .relaxed) < head || bodyAwaitedSince.load(ordering: .relaxed) < body
  }
}

/// The open connections, so that none takes another's place and those whose clients are too slow can be shut down.
///
/// The library closes a connection after a silence only, and a client that sends a byte now and then is never silent.
/// It counts connections by address only, and a subscriber has 2^64 of them.
final class OpenConnections: Sendable {
  private struct State: Sendable {
    var shares: ConnectionShares
    var connections: [Int32: OpenConnection] = [:]
  }

  private let state: Guarded<State>
  private let watch = Periodic(everyMicroseconds: 1_000_000)

  init(_ shares: ConnectionShares) { state = Guarded(State(shares: shares)) }

  /// Whether a client may open another connection.
  ///
  /// Threads that ask at the same moment may all get the answer yes for the last place.
  func admits(_ client: IPAddress, isProxy: Bool) -> Bool {
    state.withLock { $0.shares.admits(client.subscriber, isProxy: isProxy, at: monotonicSeconds()) }
  }

  /// Takes note that a connection's client holds a token or a session.
  func noteHolder(on connection: OpenConnection) {
    state.withLock { $0.shares.noteHolder(at: connection.subscriber, monotonicSeconds()) }
  }

  func add(_ connection: OpenConnection) {
    state.withLock { state in
      state.connections[connection.descriptor] = connection
      state.shares.add(connection.subscriber)
    }
  }

  /// Takes a connection out, which has to happen before its socket is closed.
  func remove(_ connection: OpenConnection) {
    state.withLock { state in
      state.connections[connection.descriptor] = nil
      state.shares.remove(connection.subscriber)
    }
  }

  /// Looks once a second from now on, on a thread of its own, for clients that owe a head or a body for that long, or that
  /// do not read their answer.
  ///
  /// - Throws: `ThreadError`.
  ///
  /// What the connections' bodies took is given back there too: it can be more than all else, and an allocator keeps it.
  func startWatch(
    headSeconds: Int, bodySeconds: Int, hasFreed: @escaping @Sendable () -> Bool
  ) throws(ThreadError) {
    try watch.start { [self] in
      shutDown(monotonicSeconds(), headSeconds, bodySeconds)
      if hasFreed() { releaseFreeMemory() }
    }
  }

  /// Has the library close connections that are still open.
  func end(_ ending: [OpenConnection]) {
    guard !ending.isEmpty else { return }
    state.withLock { state in
      for connection in ending where state.connections[connection.descriptor] === connection {
        shutdown(connection.descriptor, Int32(skan_both_directions))
      }
    }
  }

  func endWatch() { watch.stop() }

  private func shutDown(_ now: Int, _ headSeconds: Int, _ bodySeconds: Int) {
    state.withLock { state in
      // A body has a limit of its own, which is answered; here it is cut short only while places are scarce.
      let head = state.shares.secondsAllowed(usually: headSeconds)
      let body = state.shares.secondsAllowed(usually: bodySeconds)
      // Under the lock no socket is closed, so that none of the numbers can mean another file. The library sees
      // the end of the stream and closes the connection itself.
      for connection in state.connections.values
      where connection.isReadingLate(at: now)
        || connection.isLate(
          headSince: now - (connection.isProxy ? headSeconds : head),
          bodySince: connection.isProxy || body == bodySeconds ? .min : now - body)
      {
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
