import CSVText
import JSONText
package import Mappings
import Postbacks
import Values

/// Tenjin's table of conversion values.
///
/// Rows of revenue have a currency, others must not have one, and ranges touch. Source: Tenjin, "Upload conversion
/// value schema".
package enum TenjinTable {
  static let columns = ["cv", "custom_event_name", "min_range", "max_range", "currency"]

  /// Reads a CSV file as a mapping.
  ///
  /// - Throws: ``ImportDefect`` when the file has other columns or holds no rule.
  package static func mapping(
    _ bytes: [UInt8], _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    var log = ImportLog(context)
    let fine = try ValueRows(bytes, columns, value: "cv").rules(&log) { row, log throws(RuleFault) in
      try log.conditions(try event(row, &log).map { [$0] } ?? [])
    }
    remarkGaps(fine, &log)
    return try log.imported(fine: fine)
  }

  private static func event(_ row: JSONObject, _ log: inout ImportLog) throws(RuleFault) -> EventCondition? {
    let currency = try row.text("currency")
    let range = try log.range(try row.amount("min_range"), try row.amount("max_range"))
    guard let name = try row.text("custom_event_name") else {
      guard range == nil, currency == nil else { throw RuleFault(Sentence("it names no event")) }
      return nil
    }
    guard let range else {
      if currency != nil { throw RuleFault(Sentence("it has a currency and no range")) }
      return EventCondition(name: name)
    }
    return EventCondition(
      name: name, revenue: try log.revenue(range, try log.currency(currency), of: name))
  }

  private static func remarkGaps(_ fine: [FineRule], _ log: inout ImportLog) {
    let events = fine.compactMap(\.conditions.events.first)
    for event in events {
      guard let revenue = event.revenue, let high = revenue.range.upper.amount else { continue }
      let next = events.filter { $0.name == event.name && $0.revenue?.currency == revenue.currency }
        .compactMap { $0.revenue?.range.lower.amount }.filter { $0 >= high }.min()
      if let next, next > high {
        log.add(.gap, Sentence("\(name: quoted(event.name)) has no value between \(high) and \(next)"))
      } else if next == nil {
        log.add(.topMissing, Sentence("\(name: quoted(event.name)) above \(high) has no value"))
      }
    }
  }

  static let ability = ExportAbility(
    format: Sentence(name: "Tenjin"), events: 0...1, needsUpperEnd: true, hasCurrencies: true)

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
          .gap, Sentence("Tenjin wants ranges that touch, and nothing lies between \(high) and \(next)"),
          .rule(.fine(rule.value)))
      }
    }
    return log.remarks
  }
}
