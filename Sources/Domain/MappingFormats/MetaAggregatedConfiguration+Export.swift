import JSONText
package import Mappings
import Postbacks
import Values

extension MetaAggregatedConfiguration {
  /// The most rules of an app.
  ///
  /// Source: Meta, "Aggregated Event Measurement".
  static let mostRules = 8

  /// Writes a mapping as a configuration that uses priorities and starts when the mapping does.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written, or more than eight would have to be.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    let ability = ExportAbility(
      format: Sentence("Meta's aggregated measurement"), events: 1...16, ends: .from, needsLowerEnd: true,
      hasCurrencies: true, hasAlternatives: true, order: .ranks, raising: .never,
      measurement: .days(mapping.device == .skan3 ? 64 : 2), partner: .meta, hasCurrency: true, hasDate: true)
    let draft = try ExportDraft(mapping, ability, context)
    let written = draft.mapping
    guard written.fine.count <= mostRules else {
      throw ExportDefect(
        code: .tooManyRules,
        sentence: Sentence(
          "\(ability.format) has \(mostRules) rules at most, and the mapping \(written.fine.count)"),
        places: [])
    }
    let rules = written.fine.map { rule -> JSONOutput in
      [
        "conversion_value": .integer(Int64(rule.value.number)), "priority": .integer(Int64(rule.priority)),
        "events": MetaConfiguration.events(rule.conditions),
      ]
    }
    let file: JSONOutput = [
      "default_currency": .string(written.currency.text),
      "cutoff_time": .integer(Int64(written.measurementWindowHours ?? 48) / 24),
      "valid_from": .integer(written.effectiveFrom.seconds), "config_mode": "DEFAULT",
      "conversion_value_rules": .array(rules),
    ]
    return draft.exported(file.file)
  }
}
