package import Campaigns
package import Intake
package import Ledger
package import Tables
package import Values

/// An import of rows that are stored as the file has them: spend, names, rates, totals, own installs, proceeds.
package protocol ReferenceImport: ImportKind where Listed.Row: FileRow {
  /// What profiles of its files call it.
  static var profileKind: ImportProfile.Kind { get }
  /// What is done to each row by the choice.
  static func adapted(_ row: Listed.Row, _ choice: Choice) -> Listed.Row
  /// Rows of the file without postbacks.
  static func unmatched(
    _ rows: GatheredRows<Listed.Row>, _ choice: Choice, _ reader: LedgerReader
  ) throws -> [Unmatched]
  /// What a person should know of the rows besides; `stored` gives all rows of the kind after the import.
  static func warnings(
    _ rows: GatheredRows<Listed.Row>, _ stored: () throws -> [Listed.Row], _ reader: LedgerReader
  ) throws -> [Sentence]
}

extension ReferenceImport {
  package static var columns: String {
    let optional = Listed.Row.optionalColumns
    return list(Listed.Row.requiredColumns) + (optional.isEmpty ? "" : ", and optionally " + list(optional))
  }

  package static var fileColumns: [FileColumn] {
    let titles = Dictionary(
      Listed.columns.map { ($0.header.name, $0.header.title) }, uniquingKeysWith: { first, _ in first })
    let required = Listed.Row.requiredColumns
    return (required + Listed.Row.optionalColumns).map { name in
      let content: FileColumn.Content =
        switch name {
        case "date", "from", "to": .day
        case "amount", "revenue", "proceeds", "commission", "refunds", "tax": .amount
        default: .other
        }
      return FileColumn(
        name: name, title: titles[name] ?? Sentence(name: name), content: content,
        isRequired: required.contains(name), isOftenTheSame: KnownColumn.example(of: name) != nil,
        otherNames: Array(KnownColumn.names(of: name).dropFirst()))
    }
  }

  package static var profiles: [BuiltInProfile] {
    BuiltInProfile.allCases.filter { name in
      guard let profile = try? name.profile else { return false }
      return profile.kind == profileKind && profile.form.records == .file
    }
  }

  package static func firstRows(
    _ count: Int, of file: FileDraft, _ form: ImportForm
  ) -> [Int: [String: (cell: Cell, kind: ColumnKind)]] {
    guard let layout = try? ImportLayout<Listed.Row>(form) else { return [:] }
    return ReferenceFile.rows(of: file.beginning(rows: count), layout).mapValues { row in
      let table = Table(Listed.columns, rows: [row])
      let cells =
        table.rows.first.map { cells in zip(table.headers, cells).map { ($0, ($1, $0.kind)) } } ?? []
      return Dictionary(cells.map { ($0.0.name, $0.1) }, uniquingKeysWith: { first, _ in first })
    }
  }

