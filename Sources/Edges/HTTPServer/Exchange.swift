import Glibc
import Synchronization
import System

/// One request on its way to one response.
///
/// `@unchecked Sendable`: all but `answer` and `handOver` is used by the one server thread that owns the connection.
/// `answer` is written once before `handOver` is, and read after.
@safe final class Exchange: @unchecked Sendable {
  enum Answer {
    /// The function counts it; it is not called where the server answers by itself instead.
    case made(Response, counting: @Sendable () -> Void)
    case prepared(PreparedResponse)
  }

  private enum Stage {
    case body
    /// The head decided the answer; the body is awaited and dropped, so that the connection can go on after it.
    case answered(Response)
    /// The server has answered by itself; nothing follows on this connection.
    case rejected
    case handled
  }

  /// Where the handler's thread and the answering thread meet; the later of the two does what is left.
  private enum HandOver {
    static let open = 0
    static let suspended = 1
    static let answered = 2
  }

  /// How much of a rejected body is read and dropped, so that the client gets to read the rejection instead of a
  /// reset connection.
  private static let droppedBytesMaximum = 16 << 20
  /// Bytes of a body that is awaited although the head decided the answer; before a longer one the connection ends.
  private static let awaitedBytesMaximum = 65_536

  /// Whether the head announces a body, so that the options were asked whether it may come.
  var isAdmitted: Bool { declared != 0 }
  /// Finds whose the request is, and takes note where its connection is a holder's.
  // Swift 6.3's optimiser stops where this is inlined.
  @inline(never) func identifySender() -> RequestSender {
    let sender = core.options.sender(Request(self))
    if !sender.isStranger, let open = connection.open { core.connections.noteHolder(on: open) }
    return sender
  }
  let connection: HTTPConnection
  let method: Method
  let path: String
  private(set) var body: [UInt8] = []
  private let head: RequestHead
  private let core: Core
  private var stage = Stage.body
  /// The length that the client declared, or nil when the body comes in chunks.
  private var declared: Int? = 0
  private var limit = 0
  private var held: (bytes: Int, sender: RequestSender)?
  /// Who has room for the answer.
  private var reader: RequestSender?
  private var dropped = 0
  private var began = 0
  private var hasShortTimeout = false
  private var answer: Answer?
  private let handOver = Atomic(HandOver.open)

  init(on connection: HTTPConnection, method: String, path: String, head: RequestHead, core: Core) {
    self.head = head
    self.connection = connection
    self.method = Method(rawValue: method) ?? .other
    self.path = path
    self.core = core
    core.openRequests.add(1, ordering: .relaxed)
    connection.open?.headCame()
  }

  // Each of the next three returns whether the connection is to go on.

  /// Decides by the head whether the body may come.
  func begin() -> Bool {
    if head.isFramingAmbiguous { return reject(.ambiguousFraming) }
    guard head.isPlain else { return reject(.ambiguousHead) }
    guard head.room <= RequestHead.mostRoom else { return reject(.headTooLarge) }
    switch head.bodyEnd {
    case .length(let length): declared = length
    case .chunks: declared = nil
    case .unknownCoding:
      declared = nil
      return reject(.unknownTransferCoding)
    }
    guard declared != 0 else { return true }
    switch core.options.admission(Request(self)) {
    case .answered(let response): return answer(byHead: response)
    case .admitted(let limit): self.limit = limit
    }
    if let declared {
      guard declared <= limit else { return reject(.bodyTooLarge(limit: limit)) }
      if let rejection = hold(declared) { return reject(rejection) }
      body.reserveCapacity(declared)
    }
    awaitBody()
    return true
  }

  private func awaitBody() {
    began = monotonicSeconds()
    connection.open?.awaitBody()
    if core.options.bodySeconds < core.options.idleSeconds { shortenTimeout(to: core.options.bodySeconds) }
  }

