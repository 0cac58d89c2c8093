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
      "Print the mappings that a database decodes by, and from when to when each is in force.",
      discussion: [
        "Below them it prints the files that were rejected at the last load of their folder, since when, and why."
      ],
      examples: [.init("What is in force", "skan mapping list -d skan.db")],
      options: [.database(), .format(["table", "json"])]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let catalog = try MappingCatalog(from: call.reader())
    call.console.write(call.format == .json ? catalog.json.text(pretty: true) + "\n" : catalog.table)
    return .done
  }
}
