import JSONText
package import Mappings
import Postbacks
import Values

extension GA4Schema {
  static let mostEntries = 128

  /// Writes a mapping as a schema, whose entries are in the order in which they are tried.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written, or more than 128 of a window would have to be.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    let ability = ExportAbility(
      format: Sentence(name: "Google Analytics"), events: 1...3, counts: .range, hasAlternatives: true,
      order: .list,
      coarse: [.second, .third], hasCoarseBesideFine: true, longestLabel: 50, longestName: 40, locks: .each)
    let draft = try ExportDraft(mapping, ability, context)
    let written = draft.mapping
    var members: [JSONOutput.Member] = []
    for (window, name) in zip(ConversionWindow.allCases, windowNames) {
      let entries =
        window == .first
        ? written.fine.map {
          entry($0.label, $0.value, $0.coarse, $0.conditions, lock: $0.lock)
        }
        // The first entry that holds applies, so that the highest value has to be first.
        : CoarseValue.allCases.reversed().flatMap { value in
          (written.coarse[window]?.rules ?? []).filter { $0.value == value }.map {
            entry($0.label, nil, value, $0.conditions, lock: $0.lock)
          }
        }
      guard entries.count <= mostEntries else {
        throw ExportDefect(
          code: .tooManyRules,
          sentence: Sentence("\(ability.format) has \(mostEntries) entries a window at most"),
          places: [.window(window)])
      }
      members.append(
        .init(name, ["postbackWindowSettingsEnabled": true, "conversionValues": .array(entries)]))
    }
    members.append(.init("applyConversionValues", true))
    return draft.exported(JSONOutput.object(members).file)
  }

  private static func entry(
    _ label: String?, _ fine: FineValue?, _ coarse: CoarseValue?, _ conditions: Conditions, lock: Bool
  ) -> JSONOutput {
    var members: [JSONOutput.Member] = []
    if let label { members.append(.init("displayName", .string(label))) }
    if let fine { members.append(.init("fineValue", .integer(Int64(fine.number)))) }
    if let coarse { members.append(.init("coarseValue", .string(coarse.rawValue.uppercased()))) }
    members.append(.init("eventMappings", .array(conditions.events.map(event))))
    members.append(.init("lockEnabled", .bool(lock)))
    return .object(members)
  }

  private static func event(_ event: EventCondition) -> JSONOutput {
    var members: [JSONOutput.Member] = [.init("eventName", .string(event.name))]
    // An entry needs at least one limit.
    if event.count != .atLeastOnce || event.revenue == nil {
      members.append(.init("minEventCount", .string("\(event.count.min)")))
    }
    if let most = event.count.max { members.append(.init("maxEventCount", .string("\(most)"))) }
    if let low = event.revenue?.range.lower.amount { members.append(.init("minEventValue", low.json)) }
    if let high = event.revenue?.range.upper.amount { members.append(.init("maxEventValue", high.json)) }
    return .object(members)
  }
}
