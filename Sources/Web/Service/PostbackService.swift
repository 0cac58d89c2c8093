public import Alerts
public import HTTPServer
public import Intake
public import Ledger
public import System
public import Values
import Verification

/// How the service is set up.
public struct ServiceOptions: Sendable {
  /// The server's own settings; its limits and refusals are set by the service.
  public var server: ServerOptions
  /// The database file, for reading reports.
  public var database: String
  /// Hosts that stand for an ad network's registered address, in lower case.
  public var networkHosts: Set<String> = []
  /// Who may forward and who may read.
  public var access = Access()
  /// The proxies that may say for whom they ask.
  public var trustedProxies = TrustedProxies()
  /// How much one client or network may send.
  public var limits = RateLimits()
  /// The origins of pages that a browser lets read, such as `https://dash.example`; none for no other site's.
  public var corsOrigins: Set<String> = []
  /// How many questions of readers are answered at once, at least 1; others wait.
  public var readThreads = 2
  /// Seconds after which the database's part of an answer ends.
  public var readSeconds = 30.0
  /// The version of the program, for the figures.
  public var version = ""
  /// Tells the time, for limits and signatures.
  public var clock: WallClock = systemClock

  /// The alerts that are shown.
  public var alerts = AlertBoard()
  /// Figures that others find out.
  public var figures = OperatorFigures()
  /// Where `/metrics` and `/readyz` are.
  public var metrics = MetricsPlace.same

  /// Takes the defaults for everything but the address and the file.
  public init(server: ServerOptions, database: String) {
    self.server = server
    self.database = database
  }
}

/// Where `/metrics` and `/readyz` are answered; `/healthz` is on the port of devices in any case.
public enum MetricsPlace: Hashable, Sendable {
  /// On the port of devices.
  case same
  /// Nowhere.
  case none
  /// On an address of their own, in plain HTTP.
  case address(HostPort)
}

/// The daemon's HTTP surface: which path is whose, and the one shape of errors.
public final class PostbackService: Sendable {
  private let server: Server
  private let metricsServer: Server?
  private let operate: OperateRoute
  private let line: BatchLine
  private let read: ReadRoute

  /// Where the service listens.
  public var address: HostPort { server.address }

  /// Where `/metrics` and `/readyz` are; `nil` where they have no address of their own.
  public var metricsAddress: HostPort? { metricsServer?.address }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - options: How the service is set up.
  ///   - intake: Where postbacks go.
  ///   - ledger: The ledger behind the intake, for its figures.
  ///   - counters: What is counted.
  /// - Throws: ``ListenError`` when the address can't be had; ``OpenSSLError`` when there is no randomness;
  ///   `ThreadError` when a thread can't start.
  public convenience init(
    _ options: ServiceOptions, intake: PostbackIntake, ledger: PostbackLedger, counters: Counters = Counters()
  ) throws {
    try self.init(options, intake: intake, ledger: ledger, counters: counters, resources: ReadResource.all)
  }

  /// Starts to listen, with resources of its own for readers.
  init(
    _ options: ServiceOptions, intake: PostbackIntake, ledger: PostbackLedger,
    counters: Counters = Counters(),
    resources: [ReadResource]
  ) throws {
    let limiter = RateLimiter(options.limits, proxies: options.trustedProxies, clock: options.clock)
    let meter = RequestMeter()
    line = try BatchLine(threads: options.server.threads - 1)
    let router = Router(
      device: DeviceRoute(
        intake: intake, counters: counters, quota: try QuotaSource(), networkHosts: options.networkHosts,
        proxies: options.trustedProxies, limiter: limiter),
      forward: ForwardRoute(
        intake: intake, counters: counters, access: options.access, limiter: limiter, line: line,
        clock: options.clock),
      read: try ReadRoute(options, keyring: intake.keyring, resources: resources),
      operate: OperateRoute(
        ledger: ledger, counters: counters, database: options.database, version: options.version,
        meter: meter, limiter: limiter, alerts: options.alerts, figures: options.figures,
        clock: options.clock),
      showsFigures: options.metrics == .same, meter: meter)
    var server = options.server
    server.bodyLimit = { _, path in
      ForwardRoute.network(in: path) == nil ? DeviceRoute.bodyLimit : ForwardRoute.bodyLimit
    }
    server.isProxy = { [proxies = options.trustedProxies] in proxies.contains($0) }
    server.refusal = { refusal, request in
      meter.record(Router.route(of: Router.plain(request.path)), refusal.status, nil)
      return Problem.refused(refusal).response.withoutSniffing
    }
    if case .address(let address) = options.metrics {
      var own = ServerOptions(address: address)
      own.threads = 1
      own.refusal = server.refusal
      metricsServer = try Server(own) { request, reply in router.answerOperator(request, reply) }
    } else {
      metricsServer = nil
    }
    self.server = try Server(server) { request, reply in router.answer(request, reply) }
    read = router.read
    operate = router.operate
    operate.serverCounters.withLock { [server = self.server] in $0 = { server.counters } }
    operate.noteListening()
  }

  /// Shows other certificates to new connections; without effect where the service speaks plain HTTP.
  public func use(_ identity: TLSIdentity) { server.use(identity) }

  /// Stops accepting and lets open requests end.
  ///
  /// - Parameter seconds: How long to wait for them.
  /// - Returns: Whether all of them had their end in that time.
  @discardableResult
  public func stop(withinSeconds seconds: Double) -> Bool {
    operate.serverCounters.withLock { $0 = nil }
    read.close()
    let areAllAnswered = server.stop(withinSeconds: seconds)
    line.close()
    // Last, so that figures are there while requests end.
    metricsServer?.stop(withinSeconds: 1)
    return areAllAnswered
  }
}
