import JSONText
package import Mappings
import Postbacks
import Values

extension AirbridgeFormat {
  static let ability = ExportAbility(
    format: Sentence(name: "Airbridge"), ends: .lower, hasAlternatives: true,
    coarse: ConversionWindow.allCases,
    hasCurrency: true)

  /// Writes a mapping in the form of today.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    let draft = try ExportDraft(mapping, ability, context)
    let written = draft.mapping
    let last = written.coarse.keys.max() ?? .first
    let postbacks = ConversionWindow.allCases.filter { $0 <= last }.map { window -> JSONOutput in
      var parts: [JSONOutput.Member] = []
      if window == .first {
        let rules = written.fine.map {
          rule($0.conditions, .string("\($0.value.number)"))
        }
        parts.append(.init("fine", ["schema": .array(rules)]))
      }
      if let rules = written.coarse[window]?.rules {
        let rules = rules.map { rule($0.conditions, .string($0.value.rawValue)) }
        parts.append(.init("coarse", ["schema": .array(rules)]))
      }
      return ["conversion_schema": .object(parts)]
    }
    let file: JSONOutput = [
      "default_currency": .string(written.currency.text), "postbacks": .array(postbacks),
    ]
    return draft.exported(file.file)
  }

  /// Writes a mapping in the older form, which has fine values only.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written.
  static func exportBits(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    var ability = ability
    ability.coarse = []
    let draft = try ExportDraft(mapping, ability, context)
    let rules = draft.mapping.fine.map {
      rule($0.conditions, .integer(Int64($0.value.number)), isOld: true)
    }
    let file: JSONOutput = [
      "default_currency": .string(draft.mapping.currency.text), "conversion_bits_rules": .array(rules),
    ]
    return draft.exported(file.file)
  }

  private static func rule(_ conditions: Conditions, _ value: JSONOutput, isOld: Bool = false) -> JSONOutput {
    let events = conditions.events.map { event -> JSONOutput in
      var members: [JSONOutput.Member] = [.init("event_name", .string(event.name))]
      if !isOld {
        members.append(.init("partner_event_name", .string(event.name)))
        members.append(.init("measurement_type", event.revenue == nil ? "engagement" : "revenue"))
      }
      if let range = event.revenue?.range {
        var values: [JSONOutput.Member] = []
        if let low = range.lower.amount {
          values.append(.init(isOld ? "amount" : "min_amount", low.json))
        }
        if let high = range.upper.amount { values.append(.init("max_amount", high.json)) }
        members.append(.init("values", .object(values)))
      }
      return .object(members)
    }
    let overlap = isOld ? [] : [JSONOutput.Member("is_overlapped", false)]
    return .object([.init("conversion_value", value)] + overlap + [.init("events", .array(events))])
  }
}
