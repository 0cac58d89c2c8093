import HTTPServer
import Intake
import Ledger
import Postbacks
package import Routing
package import System
import Verification

/// What devices in Developer Mode post to: `/t/{inbox}`, a path that is hard to guess and expires.
///
/// Apple recommends such an address for Developer Settings. A device gets the answers that it gets at Apple's paths. What
/// arrives is kept for `skan inbox`, valid or not; postbacks of development and test keys are stored as such, too. A
/// production postback is not stored and gets 403, so that its sender tries again elsewhere.
/// Source: Apple, "Creating postbacks in Developer Settings".
package struct InboxRoute: Sendable {
  package static let path = "/t/{inbox}"

  private let reception: OpenReception
  private let access: Access
  private let clock: WallClock

  package init(_ reception: OpenReception, access: Access, clock: @escaping WallClock) {
    self.reception = reception
    self.access = access
    self.clock = clock
  }

  package var route: HTTPRoute {
    HTTPRoute(
      path: Self.path, figures: .inbox, methods: [.post], bodyLimit: PostbackReading.byteLimit,
      guards: [
        { request, _ in reception.limitGuard(request) },
        { request, name in
          let inbox = access.inbox(named: name, at: clock())
          // So that guesses are slowed.
          if inbox == .unknown { reception.limiter.countRejected(reception.client(of: request)) }
          return Self.problem(with: inbox)?.response
        },
      ]
    ) { request, name, reply in answer(request, inbox: name, reply) }
  }

  private func answer(_ request: borrowing Request, inbox name: String, _ reply: consuming MeteredReply) {
    let client = reception.client(of: request)
    let inbox = access.inbox(named: name, at: clock())
    // It may have had its time since the guard looked.
    guard case .open(let number) = inbox else {
      return reply.send((Self.problem(with: inbox) ?? .noInbox).response)
    }
    if !receive(request.body, in: number, from: client, PendingReply(reply)) {
      reception.limiter.countRejected(client)
    }
  }

  private static func problem(with inbox: Access.Inbox) -> Problem? {
    switch inbox {
    case .open: nil
    case .expired: .expiredInbox
    case .unknown: .noInbox
    }
  }

  /// Judges a body and answers when it is on disk; false where it is not valid.
  private func receive(
    _ body: [UInt8], in inbox: Int64, from client: ClientAddress, _ reply: PendingReply
  ) -> Bool {
    let judgement = reception.intake.judge(PostbackReading(body))
    let problem = Self.problem(with: judgement)
    reception.intake.store(
      judgement, of: body, inInbox: inbox, quotaSource: reception.quotaSource(of: client)
    ) { [reception] result in
      // Only what cannot be stored is counted: the other figures are of what devices and networks send in earnest.
      reception.answer(result, problem, isCounted: false, reply)
    }
    return judgement.state == .valid
  }

  /// Why a body gets no 200; nil where it does, as from a device's address.
  private static func problem(with judgement: Judgement) -> Problem? {
    if judgement.state == .malformed { return .notAPostback(judgement) }
    return judgement.environment == .production ? .productionAtInbox : nil
  }
}
