import HTTPServer

/// Finds who answers a request: first the path decides, then the method.
struct Router: Sendable {
  let device: DeviceRoute
  let forward: ForwardRoute
  let read: ReadRoute
  let operate: OperateRoute
  /// Whether `/metrics` and `/readyz` are among the paths of everybody.
  let showsFigures: Bool
  let meter: RequestMeter

  func answer(_ request: borrowing Request, _ plainReply: consuming Reply) {
    var reply = MeteredReply(plainReply, meter)
    let path = Self.plain(request.path)
    reply.route = Self.route(of: path)
    if reply.route == .device {
      guard request.method == .post else { return refuse(reply, .methodNotAllowed([.post])) }
      return device.answer(request, reply)
    }
    if let network = ForwardRoute.network(in: path) {
      guard request.method == .post else { return refuse(reply, .methodNotAllowed([.post])) }
      return forward.answer(request, network: network, reply)
    }
    if let (resource, identifier) = read.resource(at: path) {
      return read.answer(request, resource, identifier, reply)
    }
    if OperateRoute.answers(path), showsFigures || path == "/healthz" {
      return operate.answer(request, at: path, reply)
    }
    refuse(reply, Self.nothing)
  }

  /// Answers on the address of its own that `/metrics` and `/readyz` may have; nothing else is there.
  func answerOperator(_ request: borrowing Request, _ plainReply: consuming Reply) {
    var reply = MeteredReply(plainReply, meter)
    let path = Self.plain(request.path)
    reply.route = Self.route(of: path)
    guard OperateRoute.answers(path) else { return refuse(reply, Self.nothing) }
    operate.answer(request, at: path, reply)
  }

  private static let nothing = Problem.notFound("The available paths are in `skan help serve`.")

  /// The route that a path belongs to, for the figures.
  static func route(of path: String) -> RouteName {
    if DeviceRoute.paths.contains(path) { return .device }
    switch path {
    case "/healthz": return .healthz
    case "/readyz": return .readyz
    case "/metrics": return .metrics
    case "/v1/reports/campaigns": return .campaigns
    case "/v1/mappings": return .mappings
    case "/v1/alerts": return .alerts
    default:
      if ForwardRoute.network(in: path) != nil { return .network }
      if path.hasPrefix("/v1/reports/"), ReadResource.all.contains(where: { $0.path == path }) {
        return .report
      }
      return path.hasPrefix("/v1/postbacks/") ? .postback : .other
    }
  }

  /// Takes what stands around a path and means nothing off it.
  static func plain(_ path: String) -> String { withoutTrailingSlash(withoutAuthority(path)) }

  private func refuse(_ reply: consuming MeteredReply, _ problem: Problem) { reply.send(problem.response) }

  /// Takes scheme and host off a target in absolute form, which a server has to accept; RFC 9112, section 3.2.2.
  private static func withoutAuthority(_ target: String) -> String {
    guard target.hasPrefix("http://") || target.hasPrefix("https://") else { return target }
    let parts = target.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count == 4 ? "/" + parts[3] : "/"
  }

  private static func withoutTrailingSlash(_ path: String) -> String {
    path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
  }
}
