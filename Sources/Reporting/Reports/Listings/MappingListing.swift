package import Arguments
package import Campaigns
import Ledger
import MappingLibrary
import Mappings
import Postbacks
package import Tables
import Values

/// The mappings that a database's postbacks are decoded by, and the files that were rejected.
package struct MappingListing: Report {
  package init() {}

  package struct Row: Sendable {
    let stored: StoredMapping
    /// When the next version of the same app replaces it; `nil` while it is in force.
    let end: Instant?
    /// Since when apps got it; `nil` where none did.
    let servedSince: Instant?
    /// `nil` where this program does not understand the document.
    let mapping: Mapping?
  }

  package static let name = "mappings"
  package static let command = "mapping list"
  package static let path = "/v1/mappings"
  package static let summary = "List the loaded mappings, and the period of each."
  package static let discussion = [
    "The table `rejected` has the files rejected at the last load of their folder, with time and reason."
  ]
  package static let examples: [Command.Example] = [
    .init("List the loaded mappings", "skan mapping list -d skan.db")
  ]
  package static let parameters: [Parameter<Self>] = []

  package static let columns: [Column<Row>] = [
    Column("app", "app", "App Store number of the app.") { Identifier("\($0.stored.app.number)") },
    Column(
      "name", "name", "Name of the mapping; none if this program does not understand the file.",
      none: "not understood; load it again"
    ) { $0.mapping?.name },
    Column("effective-from", "from", "When the mapping version takes effect.", \.stored.effectiveFrom),
    Column("effective-to", "to", "When the app's next mapping version replaces it.", \.end),
    Column("protocol", "protocol", "Generation of Apple's rules: skan3, skan4 or aak.") {
      $0.mapping?.device.rawValue
    },
    Column("currency", "currency", "Currency of its revenue.", shown: .forPrograms) {
      $0.mapping?.currency.text
    },
    Column("file", "file", "Name of the mapping file.") { Identifier($0.stored.source) },
    Column("sha-256", "SHA-256", "SHA-256 of the file.", shown: .forPrograms) {
      Identifier($0.stored.digest)
    },
    Column("loaded-at", "loaded", "When it was loaded.", shown: .forPrograms, \.stored.loadedAt),
    Column(
      "apps-since", "apps since",
      "When an app first got this version from `/v1/apps/{app}/mapping`; none if no app did.",
      shown: .forPrograms, \.servedSince),
    Column(
      "is-readable", "readable", "Whether this program understands the file.", shown: .forPrograms
    ) { $0.mapping != nil },
  ]

  private static let rejected = Detail<RejectedMapping>(
    "rejected",
    [
      Column("file", "rejected file", "Name of the mapping file.") { Identifier($0.source) },
      Column("since", "since", "When it was rejected first; it has not been right since.", \.since),
      Column(
        "state", "state",
        "rejected: the file has errors; unreadable; clash: another file has another mapping of the same app and moment.",
        \.state),
      Column("reason", "reason", "Why, in one line.", \.reason),
      Column(
        "keeps-old", "last good state in force", "Whether an earlier state of the file stays in force.",
        \.keepsOld),
    ])
  package static let details = [rejected.header]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let catalog = try MappingCatalog(from: source.reader)
    let stored = catalog.stored
    let served = try source.reader.served(stored)
    var rows = Rows.held(
      stored.indices.map { index in
        let mapping = stored[index]
        let next = index + 1 < stored.count ? stored[index + 1] : nil
        return Row(
          stored: mapping, end: next?.app == mapping.app ? next?.effectiveFrom : nil,
          servedSince: served[index],
          mapping: catalog.histories[mapping.app]?.versions.first {
            $0.effectiveFrom == mapping.effectiveFrom
          })
      })
    rows.details = [Self.rejected.table(catalog.rejected)]
    rows.noteIfEmpty = Sentence("no mappings; load one with `skan mapping load`")
    return rows
  }
}
