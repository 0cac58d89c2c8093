import HTTPServer
import Intake
import JSONText
import Ledger
import Postbacks
package import Routing
package import System
import Verification

/// What ad networks send to: `/v1/networks/{network}/postbacks` with a token, or `/n/{token}`; one postback, an array of
/// them, or NDJSON; where the network's profile has them, also parameters in the query of a GET or as a form.
///
/// Each item is judged and stored by itself with whatever the network added to it, and the answer has a result for each. It is sent when all are on disk; where one could not be stored the whole request is answered
/// 503 and can be repeated without harm.
///
/// Large bodies are judged on threads of their own and stored in slices, so that devices do not wait for them.
package struct ForwardRoute: Sendable {
  /// Bytes of a batch at most, before and after decompression.
  package static let bodyLimit = 8 << 20
  /// Postbacks of a batch at most.
  static let itemLimit = 10_000

  package static let namedPath = "/v1/networks/{network}/postbacks"
  package static let tokenPath = "/n/{token}"

  private let reception: OpenReception
  private let access: Access
  private let queue: BatchQueue
  private let clock: WallClock

  private var intake: PostbackIntake { reception.intake }
  private var counters: Counters { reception.counters }
  private var limiter: RateLimiter { reception.limiter }

  package init(_ reception: OpenReception, access: Access, queue: BatchQueue, clock: @escaping WallClock) {
    self.reception = reception
    self.access = access
    self.queue = queue
    self.clock = clock
  }

  /// Bytes of a body that is judged at once; a longer one, or one that is packed, goes to a thread of its own.
  private static let shortBody = 16_384
  /// Items of a body that is judged at once; broken ones have two bytes.
  private static let fewItems = 16

  package var routes: [HTTPRoute] { [namedRoute, tokenRoute] }

  private var namedRoute: HTTPRoute {
    HTTPRoute(
      path: Self.namedPath, figures: .network, methods: [.post, .get], bodyLimit: Self.bodyLimit,
      holder: { _, network in network },
      guards: [
        { request, network in
          let problem = access.rejectionToForward(as: network, request)
          if let problem { access.noteTurnedAway(network, status: problem.status) }
          return problem?.response
        },
        { request, network in rejection(of: request, as: network)?.response },
      ]
    ) { request, network, reply in answer(request, network: network, reply) }
  }

  /// The path that has the token itself, for networks that know only an address.
  private var tokenRoute: HTTPRoute {
    HTTPRoute(
      path: Self.tokenPath, figures: .network, methods: [.post, .get], bodyLimit: Self.bodyLimit,
      holder: { _, token in access.network(withPathToken: token) },
      guards: [
        { request, token in
          guard let network = access.network(withPathToken: token) else {
            return unknown(token, request).response
          }
          return rejection(of: request, as: network)?.response
        }
      ]
    ) { request, token, reply in
      // It may have been revoked since the guard looked.
      guard let network = access.network(withPathToken: token) else {
        return reply.send(Problem.noForwardPath.response)
      }
      answer(request, network: network, reply)
    }
  }

  /// Why a path opens nothing; guesses are slowed as rejected bodies are.
  private func unknown(_ token: String, _ request: borrowing Request) -> Problem {
    let client = reception.client(of: request)
    if let limited = limiter.rejection(of: client) { return .limited(limited) }
    limiter.countRejected(client)
    access.noteTurnedAway(pathToken: token)
    return .noForwardPath
  }

  /// Why a request of a network whose token holds goes no further.
  private func rejection(of request: borrowing Request, as network: String) -> Problem? {
    if let limited = limiter.rejection(ofNetwork: network) { return .limited(limited) }
    if request.method == .get, !access.takesQuery(from: network) {
      access.noteTurnedAway(network, status: 405)
      return .methodNotAllowed([.post])
    }
    return Self.mediaTypeProblem(request)
  }

  private func answer(_ request: borrowing Request, network: String, _ reply: consuming MeteredReply) {
    let networkIntake = NetworkIntake(intake, network: network, profile: access.profile(of: network))
    if request.method == .get {
      let batch = Batch(size: 1, reply: PendingReply(reply), queue: queue)
      return store(
        networkIntake.judge(parameters: access.parameters(of: request)), at: 0, of: batch, networkIntake)
    }
    let body = request.body
    let secrets = access.secrets(of: network)
    let signature = secrets.isEmpty ? nil : Self.signature(in: request)
    let pending = PendingReply(reply)
    let job: BatchQueue.Job = { [self] in
      let mistake =
        secrets.isEmpty
        ? nil : ForwardSignature.mistake(in: signature, of: body, secrets: secrets, now: clock())
      if let mistake {
        let problem = Problem.signature(mistake)
        access.noteTurnedAway(network, status: problem.status)
        return pending.send(problem.response)
      }
      judge(body, networkIntake, pending)
    }
    if body.count <= Self.shortBody, !ContentCoding.isPacked(body),
      networkIntake.documents(of: body).count <= Self.fewItems
    {
      return job()
    }
    if !queue.judge(from: network, bytes: body.count, job) {
      pending.send(Problem.notStored("too many batches of this network are queued").response)
    }
  }

  private func judge(_ body: [UInt8], _ networkIntake: NetworkIntake, _ reply: PendingReply) {
    let documents: [[UInt8]]
    do throws(Problem) {
      documents = networkIntake.documents(of: try ContentCoding.unpack(body, limit: Self.bodyLimit))
    } catch {
      return reply.send(error.response)
    }
    guard documents.count <= Self.itemLimit else {
      return reply.send(Problem.tooManyItems(Self.itemLimit).response)
    }
    guard let first = documents.first else {
      return reply.send(Problem.notJSON("The body is empty.").response)
    }
    let batch = Batch(size: documents.count, reply: reply, queue: queue)
    let isSomethingElse = documents.count == 1 && !Self.isObject(first)
    for (index, document) in documents.enumerated() {
      let item = networkIntake.judge(document)
      if isSomethingElse {
        batch.refusesWhole = !networkIntake.isParameters(first) || Self.isNoForm(item.judgement)
      }
      store(item, at: index, of: batch, networkIntake)
    }
  }

  private func store(
    _ item: NetworkIntake.Item, at index: Int, of batch: Batch, _ networkIntake: NetworkIntake
  ) {
    counters.count(item.judgement.state)
    batch.describe(index, item)
    networkIntake.store(item) { result in
      switch result {
      case .success(let commitment): counters.count(commitment)
      case .failure: counters.countFailure()
      }
      batch.finish(index, result)
    }
  }

  /// The lines of the signature as one list, as RFC 9110 takes them; nil where there is none.
  private static func signature(in request: borrowing Request) -> String? {
    let lines = request.headers("Skan-Signature")
    return lines.isEmpty ? nil : lines.joined(separator: ",")
  }

  /// Whether a body that should have been parameters is none.
  private static func isNoForm(_ judgement: Judgement) -> Bool {
    if case .malformed(.notInForm(_, .notParameters)) = judgement.verdict { true } else { false }
  }

  private static func isObject(_ document: [UInt8]) -> Bool { document.first == UInt8(ascii: "{") }

  private static func mediaTypeProblem(_ request: borrowing Request) -> Problem? {
    if let coding = request.header("Content-Encoding")?.lowercased(), coding != "gzip", coding != "identity" {
      return .unsupportedMediaType("Use gzip; other content codings are not supported.")
    }
    guard let header = request.header("Content-Type") else { return nil }
    let type = header.split(separator: ";").first.map { $0.lowercased() } ?? ""
    let name = type.split(separator: " ").joined()
    // The form type is curl's default for --data.
    let isTaken =
      name.hasSuffix("json") || name == "application/octet-stream" || name == "application/gzip"
      || name == "application/x-www-form-urlencoded" || name.isEmpty
    return isTaken
      ? nil : .unsupportedMediaType("Send application/json or application/x-ndjson, gzip-compressed or not.")
  }
}

