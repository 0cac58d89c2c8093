package import HTTPServer
package import Intake
package import Ledger
package import Routing
package import System
package import Values

package struct ServiceOptions: Sendable {
  /// The server's own settings; its limits and rejections are set by the service.
  package var server: ServerOptions
  /// The database file, for reading reports.
  package var database: String
  /// Hosts that stand for an ad network's registered address, in lower case.
  package var networkHosts: Set<String> = []
  /// Who may forward and who may read.
  package var access = Access()
  /// Proxies whose X-Forwarded-For is trusted.
  package var trustedProxies = TrustedProxies()
  /// How much one client or network may send.
  package var limits = RateLimits()
  /// Origins of pages that may read, such as `https://dash.example`; empty: no cross-origin access.
  package var corsOrigins: Set<String> = []
  /// Whether apps get their mapping without a token.
  package var areMappingsOpen = false
  /// Signs the mappings that apps get; nil where they are not signed.
  package var mappingSignature: (@Sendable (_ body: [UInt8]) -> String?)?
  /// How many questions of readers are answered at once, at least 1; others wait.
  package var readThreads = 2
  /// Seconds after which the database's part of an answer ends.
  package var readSeconds = 30.0
  /// The version of the program, for the figures.
  package var version = ""
  /// The clock, for limits and signatures.
  package var clock: WallClock = systemClock

  package var alerts = AlertSnapshot()
  /// Figures that others find out.
  package var figures = OperatorFigures()
  /// Where `/metrics` and `/readyz` are.
  package var metrics = MetricsPlace.same

  /// Takes the defaults for everything but the address and the file.
  package init(server: ServerOptions, database: String) {
    self.server = server
    self.database = database
  }
}

/// Where `/metrics` and `/readyz` are answered; `/healthz` is on the port of devices in any case.
package enum MetricsPlace: Hashable, Sendable {
  /// On the port of devices.
  case same
  case none
  /// On an address of their own, in plain HTTP.
  case address(HostPort)
}

/// The daemon's HTTP surface: which path is whose, and the one shape of errors.
package final class PostbackService: Sendable {
  private let server: Server
  private let metricsServer: Server?
  private let operate: OperateRoute
  private let line: BatchQueue
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
    _ options: ServiceOptions, intake: PostbackIntake, ledger: PostbackLedger,
    counters: Counters = Counters(), resources: [ReadResource]
  ) throws {
    let limiter = RateLimiter(options.limits, proxies: options.trustedProxies, clock: options.clock)
    let meter = RequestMeter()
    self.meter = meter
    line = try BatchQueue(threads: options.server.threads - 1)
    let quota = try ClientTag()
    let device = DeviceRoute(
      intake: intake, counters: counters, quota: quota, networkHosts: options.networkHosts,
      proxies: options.trustedProxies, limiter: limiter)
    let web = WebClickRoute(
      intake: intake, counters: counters, quota: quota, proxies: options.trustedProxies, limiter: limiter)
    let inbox = InboxRoute(
      intake: intake, counters: counters, quota: quota, access: options.access,
      proxies: options.trustedProxies, limiter: limiter, clock: options.clock)
    let forward = ForwardRoute(
      intake: intake, counters: counters, access: options.access, limiter: limiter, line: line,
      clock: options.clock)
    var reading = ReadOptions(
      database: options.database, access: options.access, alerts: options.alerts, clock: options.clock)
    reading.origins = options.corsOrigins
    reading.threads = options.readThreads
    reading.seconds = options.readSeconds
    reading.areMappingsOpen = options.areMappingsOpen
    reading.signature = options.mappingSignature
    reading.limit = { [proxies = options.trustedProxies] request in
      guard case .failure(let limited) = limiter.admit(proxies.client(of: request)) else { return nil }
      return Problem.limited(limited).response
    }
    reading.noteMapping = { [figures = options.figures, clock = options.clock] app, effectiveFrom, digest in
      figures.note(.init(app: app, effectiveFrom: effectiveFrom, digest: digest), at: clock())
    }
    read = try ReadRoute(reading, keyring: intake.keyring, resources: resources)
    operate = OperateRoute(
      ledger: ledger, counters: counters, database: options.database, version: options.version, meter: meter,
      limiter: limiter, alerts: options.alerts, figures: options.figures, clock: options.clock)
    let own = device.routes + [web.route, inbox.route, forward.route] + read.routes
    let figures = operate.figureRoutes
    let router = Router(
      routes: RouteTable(
        own + [operate.healthRoute] + (options.metrics == .same ? figures : figures.map(\.closed))),
      meter: meter)
    routes = router.routes
    var server = options.server
    server.admission = { request in router.admission(of: request) }
    server.client = { [proxies = options.trustedProxies] request in proxies.client(of: request).subscriber }
    server.isProxy = { [proxies = options.trustedProxies] in proxies.contains($0) }
    server.rejection = { rejection, request in router.rejection(rejection, of: request) }
    if case .address(let address) = options.metrics {
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
    line.close(withinSeconds: 1)
    read.join(withinSeconds: 1)
    // Last, so that figures are there while requests end.
    metricsServer?.stop(withinSeconds: 1)
    return areAllAnswered
  }
}
