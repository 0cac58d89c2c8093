package import Arguments
package import Ledger
import MeasuredUsers
package import Postbacks
import Tables
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

  package static func preview(
    _ bytes: [UInt8], _ choice: Choice, _ reader: LedgerReader
  ) throws -> ImportPreview {
    var preview = ImportPreview()
    do {
      let measure = try measure(bytes, choice, reader)
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
    _ bytes: [UInt8], _ choice: Choice, in changes: any ChangeWriter, now: Instant
  ) throws -> ImportOutcome {
    let reader = try LedgerReader(path: changes.path)
    let measure = try measure(bytes, choice, reader)
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
    _ bytes: [UInt8], _ choice: Choice, _ reader: LedgerReader
  ) throws -> UserMeasure {
    do {
      return try UserFile.measure(bytes, of: known(choice.app), horizons: choice.horizon, reader)
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
