import Gzip
import HTTPServer
import Ingestion
import JSONText
import Ledger
import Platform
import Verification

/// What ad networks post to: `/v1/networks/{network}/postbacks`, one postback, an array of them, or NDJSON.
///
/// Each item is judged and stored by itself, byte for byte with whatever the network added to it, and the answer has
/// a result for each. It is sent when all are on disk; where one could not be stored the whole request is answered
/// 503 and can be repeated without harm.
struct ForwardRoute: Sendable {
  /// Bytes of a batch at most, before and after decompression.
  static let bodyLimit = 8 << 20
  /// Postbacks of a batch at most.
  static let itemLimit = 10_000

  let intake: Intake
  let counters: Counters
  let access: Access

  /// The network that a path names; `nil` for other paths.
  static func network(in path: String) -> String? {
    // Asked for every request, and nearly all are another route's.
    guard path.hasPrefix("/v1/networks/") else { return nil }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[1] == "v1", parts[2] == "networks", parts[4] == "postbacks",
      !parts[3].isEmpty
    else { return nil }
    return String(parts[3])
  }

  func answer(_ request: borrowing Request, network: String, _ reply: consuming Reply) {
    if let problem = access.refusalToForward(as: network, request) ?? mediaTypeProblem(request) {
      return reply.send(problem.response)
    }
    let documents: [[UInt8]]
    switch unpacked(request) {
    case .success(let body):
      var splitter = DocumentSplitter()
      documents = splitter.append(body) + splitter.finish()
    case .failure(.tooLarge(let limit)):
      return reply.send(Problem.refused(.bodyTooLarge(limit: limit)).response)
    case .failure(let error): return reply.send(Problem.notJSON("\(error)").response)
    }
    guard documents.count <= Self.itemLimit else {
      return reply.send(Problem.tooManyItems(Self.itemLimit).response)
    }
    guard let first = documents.first else {
      return reply.send(Problem.notJSON("The body is empty.").response)
    }
    let batch = Batch(size: documents.count, reply: PendingReply(reply), counters: counters)
    if documents.count == 1, !Self.isObject(first) { batch.refusesWhole = true }
    let origin = Origin(.forwarded, name: network)
    for (index, document) in documents.enumerated() {
      intake.receive(document, from: origin, quotaSource: network) { judgement in
        counters.count(judgement.state)
        return { result in batch.finish(index, judgement, result) }
      }
    }
  }

  private static func isObject(_ document: [UInt8]) -> Bool { document.first == UInt8(ascii: "{") }

  private func mediaTypeProblem(_ request: borrowing Request) -> Problem? {
    if let coding = request.header("Content-Encoding")?.lowercased(), coding != "gzip", coding != "identity" {
      return .unsupportedMediaType("The only content coding that is taken is gzip.")
    }
    guard let header = request.header("Content-Type") else { return nil }
    let type = header.split(separator: ";").first.map { $0.lowercased() } ?? ""
    let name = type.split(separator: " ").joined()
    // The form type is what curl says of --data when it is told nothing else.
    let isTaken =
      name.hasSuffix("json") || name == "application/octet-stream" || name == "application/gzip"
      || name == "application/x-www-form-urlencoded" || name.isEmpty
    return isTaken
      ? nil : .unsupportedMediaType("Send application/json or application/x-ndjson, gzip-compressed or not.")
  }

  private func unpacked(_ request: borrowing Request) -> Result<[UInt8], GzipError> {
    let body = request.body
    guard body.starts(with: [0x1F, 0x8B]) else { return .success(body) }
    return Result { () throws(GzipError) in try gunzip(body, limit: Self.bodyLimit) }
  }
}

/// Collects the results of a batch and answers when the last one is there.
private final class Batch: Sendable {
  private struct State: Sendable {
    var results: [JSONOutput?]
    var open: Int
    var failure: LedgerError?
    var firstProblem: Problem?
    var refusesWhole = false
  }

  private let state: Guarded<State>
  private let reply: PendingReply
  private let counters: Counters

  init(size: Int, reply: PendingReply, counters: Counters) {
    state = Guarded(State(results: Array(repeating: nil, count: size), open: size))
    self.reply = reply
    self.counters = counters
  }

  /// Whether the body was no batch but something else altogether, which is a 400 rather than a result.
  var refusesWhole: Bool {
    get { state.withLock { $0.refusesWhole } }
    set { state.withLock { $0.refusesWhole = newValue } }
  }

  func finish(_ index: Int, _ judgement: Judgement, _ result: Result<Commitment, LedgerError>) {
    let item: JSONOutput?
    switch result {
    case .success(let commitment):
      counters.count(commitment)
      item = .object([.init("index", .integer(Int64(index)))] + judgement.members + [commitment.member])
    case .failure(let error):
      counters.countFailure()
      state.withLock { $0.failure = error }
      item = nil
    }
    let done: State? = state.withLock { state in
      state.results[index] = item
      if state.refusesWhole { state.firstProblem = .notAPostback(judgement) }
      state.open -= 1
      return state.open == 0 ? state : nil
    }
    if let done { reply.send(response(done)) }
  }

  private func response(_ state: State) -> Response {
    if let failure = state.failure { return Problem.notStored("\(failure)").response }
    if let problem = state.firstProblem { return problem.response }
    let body = JSONOutput.object([.init("results", .array(state.results.map { $0 ?? .null }))])
    return Response(
      status: 200, headers: [.init("Content-Type", "application/json")],
      body: body.bytes() + [UInt8(ascii: "\n")])
  }
}

extension Commitment {
  /// What was done with the item, as a member of its result.
  fileprivate var member: JSONOutput.Member {
    switch novelty {
    case .first: .init("stored", "first")
    case .repeated: .init("stored", "repeated")
    case .conflict: .init("stored", "conflict")
    case .keptRefused: .init("stored", "kept")
    case .countedRefused: .init("stored", "counted")
    }
  }
}
