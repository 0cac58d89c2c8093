import Arguments
import Mappings
import System
import Tables
import Values

/// `skan mapping check`: reports what is wrong with mapping files.
enum MappingCheckCommand {
  enum Options {
    static let strict = TypedOption<Bool>.flag("--strict", "Treat warnings as errors.")
  }

  static let entry = Entry(
    command: Command(
      "mapping check", "Check mapping files for errors and likely mistakes.",
      discussion: [
        "Each finding has the file, line and column, the path in the document, a stable code and, if "
          + "there is one, a remedy. A file that is not JSON has one finding.",
        "If several rules match, precedence decides: the highest value, the first in the list, or the "
          + "highest priority (of equal priorities, the highest value).",
        "Warnings are about users without a value (installs without an event, high spenders, small "
          + "campaigns), two meanings of one value, amounts that no one can pay, and dates more than two "
          + "years away.",
        "The exit code is 1 if there is an error, or with --strict a warning.",
      ],
      examples: [
        .init("Check a file", "skan mapping check mapping.json"),
        .init("Check before a release", "skan mapping check --strict mappings/*.json"),
      ],
      positionals: [.mappingFile(isRepeatable: true)],
      options: [Options.strict.option, .format()]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let console = call.console
    let paths = call.settings.positionals
    try call.checkStandardInput(paths)
    var rows: [FindingRow] = []
    var conversions: [String] = []
    var obstacles: [CommandError] = []
    for path in paths {
      do {
        let file = try MappingFile(path, on: console, at: call.world.clock())
        rows += file.rows
        conversions += file.conversion.map { [$0] } ?? []
      } catch {
        obstacles.append(CommandError(error))
      }
    }
    if call.format == .table {
      for row in rows { console.write(row.text(console, on: console.output)) }
    } else {
      call.print(FindingRow.columns, rows)
    }
    console.output.flush()
    for conversion in conversions { console.note(conversion) }
    for obstacle in obstacles { console.problem(obstacle.message, remedy: obstacle.remedy) }
    let errors = rows.count { $0.finding.severity == .error }
    let warnings = rows.count - errors
    if obstacles.count < paths.count {
      console.note("\(counted(errors, "error")), \(counted(warnings, "warning"))")
    }
    if let obstacle = obstacles.first { return obstacle.exitCode }
    return errors > 0 || (call[Options.strict] && warnings > 0) ? .failedCheck : .done
  }
}
