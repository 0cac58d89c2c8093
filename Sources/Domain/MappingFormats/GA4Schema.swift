package import JSONText
import Mappings
import Postbacks
import Values

/// Google Analytics 4's schema of conversion values.
///
/// The first entry of the list that holds applies, whatever its value. Source: Google Analytics Admin API,
/// `SKAdNetworkConversionValueSchema`.
package enum GA4Schema {
  static let windowNames = ["postbackWindowOne", "postbackWindowTwo", "postbackWindowThree"]

  private static let settingNames = ["conversionValues", "postbackWindowSettingsEnabled"]

  /// Reads a schema as a mapping.
  ///
  /// - Throws: ``ImportDefect`` when the document is not a schema or holds no rule.
  package static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let object = node.value.object, let first = object["postbackWindowOne"]?.value.object else {
      throw .notThisFormat
    }
    var log = ImportLog(context)
    log.ignoreUnknown(in: object, of: Sentence("the schema"), known: windowNames)
    log.add(
      .currencyAssumed, Sentence("the currency is a setting of the property; \(context.currency) is taken"))
    var last = entries(first, .first, &log)
    var fine: [FineRule] = []
    for (index, entry) in last.enumerated() {
      do throws(RuleFault) {
        guard fine.count < ImportLog.mostRules else {
          throw RuleFault(Sentence("there are more than \(ImportLog.mostRules)"))
        }
        let value = try entry.fineValue("fineValue")
        fine.append(
          FineRule(
            value: value, conditions: try conditions(entry, &log), label: try entry.text("displayName"),
            coarse: try coarse(entry, &log), lock: try entry.truth("lockEnabled")))
      } catch { log.drop(Sentence("entry \(index + 1) of window 1"), error) }
    }
    var coarse: [ConversionWindow: CoarseRules] = [:]
    for window in [ConversionWindow.second, .third] {
      let settings = object[windowNames[window.rawValue]]?.value.object
      if let settings, settings["postbackWindowSettingsEnabled"]?.value.bool ?? false {
        last = entries(settings, window, &log)
      } else {
        log.add(
          .windowInherited,
          Sentence("window \(window.rawValue + 1) has no entries and takes over earlier ones"))
        if let settings {
          log.ignoreUnknown(in: settings, of: Sentence("window \(window.rawValue + 1)"), known: settingNames)
        }
        if let settings, !(settings["conversionValues"]?.value.array ?? []).isEmpty {
          log.add(
            .memberIgnored, Sentence("the entries of window \(window.rawValue + 1) are disabled and dropped"))
        }
      }
      let rules = self.coarse(last, window, &log)
      if !rules.isEmpty { coarse[window] = CoarseRules(rules: rules) }
    }
    return try log.imported(precedence: .listOrder, fine: fine, coarse: coarse)
  }

  /// The entries of a window, whose members are looked through.
  private static func entries(
    _ settings: JSONObject, _ window: ConversionWindow, _ log: inout ImportLog
  ) -> [JSONObject] {
    let place = Sentence("window \(window.rawValue + 1)")
    log.ignoreUnknown(
      in: settings, of: place, known: settingNames)
    var entries: [JSONObject] = []
    do throws(RuleFault) { entries = try settings.objects("conversionValues") } catch {
      log.drop(place, error)
    }
    for entry in entries {
      log.ignoreUnknown(
        in: entry, of: Sentence("an entry of \(place)"),
        known: ["displayName", "coarseValue", "eventMappings", "lockEnabled"]
          + (window == .first ? ["fineValue"] : []))
    }
    return entries
  }

  private static func coarse(
    _ entries: [JSONObject], _ window: ConversionWindow, _ log: inout ImportLog
  ) -> [CoarseRule] {
    var rules: [CoarseRule] = []
    for (index, entry) in entries.enumerated() {
      do throws(RuleFault) {
        guard rules.count < ImportLog.mostRules else {
          throw RuleFault(Sentence("there are more than \(ImportLog.mostRules)"))
        }
        guard let value = try coarse(entry, &log) else { throw RuleFault(Sentence("it has no coarse value")) }
        rules.append(
          CoarseRule(
            value: value, conditions: try conditions(entry, &log), label: try entry.text("displayName"),
            lock: try entry.truth("lockEnabled")))
      } catch { log.drop(Sentence("entry \(index + 1) of window \(window.rawValue + 1)"), error) }
    }
    let order = rules.map(\.value.rank)
    if order != order.sorted(by: >) {
      log.add(
        .coarseOrder,
        Sentence(
          "the order of entries decides in window \(window.rawValue + 1); in this mapping the highest "
            + "value does"))
    }
    return rules
  }

  private static func coarse(_ entry: JSONObject, _ log: inout ImportLog) throws(RuleFault) -> CoarseValue? {
    guard let word = try entry.text("coarseValue") else { return nil }
    if let value = CoarseValue(rawValue: word.lowercased()) { return value }
    log.add(.memberIgnored, Sentence("\(name: quoted(word)) is no coarse value and is not imported"))
    return nil
  }

  private static func conditions(
    _ entry: JSONObject, _ log: inout ImportLog
  ) throws(RuleFault) -> Conditions {
    var events: [EventCondition] = []
    for event in try entry.objects("eventMappings") {
      log.ignoreUnknown(
        in: event, of: Sentence("an event"),
        known: ["eventName", "minEventCount", "maxEventCount", "minEventValue", "maxEventValue"])
      let name = try event.requiredText("eventName")
      let range = try log.range(try event.amount("minEventValue"), try event.amount("maxEventValue"))
      var revenue: RevenueCondition?
      if let range { revenue = try log.revenue(range, log.context.currency, of: name) }
      events.append(
        EventCondition(
          name: name, count: try event.counts("minEventCount", "maxEventCount") ?? .atLeastOnce,
          revenue: revenue))
    }
    guard !events.isEmpty else { throw RuleFault(Sentence("it asks for no event")) }
    return try log.conditions(events, isAndStated: true)
  }
}
