package import Ledger
package import Values

/// A rejected body that claims an identifier, in words for people.
package struct ExplainedRejection: Sendable {
  package let facts: ExplainedBody
  package let state: Rejection.State
  package let reason: String
  package let receivedAt: Instant
  package let route: String
  package let body: String
}

extension Rejection.State {
  package var words: Sentence {
    switch self {
    case .invalid: Sentence("invalid")
    case .unverifiable: Sentence("unverifiable")
    case .malformed: Sentence("malformed")
    }
  }
}
