package import Campaigns
package import Intake
package import Ledger
import Tables
package import Values

/// An import of rows that are stored as the file has them: spend, names, rates, totals, own installs, proceeds.
package protocol ReferenceImport: ImportKind where Listed.Row: FileRow {
  /// What profiles of its files call it.
  static var profileKind: ImportProfile.Kind { get }
  static func read(
    _ bytes: [UInt8], _ layout: ImportLayout<Listed.Row>, _ choice: Choice,
    _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> ReferenceRows<Listed.Row>
  /// Rows of the file without postbacks.
  static func unmatched(_ rows: [Listed.Row], _ choice: Choice, _ reader: LedgerReader) throws -> [Unmatched]
  /// What a person should know of the rows besides; `stored` gives all rows of the kind after the import.
  static func warnings(
    _ rows: [Listed.Row], _ stored: () throws -> [Listed.Row], _ reader: LedgerReader
  ) throws -> [String]
}

extension ReferenceImport {
  package static var columns: String {
    let optional = Listed.Row.optionalColumns
    return list(Listed.Row.requiredColumns) + (optional.isEmpty ? "" : ", and optionally " + list(optional))
  }

  private static func list(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  package static func read(
    _ bytes: [UInt8], _ layout: ImportLayout<Listed.Row>, _ choice: Choice,
    _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> ReferenceRows<Listed.Row> {
    try ReferenceFile.read(bytes, layout, &mistakes)
  }

  package static func unmatched(
    _ rows: [Listed.Row], _ choice: Choice, _ reader: LedgerReader
  ) throws -> [Unmatched] {
    []
  }

  package static func warnings(
    _ rows: [Listed.Row], _ stored: () throws -> [Listed.Row], _ reader: LedgerReader
  ) throws -> [String] {
    []
  }

  /// Reads a file whose first mistake ends the reading.
  package static func rows(
    _ bytes: [UInt8], _ choice: Choice, _ layout: ImportLayout<Listed.Row> = .standard
  ) throws(ReferenceFileError) -> ReferenceRows<Listed.Row> {
    var mistakes = ReferenceMistakes(most: 1)
    return try read(bytes, layout, choice, &mistakes)
  }

  package static func outcome(
    of rows: [Listed.Row], _ changes: ReferenceChanges<Listed.Row>, _ choice: Choice, _ reader: LedgerReader,
    after stored: () throws -> [Listed.Row]
  ) throws -> ImportOutcome {
    var outcome = ImportOutcome()
    (outcome.added, outcome.changed) = (changes.added, changes.changed)
    (outcome.same, outcome.removed) = (changes.same, changes.removed)
    outcome.warnings = try warnings(rows, stored, reader)
    outcome.unmatched = try unmatched(rows, choice, reader)
    outcome.notes = sentences(of: changes)
    outcome.summary = summary(of: changes, rows.count)
    return outcome
  }

  package static func preview(
    _ bytes: [UInt8], _ choice: Choice, _ reader: LedgerReader
  ) throws -> ImportPreview {
    var preview = ImportPreview()
    var mistakes = ReferenceMistakes(most: ImportPreview.mostMistakes)
    var rows: [Listed.Row] = []
    var found: [ReferenceFileError]
    do throws(ReferenceFileError) {
      rows = try read(bytes, .standard, choice, &mistakes).rows
      found = mistakes.found
    } catch {
      found = mistakes.found.contains(error) ? mistakes.found : mistakes.found + [error]
    }
    guard found.isEmpty else {
      preview.mistakes = found.sorted { $0.line < $1.line }.map {
        ImportMistake(line: $0.line, code: $0.code, sentence: $0.sentence)
      }
      return preview
    }
    let changes = try reader.changes(importing: rows)
    preview.outcome = try outcome(of: rows, changes, choice, reader) { try reader.imported(after: rows) }
    preview.sample = Table(Listed.columns, rows: Array(rows.prefix(ImportPreview.mostShown)))
    let replaced = changes.replaced.prefix(ImportPreview.mostShown).map(\.stored)
    preview.replaced = replaced.isEmpty ? nil : Table(Listed.columns, rows: replaced)
    return preview
  }

  package static func store(
    _ bytes: [UInt8], _ choice: Choice, in changes: any ChangeWriter, now: Instant
  ) throws -> ImportOutcome {
    try store(try rows(bytes, choice).rows, choice, in: changes, now: now)
  }

  /// Stores rows of a file, all or none.
  package static func store(
    _ rows: [Listed.Row], _ choice: Choice, in changes: any ChangeWriter, now: Instant
  ) throws -> ImportOutcome {
    let changed = try ReferenceStore(changes).put(rows, importedAt: now)
    let reader = try LedgerReader(path: changes.path)
    return try outcome(of: rows, changed, choice, reader) { try reader.imported() }
  }

  /// The earlier names that a later one ends.
  private static func sentences(of changes: ReferenceChanges<Listed.Row>) -> [String] {
    changes.adjusted.compactMap { change in
      guard let name = change.stored as? CampaignNameRow, let end = name.to else { return nil }
      return
        "'\(printable(name.name))' of \(owner(of: name)) ends on \(end), where a later name begins"
    }.sorted()
  }

  private static func owner(of name: CampaignNameRow) -> String {
    let parts = [
      name.campaign.isEmpty ? nil : "campaign \(name.campaign)", name.app.map { "app \($0)" },
      name.network.isEmpty ? nil : printable(name.network),
    ]
    return parts.compactMap(\.self).joined(separator: " of ")
  }

  private static func summary(of changes: ReferenceChanges<Listed.Row>, _ count: Int) -> String {
    let parts = [(changes.added, "new"), (changes.changed, "changed"), (changes.same, "unchanged")].filter {
      $0.0 > 0
    }
    .map { "\(grouped($0.0)) \($0.1)" }
    let removed =
      changes.removed > 0 ? "; \(grouped(changes.removed)) of another app or of none replaced" : ""
    return "\(grouped(count)) \(count == 1 ? Listed.noun.one : Listed.noun.many) stored"
      + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))") + removed
  }
}
