package import Configuration
package import HTTPServer
package import Intake
package import Ledger
package import Routing
import System
package import Values

/// The daemon's HTTP surface: which path is whose, and the one shape of errors.
package final class PostbackService: Sendable {
  private let server: Server
  private let metricsServer: Server?
  private let operate: OperateRoute
  private let queue: BatchQueue
  private let read: ReadRoute
  /// Counts the requests of every address.
  package let meter: RequestMeter
  /// What the service's address answers.
  let routes: RouteTable

  /// Where the service listens.
  package var address: HostPort { server.address }

  /// Where `/metrics` and `/readyz` are; `nil` where they have no address of their own.
  package var metricsAddress: HostPort? { metricsServer?.address }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - intake: Where postbacks go.
  ///   - ledger: The ledger behind the intake, for its figures.
  /// - Throws: ``ListenError`` when the address can't be had; `OpenSSLError` when there is no randomness;
  ///   `ThreadError` when a thread can't start.
  package init(
    _ configuration: ServiceConfiguration, _ context: ServiceContext, intake: PostbackIntake,
    ledger: PostbackLedger,
    counters: Counters = Counters(), resources: [ReadResource]
  ) throws {
    let proxies = configuration.trustedProxies
    let limiter = RateLimiter(configuration.file.limits, proxies: proxies, clock: context.clock)
    let meter = RequestMeter()
    self.meter = meter
    queue = try BatchQueue(threads: configuration.threads - 1)
    let quota = try ClientTag()
    let reception = OpenReception(
      intake: intake, counters: counters, quota: quota, proxies: proxies, limiter: limiter)
    let device = DeviceRoute(reception, networkHosts: configuration.networkHosts)
    let inbox = InboxRoute(reception, access: context.access, clock: context.clock)
    let forward = ForwardRoute(reception, access: context.access, queue: queue, clock: context.clock)
    read = try ReadRoute(
      configuration, context, keyring: intake.keyring, limiter: limiter, resources: resources)
    operate = OperateRoute(
      ledger: ledger, counters: counters, database: context.database, version: context.version, meter: meter,
      limiter: limiter, alerts: context.alerts, figures: context.figures,
      keeper: context.keeper, clock: context.clock)
    let purchases = context.purchases.map { [queue] in PurchaseRoute($0, reception, queue: queue).route }
    let own =
      device.routes + [inbox.route] + forward.routes + [purchases].compactMap(\.self) + read.routes
    let figures = operate.figureRoutes
    let router = Router(
      routes: RouteTable(
        own + [operate.healthRoute] + (configuration.metrics == .same ? figures : figures.map(\.closed))),
      meter: meter)
    routes = router.routes
    var server = ServerOptions(address: configuration.listen)
    server.threads = configuration.threads
    server.connectionsPerAddress = configuration.connectionsPerAddress
    server.identity = context.identity
    server.admission = { request in router.admission(of: request) }
    server.sender = { request in router.sender(of: request, behind: proxies) }
    server.isProxy = { proxies.contains($0) }
    server.rejection = { rejection, request in router.rejection(rejection, of: request) }
    if case .address(let address) = configuration.metrics {
      var options = ServerOptions(address: address)
      options.threads = 1
      options.rejection = server.rejection
      let router = Router(
        routes: RouteTable(own.map(\.closed) + [operate.healthRoute] + figures), meter: meter)
      options.admission = { request in router.admission(of: request) }
      metricsServer = try Server(options) { request, reply in router.answer(request, reply) }
    } else {
      metricsServer = nil
    }
    self.server = try Server(server) { request, reply in router.answer(request, reply) }
    operate.serverCounters.withLock { [server = self.server] in $0 = { server.counters } }
    operate.noteListening()
  }

  /// Shows other certificates to new connections; without effect where the service uses plain HTTP.
  package func use(_ identity: TLSIdentity) { server.use(identity) }

  /// Stops accepting and lets open requests end.
  ///
  /// - Parameter seconds: How long to wait for them.
  /// - Returns: Whether all of them had their end in that time.
  @discardableResult
  package func stop(withinSeconds seconds: Double) -> Bool {
    operate.serverCounters.withLock { $0 = nil }
    read.close()
    let areAllAnswered = server.stop(withinSeconds: seconds)
    queue.close(withinSeconds: 1)
    read.join(withinSeconds: 1)
    // Last, so that figures are there while requests end.
    metricsServer?.stop(withinSeconds: 1)
    return areAllAnswered
  }
}
