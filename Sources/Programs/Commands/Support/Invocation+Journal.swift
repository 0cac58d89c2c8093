import Arguments
package import Configuration
import Journal
package import Ledger
import System
import Values

extension Option {
  /// The journal that the database follows, for commands that change it.
  static let journal = ServiceConfiguration.options("journal")[0]
}

extension Invocation {
  /// The journal that a service's database follows; `nil` where it follows none.
  package func journal(_ configuration: ServiceConfiguration) throws -> LedgerJournal? {
    guard let address = configuration.journal else {
      guard configuration.node == nil, configuration.journalStandby == nil, configuration.role == .full else {
        throw mistake("'--node', '--role' and '--journal-standby' require '--journal'.")
      }
      return nil
    }
    guard configuration.role == .full || configuration.pages == nil else {
      throw mistake(
        "'--role receive' has no pages.", hint: "Leave '--pages' out, and serve pages on another node.")
    }
    let text = configuration.node ?? hostName.lowercased()
    guard let node = NodeName(text) else {
      throw mistake(
        "The name '\(printable(text))' of this node has other signs than lower-case letters, digits, '.', '-' and '_'.",
        hint: "Give it another one with --node.")
    }
    let standby = try configuration.journalStandby?.readable()
    return LedgerJournal(
      PostgreSQLJournal(try address.readable(), readingFrom: standby), as: node, role: configuration.role)
  }

  /// The journal through which a command's changes go; `nil` where they go into the file.
  func commandJournal() throws -> LedgerJournal? {
    let address: JournalAddress?
    do throws(ParameterError) { address = try ServiceConfiguration(settings).journal } catch {
      throw mistake(error)
    }
    return try address.map { address in
      // A name of its own, because the service on this machine appends under the host's.
      guard
        let node = NodeName(String(hostName.lowercased().prefix(50)) + "-commands") ?? NodeName("commands")
      else {
        throw mistake("This host's name is no name of a node.")
      }
      return LedgerJournal(PostgreSQLJournal(try address.readable()), as: node)
    }
  }

  /// Where a command's changes of a database go: into its file, or through the journal that it follows.
  func changes(of path: String) throws -> LedgerFile {
    let journal = try commandJournal()
    return try naming("cannot store in '\(path)'") { try LedgerFile(path: path, journal: journal) }
  }

  /// Where changes of a database go that exists and is left in its mode, unless it follows a journal.
  func changes(by upkeep: LedgerUpkeep) throws -> any ChangeWriter {
    settings.isGiven(.journal) ? try changes(of: upkeep.path) : upkeep
  }
}
