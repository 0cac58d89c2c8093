import HTTPServer
package import Intake
import Ledger
import Postbacks
package import Routing
import Verification

/// What routes share that take bodies from any sender: who it is, what it may send, and the answer once its body is on disk.
///
/// A class for the same reason as ``HTTPRoute``: each request refers to it until its body is stored.
package final class OpenReception: Sendable {
  private static let stored = PreparedResponse(Response(status: 200))

  let intake: PostbackIntake
  let counters: Counters
  let limiter: RateLimiter
  private let quota: ClientTag
  private let proxies: TrustedProxies

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

  func client(of request: borrowing Request) -> ClientAddress { proxies.client(of: request) }

  /// Whose quota a rejected body counts in.
  func quotaSource(of client: ClientAddress) -> String { quota.tag(of: client) }

  /// Turns a client away that sends more than it may.
  func limitGuard(_ request: borrowing Request) -> Response? {
    limiter.rejection(of: client(of: request)).map { Problem.limited($0).response }
  }

  /// Answers 200, or why a body gets none, once it is on disk; 503 where it can't be stored.
  ///
  /// - Parameter isCounted: Whether what was stored is in the figures of what devices and networks send.
  func answer(
    _ result: Result<Commitment, LedgerError>, _ problem: Problem?, isCounted: Bool = true,
    _ reply: PendingReply
  ) {
    switch result {
    case .success(let commitment):
      if isCounted { counters.count(commitment) }
      if let problem { reply.send(problem.response) } else { reply.send(Self.stored) }
    case .failure(let error):
      counters.countFailure()
      reply.send(Problem.notStored("\(error)").response)
    }
  }
}
