import JSONText
package import Mappings
import Postbacks
import Values

extension GoogleAdsSchema {
  static let ability = ExportAbility(
    format: Sentence(name: "Google Ads"), counts: .rangeAboveZero, hasHours: true, isZeroUnset: true,
    hasCurrencies: true,
    coarse: ConversionWindow.allCases, locks: .oneValue, measurement: .hours, hasApp: true)

  /// Writes a mapping as a schema.
  ///
  /// - Throws: ``ExportDefect`` when no rule can be written.
  package static func export(
    _ mapping: Mapping, _ context: ExportContext
  ) throws(ExportDefect) -> ExportedMapping {
    let draft = try ExportDraft(mapping, ability, context)
    let written = draft.mapping
    var schema: [JSONOutput.Member] = [.init("appId", .string("\(written.app.number)"))]
    if let hours = written.measurementWindowHours {
      schema.append(.init("measurementWindowHours", .integer(Int64(hours))))
    }
    let fine = written.fine.map { rule -> JSONOutput in
      [
        "fineGrainedConversionValue": .integer(Int64(rule.value.number)),
        "conversionValueMapping": conditions(rule.conditions),
      ]
    }
    schema.append(.init("fineGrainedConversionValueMappings", .array(fine)))
    let postbacks = ConversionWindow.allCases.compactMap { postback($0, written) }
    schema.append(.init("postbackMappings", .array(postbacks)))
    let file: JSONOutput = ["schema": .object(schema)]
    return draft.exported(file.file)
  }

  private static func postback(_ window: ConversionWindow, _ mapping: Mapping) -> JSONOutput? {
    var members: [JSONOutput.Member] = [.init("postbackSequenceIndex", .integer(Int64(window.rawValue)))]
    let rules = mapping.coarse[window]?.rules ?? []
    if window == .first, let rule = mapping.fine.first(where: \.lock) {
      members.append(.init("lockWindowFineConversionValue", .integer(Int64(rule.value.number))))
    } else if let rule = rules.first(where: \.lock) {
      members.append(.init("lockWindowCoarseConversionValue", .string(rule.value.rawValue.uppercased())))
    }
    if !rules.isEmpty {
      members.append(
        .init(
          "coarseGrainedConversionValueMappings",
          .object(
            rules.map { .init("\($0.value.rawValue)ConversionValueMapping", conditions($0.conditions)) })))
    }
    return members.count > 1 ? .object(members) : nil
  }

  private static func conditions(_ conditions: Conditions) -> JSONOutput {
    var members: [JSONOutput.Member] = []
    if let hours = conditions.activeHours {
      members.append(.init("minTimePostInstallHours", .string("\(hours.from)")))
      members.append(.init("maxTimePostInstallHours", .string("\(hours.to)")))
    }
    members.append(.init("mappedEvents", .array(conditions.events.map(event))))
    return .object(members)
  }

  private static func event(_ event: EventCondition) -> JSONOutput {
    var members: [JSONOutput.Member] = [.init("mappedEventName", .string(event.name))]
    if let revenue = event.revenue {
      members.append(.init("currencyCode", .string(revenue.currency.text)))
      var range: [JSONOutput.Member] = []
      if let low = revenue.range.lower.amount { range.append(.init("minEventRevenue", low.json)) }
      if let high = revenue.range.upper.amount { range.append(.init("maxEventRevenue", high.json)) }
      members.append(.init("eventRevenueRange", .object(range)))
    }
    if event.count.min == event.count.max {
      members.append(.init("eventCounter", .string("\(event.count.min)")))
    } else if event.count != .atLeastOnce {
      var range: [JSONOutput.Member] = [.init("minEventCount", .string("\(event.count.min)"))]
      if let most = event.count.max { range.append(.init("maxEventCount", .string("\(most)"))) }
      members.append(.init("eventOccurrenceRange", .object(range)))
    }
    return .object(members)
  }
}
