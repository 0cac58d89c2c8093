package import Arguments
import Configuration
import System
package import Values

/// A command, and what runs it.
package struct Entry: Sendable {
  /// What SIGINT, SIGTERM and SIGHUP do to a command.
  package enum SignalAnswer: Sendable {
    case end
    /// The first one is a request that the command handles, the second one ends it.
    case heed
    /// The command takes them itself.
    case itsOwn
  }

  let command: Command
  let signals: SignalAnswer
  /// Whether it runs although the configuration file can't be used.
  let examinesConfiguration: Bool
  let run: @Sendable (Invocation) throws -> ExitCode

  package init(
    command: Command, signals: SignalAnswer = .end, examinesConfiguration: Bool = false,
    run: @escaping @Sendable (Invocation) throws -> ExitCode
  ) {
    self.command = command
    self.signals = signals
    self.examinesConfiguration = examinesConfiguration
    self.run = run
  }
}

extension Entry {
  func run(
    _ words: ParsedArguments, _ command: Command, of program: Program, in world: CommandContext
  ) throws -> ExitCode {
    let environment = world.console.environment
    let path = words.text(of: CommonOptions.configuration.option, environment: environment)
    var configuration = ConfigurationFile()
    var problem: CommandError?
    if let path {
      do {
        configuration = try ConfigurationFile.read(path)
      } catch {
        guard examinesConfiguration else { throw error }
        problem = error
      }
    }
    let settings = try Settings(
      words, for: command, of: program.name, environment: environment, configuration: configuration.texts,
      configurationPath: path ?? "")
    let console = world.console.configured(
      isQuiet: settings[CommonOptions.quiet], forbidsColor: settings[CommonOptions.noColor])
    let call = Invocation(
      console: console, settings: settings, configuration: configuration, configurationProblem: problem,
      world: world, program: program, command: command, interruption: try interruption(in: world))
    return try run(call)
  }

  /// Takes over the process's signals, before any other thread starts.
  private func interruption(in world: CommandContext) throws -> Interruption {
    guard world.answersSignals else { return Interruption() }
    switch signals {
    case .end: Interruption.endProcess(at: Signals(leavesIgnored: true))
    case .heed: return try Interruption(Signals(leavesIgnored: true))
    case .itsOwn: break
    }
    return Interruption()
  }
}
