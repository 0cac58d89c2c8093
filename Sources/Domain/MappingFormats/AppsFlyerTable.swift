import JSONText
import Postbacks
import Values

/// AppsFlyer's table of conversion values for advertisers.
///
/// It names no currency, and sums above the highest range count in it. Source: AppsFlyer, "SKAN Conversion Studio"
/// pull API.
package enum AppsFlyerTable {
  static let columns = [
    "app_id", "conversion_value", "event_name", "min_event_counter", "max_event_counter", "min_event_revenue",
    "max_event_revenue", "min_time_post_install", "max_time_post_install",
  ]
  static let otherColumns = [
    "last_config_change", "postback_sequence_index", "coarse_conversion_value", "lock_window_type",
    "lock_window_time",
  ]

  /// Reads a CSV file as a mapping.
  ///
  /// - Throws: ``ImportDefect`` when the file has other columns, is for other apps only or holds no rule.
  package static func mapping(
    _ bytes: [UInt8], _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let table = CSVTable(bytes), Set(columns).isSubset(of: table.header) else { throw .notThisFormat }
    var rules = AppsFlyerRules(context)
    for column in table.header where !(columns + otherColumns).contains(column) {
      rules.log.add(.memberIgnored, Sentence("the column \(name: quoted(column)) is not imported"))
    }
    var groups: [Group] = []
    var locks: [(window: ConversionWindow, type: String)] = []
    var others = 0
    for (index, row) in table.rows.enumerated() {
      if let app = row?.app("app_id"), app != context.app {
        others += 1
        continue
      }
      do throws(RuleFault) {
        guard let row else { throw RuleFault(Sentence("its number of cells differs from the header")) }
        guard row.app("app_id") != nil else { throw RuleFault(Sentence("it names no app")) }
        try group(row, &groups)
        if row["last_config_change"] != nil {
          rules.log.add(
            .dateIgnored,
            Sentence("the file has the time of its last change, not the time from which devices use it"))
        }
        if let time = try row.text("lock_window_time"), let window = groups.last?.window {
          rules.log.add(
            .lockIgnored,
            Sentence(
              "window \(window.rawValue + 1) locks at time \(name: quoted(time)), which no rule can express; dropped"
            ))
        }
        if let type = try row.text("lock_window_type"), let window = groups.last?.window, locks.count < 16,
          !locks.contains(where: { $0.window == window && $0.type == type })
        {
          locks.append((window, type))
        }
      } catch { rules.log.drop(Sentence("row \(index + 1)"), error) }
    }
    if others > 0 { rules.log.add(.otherApp, Sentence("\(others) rows are for other apps")) }
    for group in groups {
      do throws(RuleFault) {
        let events = group.rows.filter { $0["event_name"] != nil }
        if let value = group.coarse {
          try rules.add(value, of: group.window, hours: group.rows[0], events: events)
        } else if let value = group.fine {
          try rules.add(value, hours: group.rows[0], events: events)
        }
      } catch { rules.log.drop(Sentence("a value of window \(group.window.rawValue + 1)"), error) }
    }
    for lock in locks { rules.lock(lock.window, type: lock.type) }
    guard !rules.isEmpty else { throw others > 0 && groups.isEmpty ? .otherApp : .noRule }
    rules.finish(opensTop: true)
    return rules.imported(measurementWindowHours: nil)
  }

  private struct Group {
    let window: ConversionWindow
    let fine: FineValue?
    let coarse: CoarseValue?
    var rows: [JSONObject]
  }

  /// Puts a row to the one above when both are of the same value.
  private static func group(_ row: JSONObject, _ groups: inout [Group]) throws(RuleFault) {
    let index = try row.integer("postback_sequence_index") ?? 0
    guard (0...2).contains(index), let window = ConversionWindow(rawValue: Int(index)) else {
      throw RuleFault(Sentence("there is no window \(index)"))
    }
    if row["event_name"] == nil,
      AppsFlyerRules.eventMembers.contains(where: { row[$0] != nil })
    {
      throw RuleFault(Sentence("it names no event"))
    }
    var coarse: CoarseValue?
    if let word = try row.text("coarse_conversion_value") {
      coarse = CoarseValue(rawValue: word)
      guard coarse != nil else { throw RuleFault(Sentence("\(name: quoted(word)) is not a coarse value")) }
    }
    var fine: FineValue?
    if row["conversion_value"] != nil {
      guard window == .first else { throw RuleFault(Sentence("only window 1 has fine values")) }
      guard coarse == nil else { throw RuleFault(Sentence("it has a fine and a coarse value")) }
      fine = try row.fineValue("conversion_value")
    }
    guard fine != nil || coarse != nil else { throw RuleFault(Sentence("it has no value")) }
    let isSame =
      groups.last.map { last in
        last.window == window && last.fine == fine && last.coarse == coarse
          && AppsFlyerRules.hourMembers.allSatisfy { last.rows[0][$0]?.value == row[$0]?.value }
      } ?? false
    if isSame, let name = row["event_name"]?.value {
      guard !(groups.last?.rows.contains { $0["event_name"]?.value == name } ?? false) else {
        throw RuleFault(Sentence("an earlier row has the same value and event"))
      }
      guard groups[groups.count - 1].rows.count < 32 else {
        throw RuleFault(Sentence("its value has more than 32 events"))
      }
      groups[groups.count - 1].rows.append(row)
    } else {
      groups.append(Group(window: window, fine: fine, coarse: coarse, rows: [row]))
    }
  }
}
