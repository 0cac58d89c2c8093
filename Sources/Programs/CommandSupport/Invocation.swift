package import Arguments
package import Daemon
package import System
package import Values

/// One call of a command: what it was asked, and where it runs.
package struct Invocation: Sendable {
  package let console: Console
  package let settings: Settings
  package let configuration: Configuration
  /// Why the configuration file can't be used; only commands that examine it get to see this.
  package let configurationProblem: CommandError?
  package let world: CommandContext
  package let program: Program
  package let command: Command
  /// The user's request that a command ends, for commands that handle it.
  package let interruption: Interruption

  /// A mistake in the words of this command.
  package func mistake(_ problem: String, hint: String? = nil) -> UsageError {
    UsageError(problem, hint: hint, see: "\(program.name) \(command.name) --help")
  }
}
