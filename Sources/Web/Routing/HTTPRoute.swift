package import HTTPServer

/// A path of the service: what it is in the figures, what may be asked there, and who answers.
///
/// A class, because each request finds its route twice, and a copy of the value would count a use of each of its parts, in
/// numbers that all threads share.
package final class HTTPRoute: Sendable {
  /// Answers a request that goes no further; `nil` lets it pass.
  package typealias Guard = @Sendable (_ request: borrowing Request, _ name: String) -> Response?
  /// The name of who holds the token or the session of a request.
  package typealias Holder = @Sendable (_ request: borrowing Request, _ name: String) -> String?
  /// Answers a request that passed all guards.
  package typealias Handler =
    @Sendable (_ request: borrowing Request, _ name: String, _ reply: consuming MeteredReply) -> Void

  /// The path; a part in braces stands for any name, which guards and handler get, and the last part for any rest.
  package let path: String
  package let figures: RouteName
  /// The methods that are taken; none for any.
  package let methods: [Method]
  /// Bytes of the body of a POST at most; other methods have no use for one.
  package let bodyLimit: Int
  /// Who holds the token or session of a request that passed the guards; `nil` where there is none.
  package let holder: Holder
  /// Header lines of an answer to a method that is not taken.
  package let headers: @Sendable (_ request: borrowing Request) -> [Response.Header]
  /// Asked in order before the handler and before a body is read, so what they ask of a request has to be in its head.
  package let guards: [Guard]
  let handler: Handler

  /// Bytes of a body at most where a route sets nothing else, or where there is none.
  static let usualBodyLimit = 65_536

  package init(
    path: String, figures: RouteName, methods: [Method], bodyLimit: Int = HTTPRoute.usualBodyLimit,
    holder: @escaping Holder = { _, _ in nil },
    headers: @escaping @Sendable (_ request: borrowing Request) -> [Response.Header] = { _ in [] },
    guards: [Guard] = [], handler: @escaping Handler
  ) {
    self.path = path
    self.figures = figures
    self.methods = methods
    self.bodyLimit = bodyLimit
    self.holder = holder
    self.headers = headers
    self.guards = guards
    self.handler = handler
  }

  /// The same path where nothing is, as for those who must not see it.
  package var closed: HTTPRoute {
    HTTPRoute(path: path, figures: figures, methods: [], bodyLimit: bodyLimit) { _, _, reply in
      reply.send(HTTPRoute.nothing)
    }
  }

  /// The answer of paths without a route.
  package static var nothing: Response { nothingHere.response }

  static var nothingHere: Problem { .notFound("The available paths are in `skan help serve`.") }
}
