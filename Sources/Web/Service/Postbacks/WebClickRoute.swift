import HTTPServer
package import Intake
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

  private static let stored = PreparedResponse(Response(status: 200))

  private let intake: PostbackIntake
  private let counters: Counters
  private let quota: ClientTag
  private let proxies: TrustedProxies
  private let limiter: RateLimiter

  package init(
    intake: PostbackIntake, counters: Counters, quota: ClientTag, proxies: TrustedProxies,
    limiter: RateLimiter
  ) {
    self.intake = intake
    self.counters = counters
    self.quota = quota
    self.proxies = proxies
    self.limiter = limiter
  }

  package var route: HTTPRoute {
    HTTPRoute(
      path: Self.path, figures: .web, methods: [.post], bodyLimit: WebClick.byteLimit,
      guards: [
        { request, _ in
          limiter.rejection(of: proxies.client(of: request)).map { Problem.limited($0).response }
        }
      ]
    ) { request, _, reply in answer(request, reply) }
  }

  private func answer(_ request: borrowing Request, _ reply: consuming MeteredReply) {
    let client = proxies.client(of: request)
    let body = request.body
    guard body != ReceptionProbe.body else { return reply.send(Problem.probe.response) }
    let reading = Result { () throws(PostbackDefect) in try WebClick(body) }
    let pending = PendingReply(reply)
    intake.store(reading, of: body, quotaSource: quota.tag(of: client)) { [counters] result in
      switch (result, reading) {
      case (.success(let commitment), .success):
        counters.count(commitment)
        pending.send(Self.stored)
      case (.success(let commitment), .failure(let defect)):
        counters.count(commitment)
        pending.send(Problem.notAWebClick(defect).response)
      case (.failure(let error), _):
        counters.countFailure()
        pending.send(Problem.notStored("\(error)").response)
      }
    }
    if case .failure = reading { limiter.countRejected(client) }
  }
}
