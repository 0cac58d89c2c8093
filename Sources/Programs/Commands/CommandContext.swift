import Daemon
import Values
import Arguments
package import System

/// What surrounds a command: its streams, its clock, and whether it may answer the process's signals.
package struct CommandContext: Sendable {
  /// The streams and the environment.
  package let console: Console
  /// Returns the time.
  package let clock: WallClock
  /// Whether commands take over SIGINT, SIGTERM and SIGHUP; in tests another owner handles them.
  package let answersSignals: Bool

  /// Describes the surroundings.
  package init(console: Console, clock: @escaping WallClock, answersSignals: Bool) {
    self.console = console
    self.clock = clock
    self.answersSignals = answersSignals
  }
}

/// One call of a command: what it was asked, and where it runs.
struct Invocation: Sendable {
  let console: Console
  let settings: Settings
  let configuration: Configuration
  /// Why the configuration file can't be used; only commands that examine it get to see this.
  let configurationProblem: CommandError?
  let world: CommandContext
  let program: Program
  let command: Command
  /// The user's request that a command ends, for commands that handle it.
  let interruption: Interruption

  /// A mistake in the words of this command.
  func mistake(_ problem: String, hint: String? = nil) -> UsageError {
    UsageError(problem, hint: hint, see: "\(program.name) \(command.name) --help")
  }
}

/// A command, and what runs it.
struct Entry: Sendable {
  /// What SIGINT, SIGTERM and SIGHUP do to a command.
  enum SignalAnswer: Sendable {
    /// The first one ends it.
    case end
    /// The first one is a request that the command handles, the second one ends it.
    case heed
    /// The command takes them itself.
    case itsOwn
  }

  let command: Command
  /// What signals do to it.
  var signals = SignalAnswer.end
  /// Whether it runs although the configuration file can't be used.
  var examinesConfiguration = false
  let run: @Sendable (Invocation) throws -> ExitCode
}
