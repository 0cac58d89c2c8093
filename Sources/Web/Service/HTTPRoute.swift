import HTTPServer

/// A path of the service: what it is in the figures, what may be asked there, and who answers.
struct HTTPRoute: Sendable {
  /// Answers a request that goes no further; `nil` lets it pass.
  typealias Guard = @Sendable (_ request: borrowing Request, _ name: String) -> Response?
  /// Answers a request that passed all guards.
  typealias Handler =
    @Sendable (_ request: borrowing Request, _ name: String, _ reply: consuming MeteredReply) -> Void

  /// The path; a part in braces stands for any name, which guards and handler get, and the last part for any rest.
  let path: String
  /// What the figures count it as.
  let figures: RouteName
  /// The methods that are taken; none for any.
  let methods: [Method]
  /// Bytes of a body at most.
  var bodyLimit = DeviceRoute.bodyLimit
  /// Header lines of an answer to a method that is not taken.
  var headers: @Sendable (_ request: borrowing Request) -> [Response.Header] = { _ in [] }
  /// Asked in order before the handler.
  var guards: [Guard] = []
  let handler: Handler

  /// The same path where nothing is, as for those who must not see it.
  var closed: HTTPRoute {
    HTTPRoute(path: path, figures: figures, methods: [], bodyLimit: bodyLimit) { _, _, reply in
      reply.send(HTTPRoute.nothing)
    }
  }

  /// The answer of paths without a route.
  static var nothing: Response {
    Problem.notFound("The available paths are in `skan help serve`.").response
  }
}
