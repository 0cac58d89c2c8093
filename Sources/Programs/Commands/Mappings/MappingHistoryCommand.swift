import Arguments
import Ledger
import Postbacks
import Tables
import Values

/// `skan mapping history`: lists who published which mapping version, and when.
enum MappingHistoryCommand {
  static let entry = Entry(
    command: Command(
      "mapping history", "List who published which mapping version, and when.",
      discussion: [
        "The list has the versions published with `skan mapping publish` or in the mapping editor, the "
          + "newest first. Files that were loaded in another way are in `skan mapping list` only."
      ],
      examples: [.init("List all publications", "skan mapping history -d skan.db")],
      options: [.database(), PublishingOptions.app.option, .format()])
  ) { call in
    call.print(
      columns, try call.reader().mappingPublications(of: call.appIfAny), noteIfEmpty: "nothing was published")
    return .done
  }

  private static let columns: [Column<MappingPublication>] = [
    Column("published-at", "published", "When it was published.", \.publishedAt),
    Column("published-by", "by", "Who published it.") { Identifier($0.publishedBy) },
    Column("app", "app", "App Store number.") { Identifier("\($0.app.number)") },
    Column("effective-from", "effective from", "When the mapping version takes effect.", \.effectiveFrom),
    Column(
      "rolled-back-to", "rolled back to", "Effective date of the earlier version whose text it has.",
      \.restored),
    Column("file", "file", "Name of the mapping file.") { Identifier($0.source) },
    Column("note", "note", "What the publisher noted.", \.note),
    Column("draft", "draft", "Number of the draft that it came from.", shown: .forPrograms, \.draft),
    Column("digest", "digest", "SHA-256 of the document.", shown: .forPrograms) { Identifier($0.digest) },
    Column("replaced", "replaced", "SHA-256 of the version that it follows.", shown: .forPrograms) {
      $0.replaced.map { Identifier($0) }
    },
  ]
}
