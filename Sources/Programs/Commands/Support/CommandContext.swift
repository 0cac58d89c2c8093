package import System

/// What surrounds a command: its streams, its clock, and whether it may answer the process's signals.
package struct CommandContext: Sendable {
  package let console: Console
  package let clock: WallClock
  /// Whether commands take over SIGINT, SIGTERM and SIGHUP; in tests another owner handles them.
  package let answersSignals: Bool

  package init(console: Console, clock: @escaping WallClock, answersSignals: Bool) {
    self.console = console
    self.clock = clock
    self.answersSignals = answersSignals
  }
}
