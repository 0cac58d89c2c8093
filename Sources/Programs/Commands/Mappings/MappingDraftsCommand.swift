import Arguments
import Ledger
import MappingEditing
import Mappings
import Postbacks
import System
import Tables
import Values

/// `skan mapping drafts`: lists, prints and discards the drafts of the mapping editor.
enum MappingDraftsCommand {
  enum Options {
    static let discard = TypedOption<Bool>.flag("--discard", "Discard the draft.")
  }

  static let entry = Entry(
    command: Command(
      "mapping drafts", "List drafts of mappings, or print or discard one.",
      discussion: [
        "A draft is an unpublished mapping from the mapping editor. skan decodes nothing by it until an "
          + "editor publishes it; see `skan mapping publish`.",
        "With ID, skan prints the text of the draft as it was saved.",
      ],
      examples: [
        .init("List all drafts", "skan mapping drafts -d skan.db"),
        .init("Check a draft", "skan mapping drafts -d skan.db 7 | skan mapping check -"),
        .init("Discard a draft", "skan mapping drafts -d skan.db 7 --discard"),
      ],
      positionals: [Positional("ID", .integer(1...(.max)), "Number of a draft.", isRequired: false)],
      options: [.database(), .journal, PublishingOptions.app.option, Options.discard.option, .format()]),
    run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    guard let word = call.settings.positionals.first else {
      guard !call[Options.discard] else { throw call.mistake("'--discard' requires the number of a draft.") }
      call.print(columns, try call.reader().mappingDrafts(of: call.appIfAny), noteIfEmpty: "no drafts")
      return .done
    }
    guard let id = Int64(word) else { throw call.mistake("'\(word)' is not the number of a draft.") }
    guard let draft = try call.reader().mappingDraft(id) else { throw DraftError.noDraft(id) }
    guard call[Options.discard] else {
      call.console.write(draft.document)
      return .done
    }
    switch try MappingDrafts(call.changes(of: call.existingDatabase())).discard(id, ifMatch: draft.etag) {
    case .done: call.console.note("discarded draft \(id), '\(printable(draft.name))'")
    case .missing, .full: throw DraftError.noDraft(id)
    case .stale(let newer):
      throw CommandError(
        .unavailable, "\(printable(newer.savedBy)) saved draft \(id) meanwhile; it was not discarded",
        remedy: "run the same command again")
    }
    return .done
  }

  private static let columns: [Column<StoredDraft>] = [
    Column("id", "draft", "Number of the draft.", \.id),
    Column("app", "app", "App Store number.") { Identifier("\($0.app.number)") },
    Column("name", "name", "Name of the draft.") { Identifier($0.name) },
    Column("based-on", "based on", "Effective date of the version that it is based on.", \.baseFrom),
    Column("errors", "errors", "Errors that a check finds.") { errors(in: $0) },
    Column("saved-at", "saved", "When it was saved last.", \.savedAt),
    Column("saved-by", "by", "Who saved it last.") { Identifier($0.savedBy) },
    Column("bytes", "bytes", "Length of the text.", \.document.count),
    Column("etag", "etag", "What stands for this state of it.", shown: .forPrograms) { Identifier($0.etag) },
  ]

  private static func errors(in draft: StoredDraft) -> Int {
    MappingDocument.read(draft.document).findings.count { $0.severity == .error }
  }
}
