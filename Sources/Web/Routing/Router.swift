package import HTTPServer

/// Answers the requests of an address: the path decides first, then the method, then the guards of the route.
package struct Router: Sendable {
  /// Writes a problem for whoever asked.
  package typealias Answer = @Sendable (_ problem: Problem, _ request: borrowing Request) -> Response

  package let routes: RouteTable
  private let meter: RequestMeter
  private let write: Answer

  /// Makes a router; `write` answers with the problems that it and the server find themselves.
  package init(
    routes: RouteTable, meter: RequestMeter, write: @escaping Answer = { problem, _ in problem.response }
  ) {
    self.routes = routes
    self.meter = meter
    self.write = write
  }

  package func answer(_ request: borrowing Request, _ plainReply: consuming Reply) {
    let found = routes.route(of: request.path)
    let reply = MeteredReply(plainReply, found?.route.figures ?? .other, meter)
    guard let (route, name) = found else { return reply.send(write(HTTPRoute.nothingHere, request)) }
    guard route.methods.isEmpty || route.methods.contains(request.method) else {
      return reply.send(write(.methodNotAllowed(route.methods), request).adding(route.headers(request)))
    }
    for check in route.guards {
      if let response = check(request, name) { return reply.send(response) }
    }
    route.handler(request, name, reply)
  }

  /// Counts and writes what the server answers by itself.
  package func rejection(_ rejection: RequestRejection, of request: borrowing Request) -> Response {
    meter.record(routes.route(of: request.path)?.route.figures ?? .other, rejection.status, nil)
    return write(.rejected(rejection), request).withoutSniffing
  }
}