  /// Answers by the head, at once or behind the body where that is short.
  private func answer(byHead response: Response) -> Bool {
    core.handledRequests.add(1, ordering: .relaxed)
    // A client that waits for "100 Continue" gets the answer instead.
    guard let declared, declared <= Self.awaitedBytesMaximum,
      connection.value(of: "Expect", in: .headers) == nil
    else { return turnAway(response) }
    stage = .answered(response)
    awaitBody()
    return true
  }

  /// Has room for that many bytes of the body from now on, or reports why not.
  private func hold(_ count: Int) -> RequestRejection? {
    let had = held?.bytes ?? 0
    guard count > BodyShares.free, count > had else { return nil }
    let sender = held?.sender ?? identifySender()
    // What is done can't be left unanswered, so it is not begun where its answer has no room.
    if had == 0, core.answers.shares(of: sender).withLock({ $0.isFull(for: sender) }) {
      return .clientHasUnreadAnswers
    }
    let rejection = core.bodies.withLock { $0.take(count - had, for: sender) }
    if rejection == nil { held = (count, sender) }
    return rejection
  }

  /// Has room for the body of an answer until it was read, or reports why not.
  private func hold(answerOf count: Int) -> RequestRejection? {
    guard count > BodyShares.free, method != .head, let open = connection.open else { return nil }
    let reader = identifySender()
    let decision = core.answers.shares(of: reader).withLock {
      $0.take(count, for: reader, on: open, isOwed: method != .get)
    }
    switch decision {
    case .rejected(let rejection): return rejection
    case .taken(let ending):
      core.connections.end(ending)
      self.reader = reader
      open.awaitReading(of: count)
      return nil
    }
  }

  private func dropAnswer() {
    guard let reader, let open = connection.open else { return }
    self.reader = nil
    core.answers.shares(of: reader).withLock { $0.give(open) }
  }

