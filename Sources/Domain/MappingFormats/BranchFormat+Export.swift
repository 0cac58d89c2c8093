import JSONText
package import Mappings
import Postbacks
import Values

extension BranchFormat {
  static let ability = ExportAbility(
    format: Sentence(name: "Branch"), events: 0...1, needsLowerEnd: true, needsUpperEnd: true,
    hasAlternatives: true,
    order: .values, coarse: ConversionWindow.allCases, locks: .each, raising: .stated, hasApp: true)

  /// Writes a mapping.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written, or a range has no upper end.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    var draft = try ExportDraft(mapping, ability, context)
    // Its name for the first launch, for which our rules have no condition.
    draft.changeConditions { all in
      all.map { $0.events.map(\.name) == [install] && $0.events[0].revenue == nil ? Conditions() : $0 }
    }
    let written = draft.mapping
    var windows: [JSONOutput.Member] = []
    for window in ConversionWindow.allCases {
      var entries: [JSONOutput] = []
      if window == .first {
        for value in Set(written.fine.map(\.value)).sorted() {
          let rules = written.fine.filter { $0.value == value }
          entries.append(entry("\(value.number)", rules.map { condition($0.conditions, lock: $0.lock) }))
        }
      }
      let coarse = written.coarse[window]?.rules ?? []
      for value in CoarseValue.allCases {
        let rules = coarse.filter { $0.value == value }
        guard !rules.isEmpty else { continue }
        entries.append(entry(value.rawValue, rules.map { condition($0.conditions, lock: $0.lock) }))
      }
      windows.append(.init("postback-sequence-index-\(window.rawValue)", .array(entries)))
    }
    let file: JSONOutput = [
      "app-id": .string("\(written.app.number)"), "ascending-only": .bool(written.isRaiseOnly),
      "mapping": .object(windows),
    ]
    return draft.exported(file.file)
  }

  private static func entry(_ value: String, _ conditions: [JSONOutput]) -> JSONOutput {
    ["conversion-value": .string(value), "conversion-event": .array(conditions)]
  }

  private static func condition(_ conditions: Conditions, lock: Bool) -> JSONOutput {
    let event = conditions.events.first
    var values: [JSONOutput.Member] = [.init("name", ["eq", .string(event?.name ?? install)])]
    if let range = event?.revenue?.range, let low = range.lower.amount, let high = range.upper.amount {
      values.append(.init("event_data.revenue", ["between", low.json, high.json]))
    }
    return ["values": .object(values), "locked": .bool(lock)]
  }
}
