import CSVText
import JSONText
package import Mappings
import Postbacks
import Values

/// The table of conversion values of Google's App Reporting Pack.
///
/// It states what each value is worth at least, on average and at most. Source: google/app-reporting-pack,
/// `how-to-specify-ios-skan-schema.md`.
package enum AppReportingPackTable {
  static let columns = [
    "app_id", "skan_mapped_event", "skan_conversion_value", "skan_event_count", "skan_event_value_low",
    "skan_event_value_high", "skan_event_value_mean",
  ]

  /// Reads a CSV file as a mapping.
  ///
  /// - Throws: ``ImportDefect`` when the file has other columns, is for other apps only or holds no rule.
  package static func mapping(
    _ bytes: [UInt8], _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    var log = ImportLog(context)
    var others = 0
    let fine = try ValueRows(bytes, columns, value: "skan_conversion_value").rules(&log) {
      row, log throws(RuleFault) in
      guard let app = row.app("app_id") else { throw RuleFault(Sentence("it names no app")) }
      guard app == context.app else {
        others += 1
        return nil
      }
      return try log.conditions([try event(row, &log)])
    }
    if others > 0 { log.add(.otherApp, Sentence("\(others) rows are for other apps")) }
    guard !fine.isEmpty || others == 0 else { throw .otherApp }
    return try log.imported(fine: fine)
  }

  private static func event(_ row: JSONObject, _ log: inout ImportLog) throws(RuleFault) -> EventCondition {
    let name = try row.requiredText("skan_mapped_event")
    let least = try row.integer("skan_event_count")
    if least ?? 1 > 1 { log.add(.countAssumed, Sentence("a count is read as the minimum")) }
    let count = try JSONObject.counts(least, nil) ?? .atLeastOnce
    let low = try row.amount("skan_event_value_low")
    let high = try row.amount("skan_event_value_high")
    let mean = try row.amount("skan_event_value_mean")
    // Rows without money have zeros.
    guard [low, high, mean].contains(where: { $0 != nil && $0 != .zero }) else {
      return EventCondition(name: name, count: count)
    }
    guard let range = try log.range(low, high) else {
      throw RuleFault(Sentence("it has a mean and no range"))
    }
    guard let revenue = RevenueCondition(range, try log.currency(nil), representative: mean) else {
      throw RuleFault(Sentence("its mean lies outside its range"))
    }
    return EventCondition(name: name, count: count, revenue: revenue)
  }

  static let ability = ExportAbility(
    format: Sentence("the App Reporting Pack"), events: 1...1, counts: .least, hasWorth: true, hasApp: true)

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
