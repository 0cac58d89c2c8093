package import Values

/// A rejected body that claims an identifier, in words for people.
package struct ExplainedRejection: Sendable {
  package let facts: ExplainedBody
  package let state: String
  package let reason: String
  package let receivedAt: Instant
  package let route: String
  package let body: String
}
