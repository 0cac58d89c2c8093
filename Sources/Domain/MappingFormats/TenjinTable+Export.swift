import CSVText
package import Mappings
import Postbacks
import Values

extension TenjinTable {
  static let ability = ExportAbility(
    format: "Tenjin", events: 0...1, needsUpperEnd: true, hasCurrencies: true)

  /// Writes a mapping as a CSV file.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written, or a range has no upper end.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    let draft = try ExportDraft(mapping, ability, context)
    let written = draft.mapping
    var text = CSV.line(columns.map { .verbatim($0) })
    for rule in written.fine {
      let event = rule.conditions.events.first
      let revenue = event?.revenue
      let cells = [
        "\(rule.value.number)", event?.name ?? "", revenue?.range.lower.amount?.description ?? "",
        revenue?.range.upper.amount?.description ?? "", revenue?.currency.text ?? "",
      ]
      text += CSV.line(cells.map { .verbatim($0) })
    }
    let exported = draft.exported(Array(text.utf8))
    return ExportedMapping(
      bytes: exported.bytes, mapping: exported.mapping, remarks: exported.remarks + gaps(written))
  }

  /// Remarks on ranges that do not touch the next one, which Tenjin wants them to.
  private static func gaps(_ mapping: Mapping) -> [ExportRemark] {
    var log = ExportLog()
    for rule in mapping.fine {
      guard let event = rule.conditions.events.first, let revenue = event.revenue,
        let high = revenue.range.upper.amount
      else { continue }
      let floors = mapping.fine.compactMap { other -> Amount? in
        guard let above = other.conditions.events.first, above.name == event.name,
          above.revenue?.currency == revenue.currency
        else { return nil }
        return above.revenue?.range.lower.amount
      }
      if let next = floors.filter({ $0 >= high }).min(), next > high {
        log.add(
          .gap, "Tenjin wants ranges that touch, and nothing lies between \(high) and \(next)",
          "value \(rule.value.number)")
      }
    }
    return log.remarks
  }
}
