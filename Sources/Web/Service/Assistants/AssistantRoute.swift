import Assistants
import HTTPServer
import Pages
import Routing
import System

/// Where assistants ask: one path of the pages' address, with a reader's token.
///
/// Each message is a request of its own, answered with JSON. There are no sessions and no streams, so a GET is answered 405.
/// Source: Model Context Protocol 2025-03-26 to 2026-07-28, "Streamable HTTP".
struct AssistantRoute: Sendable {
  static let path = "/mcp"
  /// Bytes of an answer after which memory is given back.
  private static let largeBody = 1 << 20

  private let server: AssistantServer
  private let pages: PageRoutes
  private let pool: ReaderPool

  /// - Throws: ``ThreadError`` when a thread can't start.
  init(_ server: AssistantServer, beside pages: PageRoutes) throws(ThreadError) {
    self.server = server
    self.pages = pages
    // One thread: an assistant waits for each answer, and pages have the other processor.
    pool = try ReaderPool(threads: 1)
  }

  /// Turns away what waits; what is being answered goes on.
  func close() { pool.close() }

  /// Waits a while for what is being answered, after ``close()``.
  func join(withinSeconds seconds: Double) { pool.join(withinSeconds: seconds) }

  var route: HTTPRoute {
    HTTPRoute(
      path: Self.path, figures: .assistants, methods: [],
      holder: { [pages] request, _ in pages.holder(ofToken: request) },
      guards: [
        { [pages] request, _ in pages.problemOfOrigin(request)?.response },
        { request, _ in request.method == .post ? nil : Problem.methodNotAllowed([.post]).response },
        { [pages] request, _ in pages.problemOfToken(request)?.response },
        { request, _ in
          let type = request.header("Content-Type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
          return type == "application/json"
            ? nil : Problem.unsupportedMediaType("Send Content-Type: application/json.").response
        },
      ]
    ) { request, _, reply in answer(request, reply) }
  }

  private func answer(_ request: borrowing Request, _ reply: consuming MeteredReply) {
    let body = request.body
    let metadata = RequestMetadata(
      revision: request.header("MCP-Protocol-Version"), method: request.header("Mcp-Method"),
      name: request.header("Mcp-Name"))
    let takesGzip = ContentChoice.takesGzip(request)
    let pending = PendingReply(reply)
    pool.answer(request.sender) { [server] turn in
      switch turn {
      case .stopping: return pending.send(Problem.rejected(.stopping).response)
      case .tooMany: return pending.send(Problem.tooManyReads.response)
      case .come: break
      }
      let answer = server.answer(body, metadata)
      pending.send(Self.response(answer, takesGzip: takesGzip))
      if answer.body?.count ?? 0 >= Self.largeBody { releaseFreeMemory() }
    }
  }

  private static func response(_ answer: AssistantServer.Answer, takesGzip: Bool) -> Response {
    let noStore = Response.Header("Cache-Control", "no-store")
    guard let body = answer.body else { return Response(status: answer.status, headers: [noStore]) }
    let response = Response(
      status: answer.status, headers: [.init("Content-Type", "application/json"), noStore], body: body)
    return takesGzip && body.count >= ContentCoding.longBody ? response.packed : response
  }
}
