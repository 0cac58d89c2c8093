/// What a server answered to a statement.
package struct PostgreSQLAnswer: Equatable, Sendable {
  package let rows: [PostgreSQLRow]
  /// What the server noted while the statement ran.
  package let notices: [PostgreSQLNotice]

  /// Whether a commit may be on this server alone, although no error came.
  ///
  /// A cancelled wait for a synchronous standby ends with a warning and success: "canceling wait for synchronous
  /// replication due to user request". Its words depend on the server's language, so every warning counts.
  package var hasWarning: Bool { notices.contains { $0.severity == "WARNING" } }

  /// The first row.
  ///
  /// - Throws: ``PostgreSQLError`` where there is none.
  package func firstRow() throws(PostgreSQLError) -> PostgreSQLRow {
    guard let row = rows.first else { throw .unexpectedAnswer("an answer has no row") }
    return row
  }
}

/// A message of the server that is no error.
package struct PostgreSQLNotice: Equatable, Sendable {
  /// `WARNING`, `NOTICE`, `INFO`, `LOG` or `DEBUG`, in English whatever the server's language is.
  package let severity: String
  /// The SQLSTATE, such as `01000` for a warning without a state of its own.
  package let state: String
  package let message: String

  package init(severity: String, state: String, message: String) {
    self.severity = severity
    self.state = state
    self.message = message
  }
}
