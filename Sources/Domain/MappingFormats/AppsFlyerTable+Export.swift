import CSVText
package import Mappings
import Postbacks
import Values

extension AppsFlyerTable {
  static let ability = ExportAbility(
    format: Sentence("AppsFlyer's table"), counts: .range, hasHours: true, ends: .upper, needsUpperEnd: true,
    dropsThousandth: true, coarse: ConversionWindow.allCases, locks: .high, partner: .appsflyer, hasApp: true)

  /// Writes a mapping as a CSV file.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written, or a range has no upper end.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    var draft = try ExportDraft(mapping, ability, context)
    let written = draft.mapping
    let columns = Self.columns + otherColumns
    var text = CSV.line(columns.map { .verbatim($0) })
    for rule in written.fine {
      text += lines(rule.conditions, written.app, window: .first, fine: "\(rule.value.number)")
    }
    for (window, rules) in written.coarse.sorted(by: { $0.key < $1.key }) {
      for rule in rules.rules {
        text += lines(
          rule.conditions, written.app, window: window, coarse: rule.value.rawValue,
          lock: rule.lock ? "high-coarse" : "")
      }
    }
    // Sums above the highest range count in it for every reader of the file.
    draft.changeConditions(AppsFlyerRules.opened)
    return draft.exported(Array(text.utf8))
  }

  private static func lines(
    _ conditions: Conditions, _ app: AppID, window: ConversionWindow, fine: String = "", coarse: String = "",
    lock: String = ""
  ) -> String {
    let events: [EventCondition?] = conditions.events.isEmpty ? [nil] : conditions.events
    var text = ""
    for event in events {
      var cells: [String] = ["id\(app.number)", fine, event?.name ?? ""]
      cells += limits(event?.count == .atLeastOnce ? nil : event?.count.min, event?.count.max)
      let range = event?.revenue?.range
      cells += limits(range?.lower.amount, range?.upper.amount)
      cells += limits(conditions.activeHours?.from, conditions.activeHours?.to)
      cells += ["", "\(window.rawValue)", coarse, lock, ""]
      text += CSV.line(cells.map { .verbatim($0) })
    }
    return text
  }

  private static func limits(_ least: Int?, _ most: Int?) -> [String] {
    [least.map { "\($0)" } ?? "", most.map { "\($0)" } ?? ""]
  }

  private static func limits(_ low: Amount?, _ high: Amount?) -> [String] {
    [low?.description ?? "", high?.description ?? ""]
  }
}
