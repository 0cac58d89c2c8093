import Glibc
import Synchronization
import System
public import Values

/// A running HTTP/1.1 server, over TLS where its options have an identity.
///
/// Heads that are no HTTP, or longer than 32 KiB, are answered 400, 414 and 431 by libmicrohttpd with a body of its own.
public final class Server: Sendable {
  /// Microseconds between two looks at what is open.
  private static let step: UInt32 = 2000

  private let core: Core
  private let daemon: Daemon
  private let hasStopped = Guarded(false)

  /// Where the server listens, with the port the system chose where 0 was asked for.
  public let address: HostPort

  /// Starts listening; when it returns, connections are accepted.
  ///
  /// - Parameters:
  ///   - handler: Answers the requests.
  /// - Throws: ``ListenError`` when the address cannot be had.
  public init(_ options: ServerOptions, handler: @escaping Handler) throws(ListenError) {
    let socket = try ListeningSocket(options.address)
    let address = HostPort(host: options.address.host, port: socket.port)
    let core = Core(options: options, handler: handler)
    guard let daemon = Daemon(listeningOn: socket, core: core) else {
      throw ListenError(
        code: .system, address: options.address, reason: "the server's threads could not start")
    }
    if options.headSeconds > 0 {
      do throws(ThreadError) {
        try core.connections.startWatch(
          headSeconds: options.headSeconds, bodySeconds: options.bodySeconds,
          hasFreed: { [bodies = core.bodies, answers = core.answers] in
            let haveBodies = bodies.withLock { $0.held.takeRelease() }
            return answers.all.reduce(haveBodies) { $1.withLock { $0.held.takeRelease() } || $0 }
          })
      } catch {
        daemon.stop()
        throw ListenError(code: .system, address: options.address, reason: error.description)
      }
    }
    self.core = core
    self.daemon = daemon
    self.address = address
  }

  /// The server's figures at this moment.
  public var counters: ServerCounters {
    ServerCounters(
      openConnections: hasStopped.withLock { hasStopped in hasStopped ? 0 : daemon.connections },
      openRequests: core.openRequests.load(ordering: .relaxed),
      handledRequests: core.handledRequests.load(ordering: .relaxed),
      rejectedRequests: core.rejectedRequests.load(ordering: .relaxed))
  }

  /// Bytes of bodies that have a share of what is for all.
  var heldBodyBytes: Int { core.bodies.withLock { $0.held.count } }
  /// Bytes of answers that were not read yet.
  var heldAnswerBytes: Int { core.answers.all.reduce(0) { $0 + $1.withLock { $0.held.count } } }

  /// Shows other certificates to new connections; without effect on a server that uses plain HTTP.
  public func use(_ identity: TLSIdentity) {
    core.identity.withLock { current in
      if current != nil { current = identity }
    }
  }

  /// Turns new connections away, lets open requests end, then closes all connections; a second call does nothing.
  ///
  /// Who connects meanwhile sees the connection closed without an answer, as without a listener.
  ///
  /// A request that was given to the handler must be answered before the server can end. Where a reply is still
  /// out after the time, the server's threads are left running for it, and the process should end.
  ///
  /// - Parameter seconds: How long to wait.
  /// - Returns: Whether every request that was begun had its end in that time.
  @discardableResult
  public func stop(withinSeconds seconds: Double) -> Bool {
    hasStopped.withLock { hasStopped in
      guard !hasStopped else { return true }
      hasStopped = true
      core.isStopping.store(true, ordering: .relaxed)
      var steps = Int(seconds * 1_000_000) / Int(Self.step)
      func wait(until isReached: () -> Bool) {
        while !isReached(), steps > 0 {
          usleep(Self.step)
          steps -= 1
        }
      }
      wait { core.openRequests.load(ordering: .acquiring) == 0 }
      let areAllDone = core.openRequests.load(ordering: .acquiring) == 0
      // A kept connection may receive a request at any moment. From here on none of them reaches the handler, so no
      // connection can be suspended once the gate is empty; the library would abort the process for one.
      core.gate.close()
      wait { core.gate.isEmpty }
      core.connections.endWatch()
      if core.gate.isEmpty {
        daemon.stop()
      } else {
        // The library's threads still hold a pointer to it.
        _ = unsafe Unmanaged.passRetained(core)
      }
      return areAllDone
    }
  }

  deinit { stop(withinSeconds: 10) }
}

/// The shares of answers: strangers have a quarter apart, so that they end no answer of those with a token or a session.
struct AnswersOfAll: Sendable {
  typealias Shares = Guarded<AnswerShares<OpenConnection>>

  private let holders: Shares
  private let strangers: Shares

  init(capacity: Int) {
    let ofStrangers = capacity / 4
    holders = Shares(AnswerShares(capacity: capacity - ofStrangers, each: capacity / 2))
    strangers = Shares(AnswerShares(capacity: ofStrangers, each: ofStrangers / 4))
  }

  var all: [Shares] { [holders, strangers] }

  func shares(of reader: RequestSender) -> Shares { reader.isStranger ? strangers : holders }
}

/// What the callbacks share.
final class Core: Sendable {
  let options: ServerOptions
  let handler: Handler
  /// How many connections may be open at once.
  let capacity: Int
  let connections: OpenConnections
  let bodies: Guarded<BodyShares>
  let answers: AnswersOfAll
  /// What new connections are shown, or nil where the server uses plain HTTP.
  let identity: Guarded<TLSIdentity?>
  let isStopping = Atomic(false)
  /// Requests that began and have not ended.
  let openRequests = Atomic(0)
  /// Counts the requests among them that were given to the handler, and the answers that are on their way.
  let gate = InFlightRequests()
  let handledRequests = Atomic(0)
  let rejectedRequests = Atomic(0)

  init(options: ServerOptions, handler: @escaping Handler) {
    self.options = options
    capacity = DescriptorLimit.connections(wanted: options.connections, atLeast: options.threads)
    connections = OpenConnections(
      ConnectionShares(
        capacity: capacity, perSubscriber: options.connectionsPerAddress,
        keepsForHolders: options.keepsConnectionsForHolders))
    bodies = Guarded(BodyShares(capacity: options.bodyBytes))
    answers = AnswersOfAll(capacity: options.answerBytes)
    identity = Guarded(options.identity)
    self.handler = handler
  }
}
