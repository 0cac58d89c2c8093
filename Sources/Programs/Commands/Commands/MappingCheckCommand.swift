import Arguments
import Mappings
import System
import Values

/// `skan mapping check`: tells what is wrong with mapping files.
enum MappingCheckCommand {
  static let entry = Entry(
    command: Command(
      "mapping check", "Tell what is wrong with mapping files, and what people regret later.",
      discussion: [
        "Each finding has the file, line and column, the way through the document, a stable code and, where there is "
          + "one, a cure. A file that is not JSON has a finding too.",
        "Where several rules hold, precedence says which applies: the highest value, the first in the list, or the "
          + "highest priority, and of equal priorities the highest value.",
        "Warnings name users who get no value (plain installs, big payers, small crowds), one value for two things, "
          + "amounts that nobody can pay, and a date more than two years away.",
        "The exit code is 1 if there is an error, with --strict also if there is a warning.",
      ],
      examples: [
        .init("Check a file", "skan mapping check mapping.json"),
        .init("Check before a release", "skan mapping check --strict mappings/*.json"),
      ],
      positionals: [.mappingFile(isRepeatable: true)],
      options: [.flag("--strict", "Let warnings count like errors."), .format()]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let console = call.console
    let paths = call.settings.positionals
    try call.checkStandardInput(paths)
    var rows: [FindingRow] = []
    var obstacles: [CommandError] = []
    for path in paths {
      do { rows += try MappingFile(path, on: console, at: call.world.clock()).rows } catch {
        obstacles.append(CommandError(error))
      }
    }
    console.write(rows, call.format)
    console.output.flush()
    for obstacle in obstacles { console.problem(obstacle.message, remedy: obstacle.remedy) }
    let errors = rows.count { $0.finding.severity == .error }
    let warnings = rows.count - errors
    if obstacles.count < paths.count {
      console.note("\(counted(errors, "error")), \(counted(warnings, "warning"))")
    }
    if let obstacle = obstacles.first { return obstacle.exitCode }
    return errors > 0 || (call.settings.isOn("--strict") && warnings > 0) ? .bad : .done
  }
}
