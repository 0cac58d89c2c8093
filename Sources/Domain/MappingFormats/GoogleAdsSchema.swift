package import JSONText
import Mappings
import Postbacks
import Values

/// Google Ads' schema of conversion values, as attribution partners write it.
///
/// The interface leaves out a 0, as protocol buffers do in JSON: a missing value is value 0, and a range without its lower
/// end begins at 0. At the upper end of a range a 0 means that there is none. Source: Google Ads API,
/// `CustomerSkAdNetworkConversionValueSchema`; Protocol Buffers, "ProtoJSON Format".
package enum GoogleAdsSchema {
  /// Reads a schema: alone, in its resource, or in an answer of `search` or `searchStream`; with names as in JSON or as in
  /// the interface's definition.
  ///
  /// - Throws: ``ImportDefect`` when the document has no schema, is for other apps only or holds no rule.
  package static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    let found = resources(in: node.inCamelCase)
    guard !found.isEmpty else { throw .notThisFormat }
    guard
      let (object, schema, entries) = found.first(where: { (_, schema, _) in
        schema.app("appId").map { $0 == context.app } ?? true
      })
    else { throw .otherApp }
    var log = ImportLog(context)
    if found.count > 1 { log.add(.otherApp, Sentence("\(found.count - 1) more schemas are in the file")) }
    if object["schema"] != nil {
      log.ignoreUnknown(in: object, of: Sentence("the resource"), known: ["schema"])
    }
    log.ignoreUnknown(
      in: schema, of: Sentence("the schema"),
      known: ["appId", "measurementWindowHours", "fineGrainedConversionValueMappings", "postbackMappings"])
    log.add(.precedenceAssumed, Sentence("if several values match, the highest applies"))
    var fine: [FineRule] = []
    for (index, entry) in entries.enumerated() {
      do throws(RuleFault) {
        guard let entry = entry.value.object else { throw RuleFault(Sentence("it is not an object")) }
        let value = try entry.fineValue("fineGrainedConversionValue", leftOut: 0)
        guard !fine.contains(where: { $0.value == value }) else {
          throw RuleFault(Sentence("value \(value.number) is a duplicate"))
        }
        log.ignoreUnknown(
          in: entry, of: Sentence("a value"), known: ["fineGrainedConversionValue", "conversionValueMapping"])
        let conditions = try conditions(try entry.member("conversionValueMapping"), &log)
        fine.append(FineRule(value: value, conditions: conditions))
      } catch { log.drop(Sentence("fine entry \(index + 1)"), error) }
    }
    var coarse: [ConversionWindow: CoarseRules] = [:]
    do throws(RuleFault) {
      for postback in try schema.objects("postbackMappings") {
        do throws(RuleFault) { try read(postback, &log, &fine, &coarse) } catch {
          log.drop(Sentence("a window"), error)
        }
      }
    } catch { log.drop(Sentence("every window"), error) }
    var hours: Int?
    do throws(RuleFault) {
      hours = log.measurementWindow(hours: try schema.integer("measurementWindowHours"))
    } catch { log.drop(Sentence("the measurement window"), error) }
    return try log.imported(measurementWindowHours: hours, fine: fine, coarse: coarse)
  }

  private typealias Resource = (object: JSONObject, schema: JSONObject, entries: [JSONNode])

  /// The resources with a schema in a document, in order.
  private static func resources(in node: JSONNode) -> [Resource] {
    // An answer in parts is an array of answers.
    if let elements = node.value.array { return elements.flatMap { resources(in: $0) } }
    guard let object = node.value.object else { return [] }
    if let results = object["results"] { return resources(in: results) }
    if let resource = object["customerSkAdNetworkConversionValueSchema"] { return resources(in: resource) }
    let schema = object["schema"]?.value.object ?? object
    return schema["fineGrainedConversionValueMappings"]?.value.array.map { [(object, schema, $0)] } ?? []
  }

  private static func read(
    _ postback: JSONObject, _ log: inout ImportLog, _ fine: inout [FineRule],
    _ coarse: inout [ConversionWindow: CoarseRules]
  ) throws(RuleFault) {
    log.ignoreUnknown(
      in: postback, of: Sentence("a window"),
      known: [
        "postbackSequenceIndex", "coarseGrainedConversionValueMappings", "lockWindowCoarseConversionValue",
        "lockWindowFineConversionValue", "lockWindowEvent",
      ])
    // A 0 may be left out in this interface.
    let index = try postback.integer("postbackSequenceIndex") ?? 0
    guard (0...2).contains(index), let window = ConversionWindow(rawValue: Int(index)) else {
      throw RuleFault(Sentence("there is no window \(index)"))
    }
    guard coarse[window] == nil else { throw RuleFault(Sentence("window \(index) is a duplicate")) }
    let number = window.rawValue + 1
    let word = try postback.text("lockWindowCoarseConversionValue")
    let trigger = word.flatMap { CoarseValue(rawValue: $0.lowercased()) }
    if let word, trigger == nil {
      log.add(
        .lockIgnored,
        Sentence("window \(number) locks at \(name: quoted(word)), which is no coarse value; dropped"))
    }
    if let trigger {
      log.add(
        .lockAssumed, Sentence("window \(number) locks where a rule for \(code: trigger.rawValue) applies"))
    }
    if let event = try postback.text("lockWindowEvent") {
      log.add(
        .lockIgnored,
        Sentence("window \(number) locks at event \(name: quoted(event)) independent of the value; dropped"))
    }
    if let integer = try postback.integer("lockWindowFineConversionValue") {
      log.add(.lockAssumed, Sentence("window \(number) locks where the rule for value \(integer) applies"))
      fine = fine.map { rule in
        guard Int64(rule.value.number) == integer else { return rule }
        return FineRule(value: rule.value, conditions: rule.conditions, lock: true)
      }
    }
    guard let values = try postback.member("coarseGrainedConversionValueMappings") else { return }
    log.ignoreUnknown(
      in: values, of: Sentence("the coarse values"),
      known: CoarseValue.allCases.map { "\($0.rawValue)ConversionValueMapping" })
    var rules: [CoarseRule] = []
    for value in CoarseValue.allCases {
      do throws(RuleFault) {
        guard let entry = try values.member("\(value.rawValue)ConversionValueMapping") else { continue }
        rules.append(
          CoarseRule(value: value, conditions: try conditions(entry, &log), lock: value == trigger))
      } catch { log.drop(Sentence("\(code: value.rawValue) of window \(number)"), error) }
    }
    if !rules.isEmpty { coarse[window] = CoarseRules(rules: rules) }
  }

  private static func conditions(_ entry: JSONObject?, _ log: inout ImportLog) throws(RuleFault) -> Conditions
  {
    guard let entry else { throw RuleFault(Sentence("it has no mapping")) }
    log.ignoreUnknown(
      in: entry, of: Sentence("a mapping"),
      known: ["minTimePostInstallHours", "maxTimePostInstallHours", "mappedEvents"])
    let hours = try JSONObject.hours(
      unset(try entry.integer("minTimePostInstallHours")),
      unset(try entry.integer("maxTimePostInstallHours")))
    if hours != nil {
      log.add(.hoursAssumed, Sentence("the end of a range of hours is read as the next hour"))
    }
    var events: [EventCondition] = []
    for object in try entry.objects("mappedEvents") { events.append(try event(object, &log)) }
    return try log.conditions(events, hours)
  }

  private static func event(_ object: JSONObject, _ log: inout ImportLog) throws(RuleFault) -> EventCondition
  {
    log.ignoreUnknown(
      in: object, of: Sentence("an event"),
      known: [
        "mappedEventName", "currencyCode", "eventRevenueRange", "eventRevenueValue", "eventOccurrenceRange",
        "eventCounter",
      ])
    let name = try object.requiredText("mappedEventName")
    let exactly = unset(try object.integer("eventCounter"))
    let times = try object.member("eventOccurrenceRange")
    if let times {
      log.ignoreUnknown(
        in: times, of: Sentence("a range of counts"), known: ["minEventCount", "maxEventCount"])
      if exactly != nil {
        log.add(
          .memberIgnored,
          Sentence("\(name: quoted(name)) has a count and a range of counts; the range is not imported"))
      }
    }
    let least = try times?.integer("minEventCount")
    let most = try times?.integer("maxEventCount")
    let count =
      try JSONObject.counts(exactly ?? unset(least), exactly ?? unset(most)) ?? .atLeastOnce
    var range: AmountRange?
    if let limits = try object.member("eventRevenueRange") {
      log.ignoreUnknown(
        in: limits, of: Sentence("a range of amounts"), known: ["minEventRevenue", "maxEventRevenue"])
      if unset(try object.amount("eventRevenueValue")) != nil {
        log.add(
          .memberIgnored,
          Sentence("\(name: quoted(name)) has an amount and a range; the amount is not imported"))
      }
      let low = unset(try limits.amount("minEventRevenue"))
      let high = unset(try limits.amount("maxEventRevenue"))
      range = try log.range(high.map { $0 > .zero } ?? false ? low ?? .zero : low, high)
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

extension JSONNode {
  /// The same with members named `appId` that are named `app_id`, as programs write them that keep the names of the
  /// definition.
  fileprivate var inCamelCase: JSONNode {
    switch value {
    case .array(let elements):
      return JSONNode(value: .array(elements.map(\.inCamelCase)), range: range)
    case .object(let object):
      let members = object.members.map { member in
        JSONMember(
          name: Self.camelCase(member.name), nameRange: member.nameRange, value: member.value.inCamelCase)
      }
      return JSONNode(value: .object(JSONObject(members: members)), range: range)
    case .null, .bool, .number, .string: return self
    }
  }

  private static func camelCase(_ name: String) -> String {
    let words = name.split(separator: "_")
    guard words.count > 1 else { return name }
    return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
