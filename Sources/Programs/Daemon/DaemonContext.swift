import Service
import System

/// What every part of the daemon needs.
struct DaemonContext: Sendable {
  /// The database's path.
  let database: String
  let log: ServiceLog
  let clock: WallClock
  /// What the parts find out and `/metrics` shows.
  let figures: OperatorFigures
}
