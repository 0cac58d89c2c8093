import Arguments
import JSONText
import MappingFormats
import Mappings
import System
import Values

/// `skan mapping from-table`: makes a mapping of a table from a spreadsheet.
enum MappingFromTableCommand {
  private typealias Shared = MappingConvertCommand.Options

  private static let effectiveFrom = TypedOption<Instant?>.value(
    Shared.effectiveFrom.name, "TIME", .time, "Time from which devices use the mapping.",
    defaultNote: "tomorrow")

  static let entry = Entry(
    command: Command(
      "mapping from-table", "Make a mapping of a table from a spreadsheet.",
      discussion: [
        "The first row has the names of columns, in any order and case: value (0 to 63), coarse (low, medium or "
          + "high), window (1 to 3), event, revenue from, revenue to, worth, currency, hours from, hours to (or days "
          + "from, days to), and label. A table without special cases needs value and a few of them only. Further "
          + "columns are count from, count to, ends (lower, upper, both or neither), lock (yes or no), totals "
          + "(since-install or window) and comment.",
        "Each row is a rule. One with a value is the rule of that value; one without is the rule of its coarse value "
          + "in its window. Where several rules match, the highest value applies. An empty cell is no condition: "
          + "without an event, revenue is that of all events; without \"revenue to\", a range has no upper end. A range "
          + "has its lower end and not its upper one. worth is what a user in the range counts as; an empty one is "
          + "the middle of the range.",
        "skan reads commas, semicolons or tabs between cells, and a point or a comma before decimals. A cell whose "
          + "meaning is not certain is an error with line and column. `skan mapping show --format csv` prints a "
          + "mapping as such a table.",
      ],
      examples: [
        .init(
          "Make a mapping", "skan mapping from-table --app 1000000001 --currency EUR table.csv > mapping.json"
        )
      ],
      positionals: [Positional("FILE", .path, "Table as CSV; -: standard input.")],
      options: [
        Shared.app.option, Shared.currency.option, effectiveFrom.option, Shared.name.option,
        Shared.protocol.option,
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let path = call.settings.positionals.first ?? "-"
    let tomorrow = call.world.clock().day.next.start
    let (mapping, assumptions) = try ForeignFile(path, .table, call, usualDate: tomorrow).read()
    call.console.write(mapping.json.text(pretty: true) + "\n")
    call.console.output.flush()
    for assumption in assumptions { call.console.note(assumption.sentence) }
    return .done
  }
}
