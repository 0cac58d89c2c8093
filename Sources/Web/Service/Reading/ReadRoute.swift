import Arguments
import Configuration
import HTTPServer
import Ledger
import Routing
import System
import Tables
import Values
import Verification

/// What people and tools read: reports and single things, with a read token.
///
/// The token and the words are judged at once; the database is asked on threads of its own and for a limited time.
struct ReadRoute: Sendable {
  /// Bytes of a text after which the memory that it took is given back.
  private static let largeText = 1 << 20

  private let configuration: ServiceConfiguration
  private let context: ServiceContext
  /// Limits apps, which need no token.
  private let limiter: RateLimiter
  private let keyring: Keyring
  private let resources: [ReadResource]
  private let crossOrigin: CrossOrigin
  private let pool: ReaderPool
  /// Threads of their own, so that apps in great number do not delay readers.
  private let appPool: ReaderPool
  private let pages = KeptPages()
  private let shared = AnswerCache()

  init(
    _ configuration: ServiceConfiguration, _ context: ServiceContext, keyring: Keyring, limiter: RateLimiter,
    resources: [ReadResource]
  ) throws(ThreadError) {
    self.configuration = configuration
    self.context = context
    self.limiter = limiter
    self.keyring = keyring
    self.resources = resources
    crossOrigin = CrossOrigin(Set(configuration.file.corsOrigins))
    pool = try ReaderPool(threads: 2)
    appPool = try ReaderPool(threads: 1, .normal)
  }

  /// Turns away what waits; what is being answered goes on.
  func close() {
    pool.close()
    appPool.close()
  }

  /// Waits a while for what is being answered, after ``close()``.
  func join(withinSeconds seconds: Double) {
    pool.join(withinSeconds: seconds)
    appPool.join(withinSeconds: seconds)
  }

  var routes: [HTTPRoute] {
    resources.map { resource in
      HTTPRoute(
        path: resource.path, figures: resource.figures, methods: [.get, .head, .options],
        holder: { [access = context.access] request, _ in access.reader(of: request)?.name },
        headers: { request in headers(for: request) },
        guards: [
          { request, _ in preflight(request) },
          { request, _ in rejection(of: request, for: resource.readers) },
        ]
      ) { request, identifier, reply in answer(request, resource, identifier, reply) }
    }
  }

  /// The answer to a request that may not ask this, or not so often.
  private func rejection(
    of request: borrowing Request, for readers: ReadResource.Readers
  ) -> Response? {
    if readers == .apps, configuration.areMappingsOpen {
      let client = configuration.trustedProxies.client(of: request)
      guard case .failure(let limited) = limiter.admit(client) else { return nil }
      return Problem.limited(limited).response.adding(headers(for: request))
    }
    return context.access.rejectionToRead(request)?.response.adding(headers(for: request))
  }

  /// The headers of every answer for caches and browsers.
  private func headers(for request: borrowing Request) -> [Response.Header] {
    common + crossOrigin.headers(for: request.header("Origin"))
  }

  /// The answer to a browser that asks whether it may ask; it has no token yet.
  private func preflight(_ request: borrowing Request) -> Response? {
    guard request.method == .options else { return nil }
    let method = request.header("Access-Control-Request-Method")
    let vary = crossOrigin.isOn ? [Response.Header("Vary", "Origin")] : []
    return Response(
      status: 204,
      headers: [Response.Header("Allow", "GET, HEAD, OPTIONS")] + vary
        + crossOrigin.preflight(for: request.header("Origin"), method: method))
  }

  private func answer(
    _ request: borrowing Request, _ resource: ReadResource, _ identifier: String,
    _ reply: consuming MeteredReply
  ) {
    let headers = headers(for: request)
    let question: ReadQuestion
    let job: ReadResource.Job
    switch Self.question(request, resource, identifier) {
    case .success(let read): (question, job) = read
    case .failure(let problem): return reply.send(problem.response.adding(headers))
    }
    let pending = PendingReply(reply)
    let pool = resource.readers == .apps ? appPool : pool
    pool.answer(request.sender) { [self] turn in
      switch turn {
      case .come:
        let isLarge = send(pending, question, resource, job, headers)
        if isLarge { releaseFreeMemory() }
      case .stopping: pending.send(Problem.rejected(.stopping).response.adding(headers))
      case .tooMany: pending.send(Problem.tooManyReads.response.adding(headers))
      }
    }
  }

  /// Answers a question.
  ///
  /// - Returns: Whether that took much memory, which no owner holds any more.
  private func send(
    _ reply: PendingReply, _ question: ReadQuestion, _ resource: ReadResource, _ job: ReadResource.Job,
    _ headers: [Response.Header]
  ) -> Bool {
    let (response, textBytes) = response(to: question, resource, job)
    // An answer that caches may keep has the header for it.
    let isKept = response.headers.contains { $0.name == "Cache-Control" }
    reply.send(response.adding(isKept ? headers.filter { $0.name != "Cache-Control" } : headers))
    return textBytes >= Self.largeText
  }

  /// The headers of every answer for caches, which may keep it for its reader but have to ask whether it still holds.
  private var common: [Response.Header] {
    [
      .init("Cache-Control", "no-cache, private"),
      .init("Vary", "Authorization, Accept, Accept-Encoding" + (crossOrigin.isOn ? ", Origin" : "")),
    ]
  }

