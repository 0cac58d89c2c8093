package import JSONText
import Mappings
import Postbacks
import Values

/// Airbridge's mappings: the one of today, and the older one of bits.
///
/// A range has its lower end and not its upper one. Coarse values are read where fine ones are, under `coarse`, which
/// the public description does not show. Source: Airbridge, "SKAdNetwork configuration".
package enum AirbridgeFormat {
  /// Reads either form as a mapping.
  ///
  /// - Throws: ``ImportDefect`` when the document has neither form or holds no rule.
  package static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let object = node.value.object else { throw .notThisFormat }
    var log = ImportLog(context)
    let stated = object["default_currency"]?.value.string.flatMap { CurrencyCode(anyCase: $0) }
    let currency = stated ?? context.currency
    if stated == nil {
      log.add(
        .currencyAssumed,
        object["default_currency"] == nil
          ? Sentence("no currency is written; \(currency) is taken")
          : Sentence("the currency is no listed one; \(currency) is taken"))
    }
    log.ignoreUnknown(
      in: object, of: Sentence("the mapping"),
      known: ["default_currency", "last_update_time", "conversion_bits_rules", "postbacks"])
    if object["last_update_time"] != nil {
      log.add(
        .dateIgnored,
        Sentence("the file has the time of its last change, not the time from which devices use it"))
    }
    var fine: [FineRule] = []
    var coarse: [ConversionWindow: CoarseRules] = [:]
    for postback in object["postbacks"]?.value.array ?? [] { log.ignoreUnknown(inPostback: postback) }
    if let rules = object["conversion_bits_rules"]?.value.array {
      if object["postbacks"] != nil {
        log.add(.memberIgnored, Sentence("the values of today's form beside the older one are not imported"))
      }
      fine = self.fine(rules, currency, &log)
    } else if let postbacks = object["postbacks"]?.value.array,
      let first = schema(postbacks.first, "fine")
    {
      fine = self.fine(first, currency, &log)
      for (window, postback) in zip(ConversionWindow.allCases, postbacks) {
        if window != .first, schema(postback, "fine").map({ !$0.isEmpty }) ?? false {
          log.add(
            .ruleDropped,
            Sentence("only window 1 has fine values; those of window \(window.rawValue + 1) are dropped")
          )
        }
        let rules = self.coarse(schema(postback, "coarse") ?? [], window, currency, &log)
        if !rules.isEmpty { coarse[window] = CoarseRules(rules: rules) }
      }
      if postbacks.count > 3 {
        log.add(.ruleDropped, Sentence("windows after the third do not exist; they are dropped"))
      }
    } else {
      throw .notThisFormat
    }
    return try log.imported(currency: currency, fine: fine, coarse: coarse)
  }

  private static func schema(_ postback: JSONNode?, _ name: String) -> [JSONNode]? {
    postback?.value.object?["conversion_schema"]?.value.object?[name]?.value.object?["schema"]?.value.array
  }

  private static func fine(
    _ nodes: [JSONNode], _ currency: CurrencyCode, _ log: inout ImportLog
  ) -> [FineRule] {
    rules(nodes, &log, named: { Sentence("rule \($0)") }) { rule, log throws(RuleFault) in
      let value = try rule.fineValue("conversion_value")
      return FineRule(value: value, conditions: try conditions(rule, currency, &log))
    }
  }

  private static func coarse(
    _ nodes: [JSONNode], _ window: ConversionWindow, _ currency: CurrencyCode, _ log: inout ImportLog
  ) -> [CoarseRule] {
    rules(nodes, &log, named: { Sentence("coarse rule \($0) of window \(window.rawValue + 1)") }) {
      rule, log throws(RuleFault) in
      guard let value = CoarseValue(rawValue: try rule.requiredText("conversion_value").lowercased()) else {
        throw RuleFault(Sentence("its value is not a coarse one"))
      }
      return CoarseRule(value: value, conditions: try conditions(rule, currency, &log))
    }
  }

  private static func rules<Rule>(
    _ nodes: [JSONNode], _ log: inout ImportLog, named name: (_ number: Int) -> Sentence,
    _ read: (JSONObject, inout ImportLog) throws(RuleFault) -> Rule
  ) -> [Rule] {
    var rules: [Rule] = []
    for (index, node) in nodes.enumerated() {
      do throws(RuleFault) {
        guard let rule = node.value.object else { throw RuleFault(Sentence("it is not an object")) }
        guard rules.count < ImportLog.mostRules else {
          throw RuleFault(Sentence("there are more than \(ImportLog.mostRules)"))
        }
        rules.append(try read(rule, &log))
      } catch { log.drop(name(index + 1), error) }
    }
    return rules
  }

  private static func conditions(
    _ rule: JSONObject, _ currency: CurrencyCode, _ log: inout ImportLog
  ) throws(RuleFault) -> Conditions {
    log.ignoreUnknown(
      in: rule, of: Sentence("a rule"), known: ["conversion_value", "is_overlapped", "events"])
    if try rule.truth("is_overlapped") {
      log.add(
        .memberIgnored, Sentence("a rule is marked as overlapped; where several hold, the highest is taken"))
    }
    var events: [EventCondition] = []
    for event in try rule.objects("events") { events.append(try condition(event, currency, &log)) }
    return try log.conditions(events)
  }

  private static func condition(
    _ event: JSONObject, _ currency: CurrencyCode, _ log: inout ImportLog
  ) throws(RuleFault) -> EventCondition {
    log.ignoreUnknown(
      in: event, of: Sentence("an event"),
      known: ["event_name", "partner_event_name", "measurement_type", "values"])
    let name = try event.requiredText("event_name")
    if let partner = try event.text("partner_event_name"), partner != name {
      log.add(.partnerName, Sentence("networks know \(name: quoted(name)) as \(name: quoted(partner))"))
    }
    let values = try event.member("values")
    if let values {
      log.ignoreUnknown(in: values, of: Sentence("a range"), known: ["amount", "min_amount", "max_amount"])
    }
    let oldLow = try values?.amount("amount")
    let low = try values?.amount("min_amount") ?? oldLow
    let high = try values?.amount("max_amount")
    guard low != nil || high != nil else { return EventCondition(name: name) }
    guard try event.text("measurement_type") != "engagement" else {
      log.add(
        .memberIgnored, Sentence("the amounts of \(name: quoted(name)) as an engagement are not imported"))
      return EventCondition(name: name)
    }
    let range = try log.range(lower: low.map { .closed($0) }, upper: high.map { .open($0) })
    return EventCondition(name: name, revenue: try log.revenue(range, currency, of: name))
  }
}

extension ImportLog {
  /// Remarks on what is around the rules of a window.
  fileprivate mutating func ignoreUnknown(inPostback node: JSONNode) {
    guard let postback = node.value.object else { return }
    ignoreUnknown(in: postback, of: Sentence("a window"), known: ["conversion_schema"])
    guard let schema = postback["conversion_schema"]?.value.object else { return }
    ignoreUnknown(in: schema, of: Sentence("a window's values"), known: ["fine", "coarse"])
    for (name, words) in [("fine", Sentence("the fine values")), ("coarse", Sentence("the coarse values"))] {
      guard let values = schema[name]?.value.object else { continue }
      ignoreUnknown(in: values, of: words, known: ["schema"])
    }
  }
}
