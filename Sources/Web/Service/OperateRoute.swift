import Campaigns
import HTTPServer
import Intake
import Ledger
import Routing
import System

/// What operators ask: is it alive, can it store, how is it doing.
struct OperateRoute: Sendable {
  let ledger: PostbackLedger
  let counters: Counters
  /// The database file, of which only the size is asked, so that figures come while it is locked or gone.
  let database: String
  let version: String
  let meter: RequestMeter
  let limiter: RateLimiter
  let alerts: AlertSnapshot
  let figures: OperatorFigures
  let keeper: PartKeeper
  let clock: WallClock
  /// Set once the server runs; the server and its routes need each other.
  let serverCounters = Guarded<(@Sendable () -> ServerCounters)?>(nil)
  /// Seconds from the start of the process until it listened; nil before.
  private let startSeconds = Guarded<Double?>(nil)

  init(
    ledger: PostbackLedger, counters: Counters, database: String, version: String, meter: RequestMeter,
    limiter: RateLimiter, alerts: AlertSnapshot, figures: OperatorFigures, keeper: PartKeeper,
    clock: @escaping WallClock
  ) {
    self.ledger = ledger
    self.counters = counters
    self.database = database
    self.version = version
    self.meter = meter
    self.limiter = limiter
    self.alerts = alerts
    self.figures = figures
    self.keeper = keeper
    self.clock = clock
  }

  var healthRoute: HTTPRoute { route("/healthz", .healthz) { health } }

  /// What strangers need not see.
  var figureRoutes: [HTTPRoute] {
    [route("/readyz", .readyz) { readiness }, route("/metrics", .metrics) { metrics }]
  }

  private func route(
    _ path: String, _ figures: RouteName, _ response: @escaping @Sendable () -> Response
  ) -> HTTPRoute {
    HTTPRoute(path: path, figures: figures, methods: [.get, .head]) { _, _, reply in reply.send(response()) }
  }

  /// Takes note that the service listens.
  func noteListening() { startSeconds.withLock { $0 = ProcessFigures.ageSeconds } }

  var health: Response { Response(status: 200, contentType: "text/plain; charset=utf-8", text: "ok\n") }

  /// Ready unless a transaction failed just now and none succeeded since.
  ///
  /// The failure is forgotten after ten seconds: without new traffic nothing else would show that all is well again.
  var readiness: Response {
    let isStoring = ledger.statistics.lastFailure.map { wallMicroseconds() - $0 > 10e6 } ?? true
    return Response(
      status: isStoring ? 200 : 503, contentType: "text/plain; charset=utf-8",
      text: isStoring ? "ready\n" : "not ready: the last write to the database failed\n")
  }

  var metrics: Response {
    let read = serverCounters.withLock { $0 }
    var metrics = Metrics(
      counters: counters, ledger: ledger.statistics, server: read?(), alerts: alerts)
    metrics.add(requests: meter)
    metrics.add(limits: limiter)
    metrics.add(ledger: ledger, database: database)
    metrics.add(operation: figures.reading, networks: ledger.networkMoments, now: clock())
    metrics.add(relays: figures.reading.relays, now: clock())
    metrics.add(pulls: figures.reading.pulls)
    metrics.add(estimates: keeper)
    metrics.addProcess(version: version, startSeconds: startSeconds.withLock { $0 })
    return Response(status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", text: metrics.text)
  }
}
