import Arguments
import System
import Values

/// `skan completions`: prints a script for a shell.
enum CompletionsCommand {
  static let entry = Entry(
    command: Command(
      "completions", "Print a shell completion script.",
      examples: [
        .init("Load completions in this bash session", "source <(skan completions bash)"),
        .init("Install completions for fish", "skan completions fish > ~/.config/fish/completions/skan.fish"),
      ],
      positionals: [Positional("SHELL", .choice(Shell.allCases.map(\.rawValue)), "The shell.")])
  ) { call in
    guard let shell = call.settings.positionals.first.flatMap({ Shell(rawValue: $0) }) else {
      preconditionFailure("the word was checked against the shells there are")
    }
    call.console.write(call.program.completions(for: shell))
    return .done
  }
}
