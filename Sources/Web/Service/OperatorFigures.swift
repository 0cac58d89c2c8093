import System
package import Values

/// Figures that others find out and `/metrics` shows; any thread may use them.
package final class OperatorFigures: Sendable {
  /// The figures; `nil` for what is not known.
  package struct Reading: Sendable {
    /// How many mapping versions are in force.
    package var mappingsInForce: Int?
    /// How many mapping files were rejected at the last load.
    package var mappingsRejected: Int?
    /// When a mapping file was rejected last.
    package var lastRejectedMapping: Instant?
    /// When the certificate of TLS ends.
    package var certificateEnd: Instant?
    /// When the database was copied last.
    package var lastBackup: Instant?
  }

  private let state = Guarded(Reading())

  /// Starts without any.
  package init() {}

  /// The figures of now.
  package var reading: Reading { state.withLock { $0 } }

  /// Sets some of them.
  package func update(_ change: (inout Reading) -> Void) { state.withLock { change(&$0) } }
}
