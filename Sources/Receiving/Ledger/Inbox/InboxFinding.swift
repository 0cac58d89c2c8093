package import Postbacks
import Values
package import Verification

/// What was found out about an arrival at a test inbox.
public struct InboxFinding: Sendable {
  package let inbox: Int64
  package let state: VerdictState
  /// Whose key signed it; `nil` where it is not valid.
  package let environment: Environment?
  /// Why it is not valid, in words; `nil` where it is.
  package let reason: String?
  /// The postback, where it is of a development or test key: then it is stored as such, too.
  package let stored: KeyedPostback?

  init(inbox: Int64, state: VerdictState, environment: Environment?, reason: String?, stored: KeyedPostback?)
  {
    self.inbox = inbox
    (self.state, self.environment) = (state, environment)
    (self.reason, self.stored) = (reason, stored)
  }

  /// Takes what a check came to; a production postback is shown and not stored.
  package init(inbox: Int64, _ judgement: Judgement) {
    self.inbox = inbox
    state = judgement.state
    environment = judgement.environment
    reason = judgement.reason?.english
    stored = judgement.verified.flatMap { $0.environment == .production ? nil : KeyedPostback($0) }
  }
}