  private static func list(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  package static func adapted(_ row: Listed.Row, _ choice: Choice) -> Listed.Row { row }

  package static func unmatched(
    _ rows: GatheredRows<Listed.Row>, _ choice: Choice, _ reader: LedgerReader
  ) throws -> [Unmatched] {
    []
  }

  package static func warnings(
    _ rows: GatheredRows<Listed.Row>, _ stored: () throws -> [Listed.Row], _ reader: LedgerReader
  ) throws -> [Sentence] {
    []
  }

  /// Reads a file and goes on after a mistake; rows count only where there is none.
  package static func read(
    _ source: @escaping ReferenceFile.Source, _ layout: ImportLayout<Listed.Row>, _ choice: Choice,
    _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> ReferenceRows<Listed.Row> {
    try ReferenceFile.read(source, layout, &mistakes) { row in adapted(row, choice) }
  }

  /// Reads a file whose first mistake ends the reading.
  package static func rows(
    _ source: @escaping ReferenceFile.Source, _ choice: Choice,
    _ layout: ImportLayout<Listed.Row> = .standard
  ) throws(ReferenceFileError) -> ReferenceRows<Listed.Row> {
    var mistakes = ReferenceMistakes(most: 1)
    return try read(source, layout, choice, &mistakes)
  }

  private static func outcome(
    of rows: GatheredRows<Listed.Row>, _ changes: ReferenceChanges<Listed.Row>, _ choice: Choice,
    _ reader: LedgerReader, after stored: () throws -> [Listed.Row]
  ) throws -> ImportOutcome {
    var outcome = ImportOutcome()
    (outcome.added, outcome.changed) = (changes.added, changes.changed)
    (outcome.same, outcome.removed) = (changes.same, changes.removed)
    outcome.warnings = try warnings(rows, stored, reader)
    outcome.unmatched = try unmatched(rows, choice, reader)
    if rows.joined > 0 {
      outcome.notes.append(
        Sentence("rows added to earlier ones of the same keys: \(grouped: rows.joined)"))
    }
    outcome.notes += sentences(of: changes)
    outcome.summary = summary(of: changes, rows.count)
    return outcome
  }

  package static func preview(
    _ bytes: [UInt8], _ form: ImportForm, _ choice: Choice, _ reader: LedgerReader
  ) throws -> ImportPreview {
    let layout = try ImportLayout<Listed.Row>(form)
    var preview = ImportPreview()
    var mistakes = ReferenceMistakes(most: ImportPreview.mostMistakes)
    var rows: GatheredRows<Listed.Row>?
    var found: [ReferenceFileError]
    do throws(ReferenceFileError) {
      rows = try read(ReferenceFile.source(bytes), layout, choice, &mistakes).rows
      found = mistakes.found
    } catch {
      found = mistakes.found.contains(error) ? mistakes.found : mistakes.found + [error]
    }
    guard found.isEmpty, let rows else {
      preview.mistakes = found.sorted { $0.line < $1.line }.map {
        ImportMistake(line: $0.line, code: $0.code, sentence: $0.sentence)
      }
      return preview
    }
    var changes = ReferenceChanges<Listed.Row>()
    try rows.forEachChunk { changes += try reader.changes(importing: $0) }
    preview.outcome = try outcome(of: rows, changes, choice, reader) {
      try reader.imported(after: rows.all())
    }
    let replaced = changes.replaced.prefix(ImportPreview.mostShown).map(\.stored)
    preview.replaced = replaced.isEmpty ? nil : Table(Listed.columns, rows: replaced)
    return preview
  }

  package static func store(
    _ bytes: [UInt8], _ form: ImportForm, _ choice: Choice, in changes: any ChangeWriter, now: Instant
  ) throws -> ImportOutcome {
    let rows = try rows(ReferenceFile.source(bytes), choice, ImportLayout(form)).rows
    return try store(rows, choice, in: changes, now: now)
  }

  /// Stores the rows of a file, which was read whole and is right, some at a time, so that postbacks can come in between.
  ///
  /// - Throws: `LedgerError`; what was stored before stays, and storing the file again does the rest.
  package static func store(
    _ rows: GatheredRows<Listed.Row>, _ choice: Choice, in changes: any ChangeWriter, now: Instant
  ) throws -> ImportOutcome {
    let store = ReferenceStore(changes)
    var changed = ReferenceChanges<Listed.Row>()
    try rows.forEachChunk { changed += try store.put($0, importedAt: now) }
    let reader = try LedgerReader(path: changes.path)
    return try outcome(of: rows, changed, choice, reader) { try reader.imported() }
  }

  /// The earlier names that a later one ends.
  private static func sentences(of changes: ReferenceChanges<Listed.Row>) -> [Sentence] {
    Set(changes.adjusted).compactMap { change in
      guard let name = change.stored as? CampaignNameRow, let end = name.to else { return nil }
      return Sentence(
        "'\(name: name.name)' of \(owner(of: name)) ends on \(end), where a later name begins")
    }.sorted { $0.english < $1.english }
  }

  private static func owner(of name: CampaignNameRow) -> Sentence {
    let parts = [
      name.network.isEmpty ? nil : Sentence(name: name.network),
      name.app.map { Sentence("app \(code: $0)") },
      name.campaign.isEmpty ? nil : Sentence("campaign \(code: name.campaign)"),
    ].compactMap(\.self)
    return parts.dropFirst().reduce(parts.first ?? Sentence("")) { whole, part in
      Sentence("\(part) of \(whole)")
    }
  }

  private static func summary(of changes: ReferenceChanges<Listed.Row>, _ count: Int) -> Sentence {
    let parts = [
      changes.added > 0 ? Sentence("\(grouped: changes.added) new") : nil,
      changes.changed > 0 ? Sentence("\(grouped: changes.changed) changed") : nil,
      changes.same > 0 ? Sentence("\(grouped: changes.same) unchanged") : nil,
    ].compactMap(\.self)
    var summary = Sentence("\(Listed.noun(count)) stored")
    if !parts.isEmpty { summary = .joined([summary, .joined(parts, by: ", ")], by: ": ") }
    guard changes.removed > 0 else { return summary }
    let removed = Sentence("\(grouped: changes.removed) of another app or of none replaced")
    return .joined([summary, removed], by: "; ")
  }
}
