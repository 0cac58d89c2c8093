package import Arguments
import EventFiles
package import Intake
package import Ledger
import MeasuredUsers
package import Postbacks
package import Tables
package import Values

/// The import of what the advertiser's own users paid by value.
package enum UserImport: ImportKind {
  package typealias Listed = UserRows

  /// Whose users they are, and how long their revenue counts.
  package struct Choice: Query {
    package var app: AppID?
    package var horizon: [Int] = []

    package init() {}

    package static let parameters: [Parameter<Self>] = [
      .init("app", \.app, "App Store number of the app."),
      .init("horizon", \.horizon, "Days since install whose revenue is measured too.", in: 1...3_650),
    ]
  }

  package static let columns = "user, time and event, and optionally revenue, currency and more"

  package static var fileColumns: [FileColumn] {
    (EventColumn.required + EventColumn.allCases.filter { !EventColumn.required.contains($0) }).map {
      FileColumn(
        name: $0.rawValue, title: $0.title, content: .other,
        isRequired: EventColumn.required.contains($0),
        isOftenTheSame: false, otherNames: $0.otherNames)
    }
  }

  package static let profiles: [BuiltInProfile] = []

  package static func firstRows(
    _ count: Int, of file: FileDraft, _ form: ImportForm
  ) -> [Int: [String: (cell: Cell, kind: ColumnKind)]] {
    guard let columns = try? columns(form) else { return [:] }
    let rows = file.first.prefix(count).map { line, texts in
      (line, Dictionary(zip(file.names, texts), uniquingKeysWith: { first, _ in first }))
    }
    return Dictionary(uniqueKeysWithValues: rows).mapValues { texts in
      let cells = EventColumn.allCases.compactMap { column -> (String, (cell: Cell, kind: ColumnKind))? in
        guard let text = texts[columns.name(of: column)], !text.isEmpty else { return nil }
        switch column {
        case .time:
          return (Int64(text).map { Instant(seconds: $0) } ?? Instant(text)).map {
            (column.rawValue, (.text($0.description), .time))
          }
        case .revenue:
          let pointed = file.hasDecimalCommas ? Amount.pointed(text) : nil
          return (try? Amount(decimal: pointed ?? text)).map {
            (column.rawValue, (.decimal(micros: $0.micros), .money(nil)))
          }
        default: return (column.rawValue, (.text(text), .text))
        }
      }
      return Dictionary(uniqueKeysWithValues: cells)
    }
  }

  /// What the columns of an events file are called.
  private static func columns(_ form: ImportForm) throws(EventColumns.Defect) -> EventColumns {
    var renamed: [EventColumn: String] = [:]
    var unread: Set<EventColumn> = []
    for column in EventColumn.allCases {
      switch form.sources[column.rawValue] {
      case .named(let name): renamed[column] = name
      case .leftOut: unread.insert(column)
      case .fixed, nil: break
      }
    }
    var columns = try EventColumns(renamed: renamed)
    columns.unread = unread
    return columns
  }

  package static func preview(
    _ bytes: [UInt8], _ form: ImportForm, _ choice: Choice, _ reader: LedgerReader
  ) throws -> ImportPreview {
    var preview = ImportPreview()
    do {
      let measure = try measure(bytes, form, choice, reader)
      let stored = try reader.valueWorth()
      func table(_ rows: [ValueWorthRow], _ finalHours: [FinalHourRow]) -> Table {
        Table(
          UserRows.columns, rows: UserRows.rows(Array(rows.prefix(ImportPreview.mostShown)), finalHours))
      }
      preview.outcome = outcome(of: measure, stored)
      preview.sample = table(measure.rows, measure.finalHours)
      let replaced = replaced(by: measure, stored)
      preview.replaced = replaced.isEmpty ? nil : table(replaced, try reader.finalHours())
    } catch let mistake as ImportMistake {
      preview.mistakes = [mistake]
    }
    return preview
  }

  package static func store(
    _ bytes: [UInt8], _ form: ImportForm, _ choice: Choice, in changes: any ChangeWriter, now: Instant
  ) throws -> ImportOutcome {
    let reader = try LedgerReader(path: changes.path)
    let measure = try measure(bytes, form, choice, reader)
    let before = try reader.valueWorth()
    let app = try known(choice.app)
    let store = ReferenceStore(changes)
    for version in measure.versions {
      try store.replaceWorth(
        of: app, effectiveFrom: version.effectiveFrom, with: version.rows, finalHours: version.finalHours,
        windowUpdates: version.windowUpdates, withinValues: version.withinValues)
    }
    try store.note(usersImportedAt: now, rows: measure.rows.count)
    return outcome(of: measure, before)
  }

  private static func known(_ app: AppID?) throws(ImportMistake) -> AppID {
    guard let app else {
      throw ImportMistake(
        line: 1, code: "no-app", sentence: Sentence("no app is chosen; give its App Store number"))
    }
    return app
  }

  private static func measure(
    _ bytes: [UInt8], _ form: ImportForm, _ choice: Choice, _ reader: LedgerReader
  ) throws -> UserMeasure {
    do {
      return try UserFile.measure(
        bytes, columns(form), of: known(choice.app), horizons: choice.horizon, reader)
    } catch let error as UserFile.Mistake {
      throw ImportMistake(line: error.line, code: error.code, sentence: error.sentence)
    }
  }

  private static func replaced(by measure: UserMeasure, _ stored: [ValueWorthRow]) -> [ValueWorthRow] {
    let keys = Set(measure.rows.map { [$0.app.number, $0.effectiveFrom.milliseconds] })
    return stored.filter { keys.contains([$0.app.number, $0.effectiveFrom.milliseconds]) }
  }

  private static func outcome(of measure: UserMeasure, _ stored: [ValueWorthRow]) -> ImportOutcome {
    var outcome = ImportOutcome()
    outcome.added = measure.rows.count
    outcome.removed = replaced(by: measure, stored).count
    outcome.notes = measure.notes
    let stored = Sentence("\(Listed.noun(measure.rows.count)) stored")
    outcome.summary =
      outcome.removed > 0
      ? .joined([stored, Sentence("\(grouped: outcome.removed) replaced")], by: "; ") : stored
    return outcome
  }
}
