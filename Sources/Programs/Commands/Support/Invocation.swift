package import Arguments
import Configuration
package import System
import Values

/// One call of a command: what it was asked, and where it runs.
package struct Invocation: Sendable {
  package let console: Console
  package let settings: Settings
  let configuration: ConfigurationFile
  /// Why the configuration file can't be used; only commands that examine it get to see this.
  let configurationProblem: CommandError?
  package let world: CommandContext
  let program: Program
  let command: Command
  /// The user's request that a command ends, for commands that handle it.
  let interruption: Interruption

  /// The value of an option; its default where the command does not have it.
  package subscript<Value>(option: TypedOption<Value>) -> Value { settings[option] }

  /// The value of an option that the command cannot do without.
  package subscript<Value>(option: RequiredOption<Value>) -> Value {
    get throws(UsageError) {
      guard let value = settings[option] else { throw mistake("The option '\(option.name)' is missing.") }
      return value
    }
  }

  /// A mistake in the words of this command.
  func mistake(_ problem: String, hint: String? = nil) -> UsageError {
    UsageError(problem, hint: hint, see: "\(program.name) \(command.name) --help")
  }

  func mistake(_ error: ParameterError) -> UsageError {
    mistake("The value of '--\(error.name)' cannot be used: \(error.detail)")
  }
}
