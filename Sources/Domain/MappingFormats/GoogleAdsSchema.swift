package import JSONText
import Mappings
import Postbacks
import Values

/// Google Ads' schema of conversion values, as attribution partners write it.
///
/// A 0 at an end of a range means that there is none. Source: Google Ads API,
/// `CustomerSkAdNetworkConversionValueSchema`.
package enum GoogleAdsSchema {
  /// Reads a schema, with or without the resource around it.
  ///
  /// - Throws: ``ImportDefect`` when the document is not a schema, is for another app or holds no rule.
  package static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let object = node.value.object, let schema = object["schema"]?.value.object ?? node.value.object,
      let entries = schema["fineGrainedConversionValueMappings"]?.value.array
    else { throw .notThisFormat }
    var log = ImportLog(context)
    try log.require(schema.app("appId"))
    if object["schema"] != nil { log.ignoreUnknown(in: object, of: "the resource", known: ["schema"]) }
    log.ignoreUnknown(
      in: schema, of: "the schema",
      known: ["appId", "measurementWindowHours", "fineGrainedConversionValueMappings", "postbackMappings"])
    log.add(.precedenceAssumed, "if several values match, the highest applies")
    var fine: [FineRule] = []
    for (index, entry) in entries.enumerated() {
      do throws(RuleFault) {
        guard let entry = entry.value.object else { throw RuleFault("it is not an object") }
        let value = try entry.fineValue("fineGrainedConversionValue")
        guard !fine.contains(where: { $0.value == value }) else {
          throw RuleFault("value \(value.number) is a duplicate")
        }
        log.ignoreUnknown(
          in: entry, of: "a value", known: ["fineGrainedConversionValue", "conversionValueMapping"])
        let conditions = try conditions(try entry.member("conversionValueMapping"), &log)
        fine.append(FineRule(value: value, conditions: conditions))
      } catch { log.drop("fine entry \(index + 1)", error) }
    }
    var coarse: [ConversionWindow: CoarseRules] = [:]
    do throws(RuleFault) {
      for postback in try schema.objects("postbackMappings") {
        do throws(RuleFault) { try read(postback, &log, &fine, &coarse) } catch {
          log.drop("a window", error)
        }
      }
    } catch { log.drop("every window", error) }
    var hours: Int?
    do throws(RuleFault) {
      hours = log.measurementWindow(hours: try schema.integer("measurementWindowHours"))
    } catch { log.drop("the measurement window", error) }
    return try log.imported(measurementWindowHours: hours, fine: fine, coarse: coarse)
  }

  private static func read(
    _ postback: JSONObject, _ log: inout ImportLog, _ fine: inout [FineRule],
    _ coarse: inout [ConversionWindow: CoarseRules]
  ) throws(RuleFault) {
    log.ignoreUnknown(
      in: postback, of: "a window",
      known: [
        "postbackSequenceIndex", "coarseGrainedConversionValueMappings", "lockWindowCoarseConversionValue",
        "lockWindowFineConversionValue", "lockWindowEvent",
      ])
    // A 0 may be left out in this interface.
    let index = try postback.integer("postbackSequenceIndex") ?? 0
    guard (0...2).contains(index), let window = ConversionWindow(rawValue: Int(index)) else {
      throw RuleFault("there is no window \(index)")
    }
    guard coarse[window] == nil else { throw RuleFault("window \(index) is a duplicate") }
    let number = window.rawValue + 1
    let word = try postback.text("lockWindowCoarseConversionValue")
    let trigger = word.flatMap { CoarseValue(rawValue: $0.lowercased()) }
    if let word, trigger == nil {
      log.add(.lockIgnored, "window \(number) locks at \(quoted(word)), which is no coarse value; dropped")
    }
    if let trigger {
      log.add(.lockAssumed, "window \(number) locks where a rule for \(trigger.rawValue) applies")
    }
    if let event = try postback.text("lockWindowEvent") {
      log.add(
        .lockIgnored, "window \(number) locks at event \(quoted(event)) independent of the value; dropped")
    }
    if let integer = try postback.integer("lockWindowFineConversionValue") {
      log.add(.lockAssumed, "window \(number) locks where the rule for value \(integer) applies")
      fine = fine.map { rule in
        guard Int64(rule.value.number) == integer else { return rule }
        return FineRule(value: rule.value, conditions: rule.conditions, lock: true)
      }
    }
    guard let values = try postback.member("coarseGrainedConversionValueMappings") else { return }
    log.ignoreUnknown(
      in: values, of: "the coarse values",
      known: CoarseValue.allCases.map { "\($0.rawValue)ConversionValueMapping" })
    var rules: [CoarseRule] = []
    for value in CoarseValue.allCases {
      do throws(RuleFault) {
        guard let entry = try values.member("\(value.rawValue)ConversionValueMapping") else { continue }
        rules.append(
          CoarseRule(value: value, conditions: try conditions(entry, &log), lock: value == trigger))
      } catch { log.drop("\(value.rawValue) of window \(number)", error) }
    }
    if !rules.isEmpty { coarse[window] = CoarseRules(rules: rules) }
  }

  private static func conditions(_ entry: JSONObject?, _ log: inout ImportLog) throws(RuleFault) -> Conditions
  {
    guard let entry else { throw RuleFault("it has no mapping") }
    log.ignoreUnknown(
      in: entry, of: "a mapping",
      known: ["minTimePostInstallHours", "maxTimePostInstallHours", "mappedEvents"])
    let hours = try JSONObject.hours(
      unset(try entry.integer("minTimePostInstallHours")),
      unset(try entry.integer("maxTimePostInstallHours")))
    if hours != nil { log.add(.hoursAssumed, "the end of a range of hours is read as the next hour") }
    var events: [EventCondition] = []
    for object in try entry.objects("mappedEvents") { events.append(try event(object, &log)) }
    return try log.conditions(events, hours)
  }

  private static func event(_ object: JSONObject, _ log: inout ImportLog) throws(RuleFault) -> EventCondition
  {
    log.ignoreUnknown(
      in: object, of: "an event",
      known: [
        "mappedEventName", "currencyCode", "eventRevenueRange", "eventRevenueValue", "eventOccurrenceRange",
        "eventCounter",
      ])
    let name = try object.requiredText("mappedEventName")
    let exactly = unset(try object.integer("eventCounter"))
    let times = try object.member("eventOccurrenceRange")
    if let times {
      log.ignoreUnknown(in: times, of: "a range of counts", known: ["minEventCount", "maxEventCount"])
      if exactly != nil {
        log.add(
          .memberIgnored, "\(quoted(name)) has a count and a range of counts; the range is not imported")
      }
    }
    let least = try times?.integer("minEventCount")
    let most = try times?.integer("maxEventCount")
    let count =
      try JSONObject.counts(exactly ?? unset(least), exactly ?? unset(most)) ?? .atLeastOnce
    var range: AmountRange?
    if let limits = try object.member("eventRevenueRange") {
      log.ignoreUnknown(in: limits, of: "a range of amounts", known: ["minEventRevenue", "maxEventRevenue"])
      if unset(try object.amount("eventRevenueValue")) != nil {
        log.add(.memberIgnored, "\(quoted(name)) has an amount and a range; the amount is not imported")
      }
      range = try log.range(
        unset(try limits.amount("minEventRevenue")), unset(try limits.amount("maxEventRevenue")))
    } else if let amount = unset(try object.amount("eventRevenueValue")) {
      range = try log.range(lower: .closed(amount), upper: .closed(amount))
    }
    guard let range else { return EventCondition(name: name, count: count) }
    let currency = try log.currency(try object.text("currencyCode"))
    return EventCondition(name: name, count: count, revenue: try log.revenue(range, currency, of: name))
  }

  private static func unset(_ integer: Int64?) -> Int64? { integer == 0 ? nil : integer }
  private static func unset(_ amount: Amount?) -> Amount? { amount == .zero ? nil : amount }
}
