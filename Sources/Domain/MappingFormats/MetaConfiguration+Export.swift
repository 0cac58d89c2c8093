import JSONText
package import Mappings
import Postbacks
import Values

extension MetaConfiguration {
  static let ability = ExportAbility(
    format: Sentence("Meta's configuration"), events: 1...16, ends: .above, needsLowerEnd: true,
    hasCurrencies: true,
    hasAlternatives: true, order: .values, coarse: ConversionWindow.allCases, raising: .always,
    measurement: .days(2), partner: .meta, hasCurrency: true)

  /// Writes a mapping as a configuration.
  ///
  /// A range becomes the amount it begins at; the next rule for the same events ends it.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    var draft = try ExportDraft(mapping, ability, context)
    draft.changeConditions(closed)
    let written = draft.mapping
    // Rules of one value are read in the order in which they appear, from the highest value down.
    let fine = written.fine.indices.sorted {
      (written.fine[$0].value.number, $1) < (written.fine[$1].value.number, $0)
    }.map { index -> JSONOutput in
      let rule = written.fine[index]
      return ["conversion_value": .integer(Int64(rule.value.number)), "events": events(rule.conditions)]
    }
    let coarse = written.coarse.sorted { $0.key < $1.key }.map { window, rules -> JSONOutput in
      [
        "postback_sequence_index": .integer(Int64(window.rawValue) + 1),
        "coarse_cv_rules": .array(
          rules.rules.map {
            ["coarse_cv_value": .string($0.value.rawValue), "events": events($0.conditions)]
          }),
      ]
    }
    var members: [JSONOutput.Member] = [
      .init("timer_buckets", 1), .init("timer_interval", .integer(Day.seconds)),
      .init(
        "cutoff_time", .integer(Int64(written.measurementWindowHours ?? ConversionWindow.first.endHour) / 24)),
      .init("default_currency", .string(written.currency.text)),
      .init("conversion_value_rules", .array(fine)),
    ]
    if !coarse.isEmpty { members.append(.init("coarse_cv_configs", .array(coarse))) }
    let file: JSONOutput = ["data": [.object(members)]]
    let exported = draft.exported(file.file)
    return ExportedMapping(
      bytes: exported.bytes, mapping: exported.mapping, remarks: exported.remarks + falls(written))
  }

  /// The events of a rule, with the amounts above which they count.
  static func events(_ conditions: Conditions) -> JSONOutput {
    .array(
      conditions.events.map { event in
        var members: [JSONOutput.Member] = [.init("event_name", .string(event.name))]
        if let revenue = event.revenue, let amount = revenue.range.lower.amount {
          members.append(
            .init("values", [["currency": .string(revenue.currency.text), "amount": amount.json]]))
        }
        return .object(members)
      })
  }

  /// Ends ranges where the next rule for the same events begins, as importing does.
  private static func closed(_ ladder: [Conditions]) -> [Conditions] {
    ladder.map { conditions in
      let events = conditions.events.map { event -> EventCondition in
        guard let revenue = event.revenue, let amount = revenue.range.lower.amount else { return event }
        let steps = ladder.compactMap { rung -> Amount? in
          guard rung.events.map(\.name) == conditions.events.map(\.name),
            let other = rung.events.first(where: { $0.name == event.name })?.revenue,
            other.currency == revenue.currency
          else { return nil }
          return other.range.lower.amount
        }
        guard let next = steps.filter({ $0 > amount }).min(),
          let range = AmountRange(lower: revenue.range.lower, upper: .closed(next))
        else { return event }
        return EventCondition(
          name: event.name, count: event.count, revenue: RevenueCondition(range, revenue.currency))
      }
      return Conditions(events: events)
    }
  }

  /// Remarks on rules that ask for more than another one of a higher value, which Meta's SDK then prefers.
  private static func falls(_ mapping: Mapping) -> [ExportRemark] {
    var log = ExportLog()
    for rule in mapping.fine {
      guard rule.conditions.events.count == 1, let event = rule.conditions.events.first,
        let amount = event.revenue?.range.lower.amount
      else { continue }
      let isBelow = mapping.fine.contains { other in
        guard other.value > rule.value, other.conditions.events.count == 1,
          let above = other.conditions.events.first, above.name == event.name,
          above.revenue?.currency == event.revenue?.currency, let floor = above.revenue?.range.lower.amount
        else { return false }
        return floor < amount
      }
      if isBelow {
        log.add(
          .fallingLadder,
          Sentence("Meta's SDK gives users with this value a higher value with a lower amount"),
          .rule(.fine(rule.value)))
      }
    }
    return log.remarks
  }
}

extension JSONOutput {
  /// The bytes of a file that people look into.
  var file: [UInt8] { bytes(pretty: true) + [0x0A] }
}