  private static func question(
    _ request: borrowing Request, _ resource: ReadResource, _ identifier: String
  ) -> Result<(ReadQuestion, ReadResource.Job), Problem> {
    let items = request.queryItems
    do throws(ParameterError) {
      var words = try Self.words(items, allowing: resource.parameters)
      let named = words.removeValue(forKey: "format")
      let limit = words.removeValue(forKey: "limit")
      let cursor = words.removeValue(forKey: "cursor")
      guard let format = try Self.format(named, request.headers("Accept"), resource.formats) else {
        let types = resource.formats.map { $0.mediaTypes[0] }
        return .failure(.notAcceptable(types))
      }
      let question = ReadQuestion(
        words: words, identifier: identifier, format: format,
        limit: try limit.map(Self.limit) ?? resource.paging?.usual ?? .max,
        cursor: cursor,
        items: items, knownTags: request.headers("If-None-Match"),
        takesGzip: ContentChoice.takesGzip(request))
      return .success((question, try resource.job(for: question)))
    } catch {
      return .failure(.badParameter(error.name, error.detail.english))
    }
  }

  private static func words(
    _ items: [(name: String, value: String)], allowing names: [String]
  ) throws(ParameterError) -> [String: String] {
    var words: [String: String] = [:]
    for (name, value) in items {
      guard names.contains(name) else {
        throw .unknown(name, among: names)
      }
      guard words.updateValue(value, forKey: name) == nil else {
        throw ParameterError(name, Sentence("found it twice; give several values as a,b."))
      }
    }
    return words
  }

  private static func limit(_ text: String) throws(ParameterError) -> Int {
    let kind = ValueKind.integer(1...10_000)
    guard kind.allows(text), let number = Int(text) else { throw .unfit("limit", found: text, kind) }
    return number
  }

  /// The form that the query names, or else the one that Accept likes best; nil where it likes none.
  private static func format(
    _ text: String?, _ accept: [String], _ formats: [Format]
  ) throws(ParameterError) -> Format? {
    guard let text else { return ContentChoice(accept).format(among: formats) }
    guard let format = formats.first(where: { $0.rawValue == text }) else {
      throw .unfit("format", found: text, .choice(formats.map(\.rawValue)))
    }
    return format
  }

  private func response(
    to question: ReadQuestion, _ resource: ReadResource, _ job: ReadResource.Job
  ) -> (response: Response, textBytes: Int) {
    let clock = ContinuousClock()
    // Half of the time, so that a page that ends early still has time to be written.
    let late = clock.now + .milliseconds(Int64(configuration.readSeconds * 500))
    pages.removeOld()
    do {
      let reader = try LedgerReader(path: context.database, endingAfterSeconds: configuration.readSeconds)
      let surroundings = ReadResource.ReadContext(
        reader: reader, keyring: keyring, alerts: context.alerts.records, now: context.clock(), pages: pages,
        isLate: { clock.now > late }, keeper: context.keeper, shared: shared,
        noteMapping: { [figures = context.figures, clock = context.clock] app, effectiveFrom, digest in
          figures.note(.init(app: app, effectiveFrom: effectiveFrom, digest: digest), at: clock())
        })
      guard let answer = try job(surroundings) else {
        return (Problem.notFound(resource.missing).response, 0)
      }
      let response = Self.response(
        to: question, with: answer, adding: headers(of: answer, for: resource.readers))
      return (response, answer.text.utf8.count)
    } catch let error as ParameterError {
      return (Problem.badParameter(error.name, error.detail.english).response, 0)
    } catch LedgerError.tookTooLong {
      return (Problem.tookTooLong.response, 0)
    } catch let error as any UserFacingError {
      return (Problem.notReadable(error.message).response, 0)
    } catch {
      return (Problem.estimateFailed("\(error)").response, 0)
    }
  }

  /// The headers of an answer that caches may keep or that is signed.
  private func headers(
    of answer: ReadResource.Answer, for readers: ReadResource.Readers
  ) -> [Response.Header] {
    var headers: [Response.Header] = []
    if let freshness = answer.freshness {
      let scope = configuration.areMappingsOpen && readers == .apps ? "public" : "private"
      let age = freshness.seconds > 0 ? "max-age=\(freshness.seconds)" : "no-cache"
      headers.append(.init("Cache-Control", "\(scope), \(age)"))
      headers.append(.init("Last-Modified", freshness.lastModified.httpDate))
    }
    if readers == .apps, let signature = context.mappingSignature?(Array(answer.text.utf8)) {
      headers.append(.init("Skan-Mapping-Signature", signature))
    }
    return headers
  }

  private static func response(
    to question: ReadQuestion, with answer: ReadResource.Answer, adding more: [Response.Header]
  ) -> Response {
    let body = Array(answer.text.utf8)
    let link = answer.next.map { "<\(question.address(ofNext: $0))>; rel=\"next\"" }
    let isPacked = question.takesGzip && body.count >= ContentCoding.longBody
    let tag = EntityTag(of: body, link: link, isPacked: isPacked)
    let tagHeader = Response.Header("ETag", tag.text)
    if tag.isAmong(question.knownTags) { return Response(status: 304, headers: [tagHeader] + more) }
    var headers = [Response.Header("Content-Type", question.format.contentType), tagHeader] + more
    if let link { headers.append(.init("Link", link)) }
    let response = Response(status: 200, headers: headers, body: body)
    return isPacked ? response.packed : response
  }
}
