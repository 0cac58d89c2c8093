/// Why a question to a PostgreSQL server has no answer.
///
/// Values of parameters are never part of it, because they may be private, and neither is the address of the server, because it may
/// have a password.
package struct PostgreSQLError: Error, Equatable, Sendable {
  package enum Kind: String, Sendable {
    /// No server took the connection: the address, the network, the password, or none is as it has to be.
    case notConnected = "not-connected"
    /// The connection broke.
    case lost
    /// No answer came within the time.
    case timedOut = "timed-out"
    /// The server answered with an error.
    case rejected
    /// The answer has other types or columns than the question's author expects.
    case unexpectedAnswer = "unexpected-answer"
  }

  package let kind: Kind
  /// The SQLSTATE of an answer, such as `42P01` for a table that is not there.
  ///
  /// Source: PostgreSQL's manual, appendix A.
  package let state: String?
  /// The server's or libpq's words.
  package let message: String
  /// What the server adds to its message.
  package let detail: String?
  /// Whether what was sent may have been committed all the same.
  package let isOutcomeUnknown: Bool

  package init(
    kind: Kind, state: String? = nil, message: String, detail: String? = nil, isOutcomeUnknown: Bool
  ) {
    self.kind = kind
    self.state = state
    self.message = message
    self.detail = detail
    self.isOutcomeUnknown = isOutcomeUnknown
  }

  /// Reports an error of the server.
  ///
  /// A server that ends a session while it commits (severities FATAL and PANIC, classes 08 and 57P) may have written
  /// the commit before: PostgreSQL's `SyncRepWaitForLSN` warns that "the transaction has already committed locally".
  ///
  /// - Parameter severity: The word that does not depend on the server's language, such as `ERROR`.
  package init(severity: String, state: String, message: String, detail: String?) {
    self.init(
      kind: .rejected, state: state, message: message, detail: detail,
      isOutcomeUnknown: severity != "ERROR" || state.hasPrefix("08") || state.hasPrefix("57P")
        || state == "40003")
  }
}

extension PostgreSQLError {
  /// Reports an answer of another form than the question has; what it was meant to change may be done.
  package static func unexpectedAnswer(_ message: String) -> PostgreSQLError {
    PostgreSQLError(kind: .unexpectedAnswer, message: message, isOutcomeUnknown: true)
  }
}

extension PostgreSQLError: CustomStringConvertible {
  /// One line with the state and the server's words.
  package var description: String {
    let words = message.split { $0.isWhitespace }.joined(separator: " ")
    return state.map { "PostgreSQL error \($0): \(words)" } ?? "PostgreSQL: \(words)"
  }
}
