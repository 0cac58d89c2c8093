import Alerts
import HTTPServer
import Ledger
import Platform

/// What operators ask: is it alive, can it store, how is it doing.
struct OperateRoute: Sendable {
  let ledger: PostbackLedger
  let counters: Counters
  let alerts: AlertBoard
  /// Set once the server runs; the server and its routes need each other.
  let serverCounters = Guarded<(@Sendable () -> ServerCounters)?>(nil)

  init(ledger: PostbackLedger, counters: Counters, alerts: AlertBoard) {
    self.ledger = ledger
    self.counters = counters
    self.alerts = alerts
  }

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
    let metrics = Metrics(
      counters: counters, ledger: ledger.statistics, server: read?(), alerts: alerts.firing)
    return Response(status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", text: metrics.text)
  }
}
