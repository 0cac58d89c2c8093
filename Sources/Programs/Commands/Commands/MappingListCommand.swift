import Values
import Arguments
import JSONText
import Ledger
import MappingLibrary
import Reporting
import System

/// `skan mapping list`: prints the mappings that a database's postbacks are decoded by.
enum MappingListCommand {
  static let entry = Entry(
    command: Command(
      "mapping list",
      "List the loaded mappings, and the period of each.",
      discussion: [
        "Below them, skan lists the files rejected at the last load of their folder, with time and "
          + "reason."
      ],
      examples: [.init("List the loaded mappings", "skan mapping list -d skan.db")],
      options: [.database(), .format(["table", "json"])]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let catalog = try MappingCatalog(from: call.reader())
    call.console.write(call.format == .json ? catalog.json.text(pretty: true) + "\n" : catalog.table)
    return .done
  }
}
