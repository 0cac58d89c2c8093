import JSONText
import Mappings
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
    guard let table = CSVTable(bytes), Set(columns).isSubset(of: table.header) else { throw .notThisFormat }
    var log = ImportLog(context)
    for column in table.header where !columns.contains(column) {
      log.add(.memberIgnored, "the column \(quoted(column)) is not imported")
    }
    log.add(.precedenceAssumed, "if several values match, the highest applies")
    var fine: [FineRule] = []
    for (index, row) in table.rows.enumerated() {
      do throws(RuleFault) {
        guard let row else { throw RuleFault("its number of cells differs from the header") }
        let value = try row.fineValue("cv")
        guard !fine.contains(where: { $0.value == value }) else {
          throw RuleFault("value \(value.number) is a duplicate")
        }
        let event = try event(row, &log)
        fine.append(FineRule(value: value, conditions: try log.conditions(event.map { [$0] } ?? [])))
      } catch { log.drop("row \(index + 1)", error) }
    }
    guard !fine.isEmpty else { throw .noRule }
    remarkGaps(fine, &log)
    let mapping = Mapping(
      name: context.name, app: context.app, currency: context.currency, effectiveFrom: context.effectiveFrom,
      device: context.device, fine: fine)
    return ImportedMapping(mapping: mapping, remarks: log.remarks)
  }

  private static func event(_ row: JSONObject, _ log: inout ImportLog) throws(RuleFault) -> EventCondition? {
    let currency = try row.text("currency")
    let range = try log.range(try row.amount("min_range"), try row.amount("max_range"))
    guard let name = try row.text("custom_event_name") else {
      guard range == nil, currency == nil else { throw RuleFault("it names no event") }
      return nil
    }
    guard let range else {
      if currency != nil { throw RuleFault("it has a currency and no range") }
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
        log.add(.gap, "\(quoted(event.name)) has no value between \(high) and \(next)")
      } else if next == nil {
        log.add(.topMissing, "\(quoted(event.name)) above \(high) has no value")
      }
    }
  }
}
