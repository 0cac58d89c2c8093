import CSVText
package import Mappings
import Postbacks
import Values

extension AppReportingPackTable {
  static let ability = ExportAbility(
    format: "the App Reporting Pack", events: 1...1, counts: .least, hasWorth: true, hasApp: true)

  /// Writes a mapping as a CSV file.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    let draft = try ExportDraft(mapping, ability, context)
    let written = draft.mapping
    var text = CSV.line(columns.map { .verbatim($0) })
    for rule in written.fine {
      guard let event = rule.conditions.events.first else { continue }
      let amounts =
        event.revenue.map { [$0.range.lower.amount, $0.range.upper.amount, $0.representative] }
        ?? [.zero, .zero, .zero]
      let cells =
        ["\(written.app.number)", event.name, "\(rule.value.number)", "\(event.count.min)"]
        + amounts.map { $0?.description ?? "" }
      text += CSV.line(cells.map { .verbatim($0) })
    }
    return draft.exported(Array(text.utf8))
  }
}
