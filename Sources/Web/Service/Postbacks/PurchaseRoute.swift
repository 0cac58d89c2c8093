import HTTPServer
import Intake
import JSONText
import Ledger
import Postbacks
import Routing
import Verification

/// Where the App Store posts notifications of purchases: `/v1/purchases/notifications`.
///
/// The App Store takes 200 for received and tries again five times within a week otherwise, so 200 is answered once what
/// counts is on disk; what has nothing to count is answered 200 too. Any sender can post here: what counts is the signature
/// alone.
///
/// Source: Apple, "Responding to App Store Server Notifications".
struct PurchaseRoute: Sendable {
  static let path = "/v1/purchases/notifications"
  /// Whose turn it is among the batches of networks, which have no such names: a sender's that floods the path takes none
  /// of another's.
  private func sender(_ client: ClientAddress) -> String { "App Store \(reception.quotaSource(of: client))" }

  private let intake: PurchaseIntake
  private let reception: OpenReception
  private let queue: BatchQueue

  init(_ intake: PurchaseIntake, _ reception: OpenReception, queue: BatchQueue) {
    (self.intake, self.reception, self.queue) = (intake, reception, queue)
  }

  var route: HTTPRoute {
    HTTPRoute(
      path: Self.path, figures: .purchases, methods: [.post],
      guards: [{ request, _ in reception.limitGuard(request) }]
    ) { request, _, reply in answer(request, reply) }
  }

  private func answer(_ request: borrowing Request, _ reply: consuming MeteredReply) {
    let client = reception.client(of: request)
    let body = request.body
    let pending = PendingReply(reply)
    // A check of certificates takes some milliseconds, and so does the way to the disk.
    let isTaken = queue.judge(from: sender(client), bytes: body.count) { [self] in
      do throws(PurchaseRejection) {
        pending.send(store(try intake.verify(body)))
      } catch {
        reception.counters.count(purchase: .purchaseRejected)
        reception.limiter.countRejected(client)
        pending.send(Problem.purchase(error).response)
      }
    }
    if !isTaken { pending.send(Problem.notStored("too many notifications are queued").response) }
  }

  private func store(_ purchase: VerifiedPurchase) -> Response {
    do throws(LedgerError) {
      let effect = try intake.store(purchase)
      reception.counters.count(purchase: effect.figure)
      return effect.response
    } catch {
      reception.counters.countFailure()
      return Problem.notStored("\(error)").response
    }
  }
}

extension PurchaseIntake.Effect {
  fileprivate var figure: Counters.Figure {
    switch self {
    case .stored(.counted, _): .purchases
    case .stored(.repeated, _): .purchaseRepeats
    case .stored(.tooOld, _): .purchaseRejected
    case .notNeeded: .purchaseOthers
    }
  }

  fileprivate var response: Response {
    switch self {
    case .stored(.counted(let type), let environment):
      Self.answer("counted", environment, [.init("type", .string(type.rawValue))])
    case .stored(.repeated, let environment): Self.answer("repeated", environment)
    case .stored(.tooOld, _): Problem.prunedPurchase.response
    case .notNeeded(let environment): Self.answer("not-counted", environment)
    }
  }

  private static func answer(
    _ effect: String, _ environment: PurchaseEnvironment, _ further: [JSONOutput.Member] = []
  ) -> Response {
    let members: [JSONOutput.Member] = [
      .init("effect", .string(effect)), .init("environment", .string(environment.rawValue)),
    ]
    return Response(
      status: 200, headers: [.init("Content-Type", "application/json")],
      body: JSONOutput.object(members + further).bytes() + [UInt8(ascii: "\n")])
  }
}

extension Problem {
  /// A body that is no notification, 400, or one that is not accepted, 403.
  static func purchase(_ rejection: PurchaseRejection) -> Problem {
    Problem(
      status: rejection.isMalformed ? 400 : 403, code: rejection.code,
      title: rejection.isMalformed
        ? "The body is not a notification of the App Store" : "The notification is not accepted",
      detail: rejection.sentence)
  }

  /// A purchase of a time whose single purchases were pruned; 410.
  static var prunedPurchase: Problem {
    Problem(
      status: 410, code: "purchase-pruned", title: "The purchase is too old",
      detail: "Purchases of its time were pruned, so that skan cannot know whether it counts already.")
  }
}
