import JSONText
package import Mappings
import Postbacks
import Values

extension AppsFlyerSchema {
  static let ability = ExportAbility(
    format: Sentence(name: "AppsFlyer"), counts: .range, hasHours: true, ends: .upper, needsUpperEnd: true,
    dropsThousandth: true, hasCurrencies: true, coarse: ConversionWindow.allCases, locks: .high,
    measurement: .hours, partner: .appsflyer, hasApp: true)

  /// Writes a mapping as a schema of version 2.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written, or a range has no upper end.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    let draft = try ExportDraft(mapping, ability, context)
    let written = draft.mapping
    let windows = ConversionWindow.allCases.filter { $0 == .first || written.coarse[$0] != nil }
    let postbacks = windows.map { window -> JSONOutput in
      let rules = written.coarse[window]?.rules ?? []
      var values: [JSONOutput.Member] = []
      if window == .first { values.append(.init("fine", fine(written))) }
      if !rules.isEmpty {
        values.append(
          .init("coarse", .array(rules.map { entry(.string($0.value.rawValue), $0.conditions) })))
      }
      var members: [JSONOutput.Member] = [
        .init("postback_sequence_index", .integer(Int64(window.rawValue))),
        .init("measurement_window", .integer(Int64(window.endHour))),
      ]
      if rules.contains(where: \.lock) { members.append(.init("lock_window_type", "high-coarse")) }
      members.append(.init("conversion_value_mapping", .object(values)))
      return .object(members)
    }
    let file: JSONOutput = ["data": .object(head(written) + [.init("postbacks", .array(postbacks))])]
    return draft.exported(file.file)
  }

  /// Writes a mapping as a schema of version 1, which has fine values only.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written, or a range has no upper end.
  static func exportFirstVersion(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    var ability = ability
    ability.coarse = []
    let draft = try ExportDraft(mapping, ability, context)
    let app = JSONOutput.object(
      head(draft.mapping) + [.init("conversion_value_mapping", fine(draft.mapping))])
    let file: JSONOutput = ["data": [app]]
    return draft.exported(file.file)
  }

  private static func head(_ mapping: Mapping) -> [JSONOutput.Member] {
    let hours = mapping.measurementWindowHours.map {
      JSONOutput.Member("measurement_window", .integer(Int64($0)))
    }
    return [.init("app_id", .string("id\(mapping.app.number)"))] + (hours.map { [$0] } ?? [])
  }

  private static func fine(_ mapping: Mapping) -> JSONOutput {
    .array(mapping.fine.map { entry(.integer(Int64($0.value.number)), $0.conditions) })
  }

  private static func entry(_ value: JSONOutput, _ conditions: Conditions) -> JSONOutput {
    var members: [JSONOutput.Member] = [.init("conversion_value", value)]
    if let hours = conditions.activeHours {
      members.append(.init("min_time_post_install", .integer(Int64(hours.from))))
      members.append(.init("max_time_post_install", .integer(Int64(hours.to))))
    }
    members.append(.init("events", .array(conditions.events.map(event))))
    return .object(members)
  }

  private static func event(_ event: EventCondition) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("event_name", .string(event.name)), .init("mapped_event_name", .string(event.name)),
      .init("conversion_event", false),
    ]
    if event.count != .atLeastOnce {
      if let middle = event.count.middle { members.append(.init("event_counter", .integer(Int64(middle)))) }
      members.append(.init("min_event_counter", .integer(Int64(event.count.min))))
      if let most = event.count.max { members.append(.init("max_event_counter", .integer(Int64(most)))) }
    }
    if let revenue = event.revenue {
      if let low = revenue.range.lower.amount {
        members.append(.init("min_event_revenue", AppsFlyerRules.withStep(low).json))
      }
      if let high = revenue.range.upper.amount { members.append(.init("max_event_revenue", high.json)) }
      members.append(.init("event_currency", .string(revenue.currency.text)))
      if revenue.currency.text == "USD", let middle = revenue.representative {
        members.append(.init("event_revenue_usd", middle.json))
      }
    }
    return .object(members)
  }
}

extension AppsFlyerRules {
  /// A lower end with the thousandth that keeps it apart from the range below, where importing takes it off again.
  static func withStep(_ low: Amount) -> Amount {
    guard low.micros >= 0, low.micros % 10_000 == 0 else { return low }
    return low.adding(Amount(micros: 1000)).sum
  }
}

extension CountRange {
  /// The number half-way between the ends, rounded up; `nil` without an upper end.
  ///
  /// Source: AppsFlyer, "SKAN event counters".
  var middle: Int? { max.map { min + ($0 - min + 1) / 2 } }
}
