package import HTTPServer

/// Answers the requests of an address: the path decides first, then the method, then the guards of the route.
package struct Router: Sendable {
  package let routes: RouteTable
  private let meter: RequestMeter

  package init(routes: RouteTable, meter: RequestMeter) {
    self.routes = routes
    self.meter = meter
  }

  package func answer(_ request: borrowing Request, _ plainReply: consuming Reply) {
    let found = routes.route(of: request.path)
    let reply = MeteredReply(plainReply, found?.route.figures ?? .other, meter)
    guard let (route, name) = found else { return reply.send(HTTPRoute.nothing) }
    guard route.methods.isEmpty || route.methods.contains(request.method) else {
      return reply.send(Problem.methodNotAllowed(route.methods).response.adding(route.headers(request)))
    }
    for check in route.guards {
      if let response = check(request, name) { return reply.send(response) }
    }
    route.handler(request, name, reply)
  }

  /// Counts and writes what the server answers by itself.
  package func rejection(_ rejection: RequestRejection, of path: String) -> Response {
    meter.record(routes.route(of: path)?.route.figures ?? .other, rejection.status, nil)
    return Problem.rejected(rejection).response.withoutSniffing
  }
}
