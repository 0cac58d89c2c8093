import HTTPServer
import Intake
import Ledger
import Postbacks
package import Routing

/// Where browsers post reports of Private Click Measurement ("Web AdAttributionKit"): WebKit's fixed path.
///
/// The host is that of the app's `NSAdvertisingAttributionReportEndpoint`, or of the website itself, so the path is on
/// the devices' address. Nothing in a report is attested; limits and answers are those of devices.
package struct WebClickRoute: Sendable {
  /// The path, without the slash that follows on the wire.
  package static let path = "/.well-known/private-click-measurement/report-attribution"

  private let reception: OpenReception

  package init(_ reception: OpenReception) { self.reception = reception }

  package var route: HTTPRoute {
    HTTPRoute(
      path: Self.path, figures: .web, methods: [.post], bodyLimit: WebClick.byteLimit,
      guards: [{ request, _ in reception.limitGuard(request) }]
    ) { request, _, reply in answer(request, reply) }
  }

  private func answer(_ request: borrowing Request, _ reply: consuming MeteredReply) {
    let client = reception.client(of: request)
    let body = request.body
    guard body != ReceptionProbe.body else { return reply.send(Problem.probe.response) }
    let reading = Result { () throws(PostbackDefect) in try WebClick(body) }
    let pending = PendingReply(reply)
    var problem: Problem?
    if case .failure(let defect) = reading { problem = .notAWebClick(defect) }
    reception.intake.store(reading, of: body, quotaSource: reception.quotaSource(of: client)) {
      [reception, problem] result in reception.answer(result, problem, pending)
    }
    if problem != nil { reception.limiter.countRejected(client) }
  }
}
