import JSONText
import Mappings
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
    guard let table = CSVTable(bytes), Set(columns).isSubset(of: table.header) else { throw .notThisFormat }
    var log = ImportLog(context)
    for column in table.header where !columns.contains(column) {
      log.add(.memberIgnored, "the column \(quoted(column)) is not imported")
    }
    log.add(.precedenceAssumed, "if several values match, the highest applies")
    var fine: [FineRule] = []
    var others = 0
    for (index, row) in table.rows.enumerated() {
      if let app = row?.app("app_id"), app != context.app {
        others += 1
        continue
      }
      do throws(RuleFault) {
        guard let row else { throw RuleFault("its number of cells differs from the header") }
        guard row.app("app_id") != nil else { throw RuleFault("it names no app") }
        let value = try row.fineValue("skan_conversion_value")
        guard !fine.contains(where: { $0.value == value }) else {
          throw RuleFault("value \(value.number) is a duplicate")
        }
        fine.append(FineRule(value: value, conditions: try log.conditions([try event(row, &log)])))
      } catch { log.drop("row \(index + 1)", error) }
    }
    if others > 0 { log.add(.otherApp, "\(others) rows are for other apps") }
    guard !fine.isEmpty else { throw others > 0 ? .otherApp : .noRule }
    let mapping = Mapping(
      name: context.name, app: context.app, currency: context.currency, effectiveFrom: context.effectiveFrom,
      device: context.device, fine: fine)
    return ImportedMapping(mapping: mapping, remarks: log.remarks)
  }

  private static func event(_ row: JSONObject, _ log: inout ImportLog) throws(RuleFault) -> EventCondition {
    let name = try row.requiredText("skan_mapped_event")
    let least = try row.integer("skan_event_count")
    if least ?? 1 > 1 { log.add(.countAssumed, "a count is read as the minimum") }
    let count = try JSONObject.counts(least, nil) ?? .atLeastOnce
    let low = try row.amount("skan_event_value_low")
    let high = try row.amount("skan_event_value_high")
    let mean = try row.amount("skan_event_value_mean")
    // Rows without money have zeros.
    guard [low, high, mean].contains(where: { $0 != nil && $0 != .zero }) else {
      return EventCondition(name: name, count: count)
    }
    guard let range = try log.range(low, high) else { throw RuleFault("it has a mean and no range") }
    guard let revenue = RevenueCondition(range, try log.currency(nil), representative: mean) else {
      throw RuleFault("its mean lies outside its range")
    }
    return EventCondition(name: name, count: count, revenue: revenue)
  }
}