/// Collects the results of a batch and answers when the last one is there.
private final class Batch: Sendable {
  private struct State: Sendable {
    var results: [[JSONOutput.Member]]
    var open: Int
    var failure: LedgerError?
    var firstProblem: Problem?
    var refusesWhole = false
  }

  /// Results whose text is written on the ledger's thread at most.
  private static let few = 32
  /// Results after which the memory that they took is given back.
  private static let many = 1000

  private let state: Guarded<State>
  private let reply: PendingReply
  private let queue: BatchQueue

  init(size: Int, reply: PendingReply, queue: BatchQueue) {
    state = Guarded(State(results: Array(repeating: [], count: size), open: size))
    self.reply = reply
    self.queue = queue
  }

  /// Whether the body was no batch but something else altogether, which is a 400 rather than a result.
  var refusesWhole: Bool {
    get { state.withLock { $0.refusesWhole } }
    set { state.withLock { $0.refusesWhole = newValue } }
  }

  /// Takes note of a verdict.
  func describe(_ index: Int, _ item: NetworkIntake.Item) {
    let members = [.init("index", .integer(Int64(index)))] + item.judgement.members + item.remarkMembers
    state.withLock { state in
      state.results[index] = members
      if state.refusesWhole { state.firstProblem = .notAPostback(item.judgement) }
    }
  }

  /// Takes note of what became of an item, on the ledger's thread.
  func finish(_ index: Int, _ result: Result<Commitment, LedgerError>) {
    let done: State? = state.withLock { state in
      switch result {
      case .success(let commitment): state.results[index].append(commitment.member)
      case .failure(let error): state.failure = error
      }
      state.open -= 1
      guard state.open == 0 else { return nil }
      defer { state.results = [] }
      return state
    }
    guard let done else { return }
    // The text of thousands of results would hold up the ledger, and all who wait for it.
    if done.results.count <= Self.few {
      reply.send(Self.response(done))
    } else {
      queue.answer { [reply] in
        reply.send(Self.response(done))
        if done.results.count >= Self.many { releaseFreeMemory() }
      }
    }
  }

  private static func response(_ state: State) -> Response {
    if let failure = state.failure { return Problem.notStored("\(failure)").response }
    if let problem = state.firstProblem { return problem.response }
    let body = JSONOutput.object([.init("results", .array(state.results.map { .object($0) }))])
    return Response(
      status: 200, headers: [.init("Content-Type", "application/json")],
      body: body.bytes() + [UInt8(ascii: "\n")])
  }
}

extension NetworkIntake.Item {
  /// What the sender should correct, as a member of its result; no value is sent back.
  fileprivate var remarkMembers: [JSONOutput.Member] {
    let found = remarks.map { member, code -> JSONOutput in
      let name = String(String.UnicodeScalarView(member.unicodeScalars.prefix(60)))
      return .object([.init("member", .string(name)), .init("remark", .string(code))])
    }
    return found.isEmpty ? [] : [.init("remarks", .array(found))]
  }
}

extension Commitment {
  /// What was done with the item, as a member of its result.
  fileprivate var member: JSONOutput.Member {
    switch effect {
    case .first: .init("stored", "first")
    case .copy: .init("stored", "copy")
    case .conflict: .init("stored", "conflict")
    case .keptRejected: .init("stored", "kept")
    case .countedRejected: .init("stored", "counted")
    // Networks forward none.
    case .inboxOnly: .init("stored", "counted")
    }
  }
}
