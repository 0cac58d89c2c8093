import System
public import Values

/// Figures that others find out and `/metrics` shows; any thread may use them.
public final class OperatorFigures: Sendable {
  /// The figures; `nil` for what is not known.
  public struct Reading: Sendable {
    /// How many mapping versions are in force.
    public var mappingsInForce: Int?
    /// How many mapping files were refused at the last load.
    public var mappingsRefused: Int?
    /// When a mapping file was refused last.
    public var lastRefusedMapping: Instant?
    /// When the certificate of TLS ends.
    public var certificateEnd: Instant?
    /// When the database was copied last.
    public var lastBackup: Instant?
  }

  private let state = Guarded(Reading())

  /// Starts without any.
  public init() {}

  /// The figures of now.
  public var reading: Reading { state.withLock { $0 } }

  /// Sets some of them.
  public func update(_ change: (inout Reading) -> Void) { state.withLock { change(&$0) } }
}
