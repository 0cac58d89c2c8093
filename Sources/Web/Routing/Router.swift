package import HTTPServer

/// Answers the requests of an address: the path decides first, then the method, then the guards of the route.
///
/// All of it decides by the head, before the body is there.
package struct Router: Sendable {
  /// Writes a problem for the client.
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
    // A guard can count a request, so it is asked once.
    if !request.isAdmitted, let response = rejection(of: request, by: route, name) {
      return reply.send(response)
    }
    route.handler(request, name, reply)
  }

  /// Decides whether the body of a request may come.
  package func admission(of request: borrowing Request) -> BodyAdmission {
    let found = routes.route(of: request.path)
    let response =
      if let (route, name) = found {
        rejection(of: request, by: route, name)
      } else {
        write(HTTPRoute.nothingHere, request)
      }
    if let response {
      meter.record(found?.route.figures ?? .other, response.status, nil)
      return .answered(response.withoutSniffing)
    }
    guard request.method == .post, let route = found?.route else {
      return .admitted(limit: HTTPRoute.usualBodyLimit)
    }
    return .admitted(limit: route.bodyLimit)
  }

  /// Whose a request is, where it is no holder's the client's by its address.
  package func sender(of request: borrowing Request, behind proxies: TrustedProxies) -> RequestSender {
    if let (route, name) = routes.route(of: request.path), let holder = route.holder(request, name) {
      return .holder(holder)
    }
    return .stranger(proxies.client(of: request).subscriber)
  }

  /// The answer to a request that does not get to the handler.
  private func rejection(of request: borrowing Request, by route: HTTPRoute, _ name: String) -> Response? {
    guard route.methods.isEmpty || route.methods.contains(request.method) else {
      return write(.methodNotAllowed(route.methods), request).adding(route.headers(request))
    }
    for check in route.guards {
      if let response = check(request, name) { return response }
    }
    return nil
  }

  /// Counts and writes what the server answers by itself.
  package func rejection(_ rejection: RequestRejection, of request: borrowing Request) -> Response {
    meter.record(routes.route(of: request.path)?.route.figures ?? .other, rejection.status, nil)
    return write(.rejected(rejection), request).withoutSniffing
  }
}