  private func dropBody() {
    body = []
    guard let (bytes, sender) = held else { return }
    held = nil
    core.bodies.withLock { $0.give(bytes, of: sender) }
  }

  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    let isLate = monotonicSeconds() - began >= core.options.bodySeconds
    switch stage {
    case .rejected, .handled:
      dropped += piece.count
      return !isLate && dropped <= Self.droppedBytesMaximum
    case .answered: dropped += piece.count
    case .body:
      guard piece.count <= limit - body.count else { return reject(.bodyTooLarge(limit: limit)) }
      let count = body.count + piece.count
      if count > body.capacity {
        // What comes in chunks grows as an array does, and what the array takes is what counts.
        let room = min(limit, max(count, 2 * body.capacity))
        if let rejection = hold(room) { return reject(rejection) }
        body.reserveCapacity(room)
      }
      unsafe body.append(contentsOf: piece)
    }
    if let declared, body.count + dropped >= declared { return true }
    guard !isLate else {
      _ = reject(.bodyTooSlow(seconds: core.options.bodySeconds))
      return false
    }
    let left = began + core.options.bodySeconds - monotonicSeconds()
    if left < core.options.idleSeconds { shortenTimeout(to: max(1, left)) }
    return true
  }

  /// Hands the complete request to the handler, or its answer to the library.
  func proceed() -> Bool {
    connection.open?.bodyCame()
    switch stage {
    case .rejected: return false
    case .answered(let response):
      return queue(response, closing: core.isStopping.load(ordering: .relaxed))
    case .handled: break
    case .body:
      // One place is given back when the exchange ends. The other when the answer is out: the thread that hands over a
      // connection back still uses the library after the connection itself may have gone.
      guard core.gate.enter(2) else {
        stage = .rejected
        core.rejectedRequests.add(1, ordering: .relaxed)
        return queue(core.options.rejection(.stopping, Request(self)), closing: true)
      }
      stage = .handled
      core.handledRequests.add(1, ordering: .relaxed)
      let request = Request(self)
      core.handler(request, Reply(to: self))
    }
    if handOver.load(ordering: .acquiring) == HandOver.answered { return queueAnswer() }
    // Suspended before the hand-over, because the answering thread may resume right after it.
    connection.suspend()
    let (isFirst, _) = handOver.compareExchange(
      expected: HandOver.open, desired: HandOver.suspended, ordering: .acquiringAndReleasing)
    if !isFirst { connection.resume() }
    return true
  }

  /// Takes the answer, on any thread, once.
  func answer(_ answer: Answer) {
    self.answer = answer
    if handOver.exchange(HandOver.answered, ordering: .acquiringAndReleasing) == HandOver.suspended {
      connection.resume()
    }
    core.gate.leave()
  }

  /// Ends the exchange.
  ///
  /// - Parameter timedOut: Whether the client was silent for too long.
  func complete(timedOut: Bool) {
    if timedOut, isAwaitingBody { _ = reject(.bodyTooSlow(seconds: core.options.bodySeconds)) }
    dropBody()
    dropAnswer()
    if hasShortTimeout { connection.closeWhenSilent(forSeconds: core.options.idleSeconds) }
    connection.open?.awaitHead()
    if case .handled = stage {
      core.gate.leave()
      // The client went before its answer.
      if handOver.load(ordering: .acquiring) == HandOver.answered, case .made(_, let count)? = answer.take() {
        count()
      }
    }
    core.openRequests.subtract(1, ordering: .releasing)
  }

  private var isAwaitingBody: Bool {
    switch stage {
    case .body, .answered: declared != 0
    case .rejected, .handled: false
    }
  }

  private func queueAnswer() -> Bool {
    // The library takes an LF alone for the end of a chunk's line, which a proxy may read otherwise: so nothing follows a
    // body in chunks on its connection, and what one of them takes for another request is never read.
    let isLast = declared == nil || core.isStopping.load(ordering: .relaxed)
    // The library has it from here on.
    switch answer.take() {
    case .prepared(let prepared) where !isLast:
      return connection.queue(prepared.raw, status: prepared.response.status)
    case .prepared(let prepared): return queue(prepared.response, closing: true)
    case .made(let response, let count):
      if let rejection = hold(answerOf: response.body.count) {
        core.rejectedRequests.add(1, ordering: .relaxed)
        return queue(core.options.rejection(rejection, Request(self)), closing: isLast)
      }
      count()
      return queue(response, closing: isLast)
    case nil: preconditionFailure("an exchange met its answer before there was one")
    }
  }

  private func queue(_ response: Response, closing: Bool) -> Bool {
    guard let raw = RawResponse(response, closing: closing) else { return false }
    return connection.queue(raw, status: response.status)
  }

  /// Rejects the request, which the handler does not see.
  // Swift 6.3's optimiser stops where this is inlined into `complete`.
  @inline(never) func reject(_ rejection: RequestRejection) -> Bool {
    // What the head decided is counted already, and its body alone was too slow.
    if case .answered(let response) = stage { return turnAway(response) }
    core.rejectedRequests.add(1, ordering: .relaxed)
    return turnAway(core.options.rejection(rejection, Request(self)))
  }

  /// Answers past the library, which takes a response only before a body or after it, and drops what still comes.
  private func turnAway(_ response: Response) -> Bool {
    stage = .rejected
    dropBody()
    connection.sendLast(response.lastMessage(to: method))
    began = monotonicSeconds()
    // A client that waits for "100 Continue" sends no body now.
    return connection.value(of: "Expect", in: .headers) == nil
  }

  private func shortenTimeout(to seconds: Int) {
    connection.closeWhenSilent(forSeconds: seconds)
    hasShortTimeout = true
  }
}

extension Response {
  /// The whole message of HTTP/1.1, with the notice that the connection ends after it.
  ///
  /// Source: RFC 9112, sections 4 to 6.
  fileprivate func lastMessage(to method: Method) -> [UInt8] {
    var head =
      "HTTP/1.1 \(status) \(reasonPhrase(status))\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
    for header in headers
    where !(header.name + header.value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
      head += "\(header.name): \(header.value)\r\n"
    }
    return Array((head + "\r\n").utf8) + (method == .head ? [] : body)
  }
}
