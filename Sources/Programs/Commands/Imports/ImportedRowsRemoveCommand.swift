import Arguments
import Imports
import Ledger
import System
import Tables
import Values

/// `skan spend remove`, `skan names remove` and the like: deletes imported rows.
enum ImportedRowsRemoveCommand {
  enum Options {
    static let all = TypedOption.flag("--all", "Remove every row; required without a filter.")
    static let yes = TypedOption.flag("--yes", "Remove without asking.")
  }

  static let entries = [
    entry(SpendRows.self, "spend"), entry(NameRows.self, "campaign names"),
    entry(RateRows.self, "exchange rates"),
    entry(TotalRows.self, "totals of ad networks"),
    entry(OwnInstallRows.self, "installs that you counted yourself"),
    entry(ProceedsRows.self, "proceeds of your own books"),
    entry(UserRows.self, "measured revenue of first-party users"),
  ]

  /// Rows that are shown at most.
  private static let mostShown = 20

  private static func entry<Rows: ImportedRows>(_ rows: Rows.Type, _ what: String) -> Entry {
    Entry(
      command: Command(
        "\(Rows.word) remove", "Remove imported \(what).",
        discussion: [
          "skan prints the rows that it would remove, the first \(mostShown) of them, and asks. `skan \(Rows.word) list` "
            + "with the same filters prints all of them. Without a terminal, --yes has to be given."
        ],
        examples: [
          .init(
            "Remove without a question",
            "skan \(Rows.word) remove -d skan.db --from 2026-11-01 --to 2026-12-01 --yes")
        ],
        options: [.database(), .journal] + Rows.options + [
          Options.all.option, Options.yes.option,
        ])
    ) { call in
      let filter: Rows
      do throws(ParameterError) { filter = try Rows(call.settings) } catch {
        throw call.mistake(error)
      }
      guard filter != Rows() || call[Options.all] else {
        throw call.mistake("Without a filter, every row is removed.", hint: "Give a filter, or '--all'.")
      }
      return try remove(try filter.rows(in: call.reader()), of: rows, call)
    }
  }

  private static func remove<Rows: ImportedRows>(
    _ found: [Rows.Row], of rows: Rows.Type, _ call: Invocation
  ) throws -> ExitCode {
    guard !found.isEmpty else {
      call.console.note("no \(Rows.nouns) to remove")
      return .done
    }
    let more = found.count - mostShown
    call.console.write(
      Table(Rows.columns, rows: Array(found.prefix(mostShown))).text(
        .table, notes: more > 0 ? ["and \(grouped(more)) more"] : []))
    let things = Rows.noun(found.count)
    if !call[Options.yes] {
      guard call.console.isInputTerminal else {
        throw call.mistake("Nothing was removed: there is no terminal to ask on.", hint: "Add '--yes'.")
      }
      guard call.console.confirms("Remove \(things)?") else {
        call.console.note("nothing was removed")
        return .done
      }
    }
    let path = try call.existingDatabase()
    let count = try naming("cannot remove from '\(path)'") {
      try Rows.remove(found, from: ReferenceStore(call.changes(of: path)))
    }
    call.console.note("\(Rows.noun(count)) removed")
    return .done
  }
}
