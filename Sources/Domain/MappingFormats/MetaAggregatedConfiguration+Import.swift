package import JSONText
import Mappings
import Postbacks
import Values

extension MetaAggregatedConfiguration {
  /// Reads a configuration as a mapping that uses priorities and starts when the configuration does.
  ///
  /// - Throws: ``ImportDefect`` when Meta's SDK would reject the document, or no rule is left.
  package static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let object = node.value.object, let configuration = Self(node),
      (0...253_402_300_799).contains(configuration.validFrom)
    else { throw .notThisFormat }
    var log = ImportLog(context)
    log.ignoreUnknown(
      in: object, of: Sentence("the configuration"),
      known: ["default_currency", "cutoff_time", "valid_from", "conversion_value_rules"])
    let stated = CurrencyCode(configuration.defaultCurrency)
    if stated == nil {
      log.add(
        .currencyAssumed, Sentence("the default currency is not a listed one; \(context.currency) is taken"))
    }
    let currency = stated ?? context.currency
    for rule in object["conversion_value_rules"]?.value.array ?? [] {
      log.ignoreUnknown(inMetaRule: rule, value: "conversion_value", "priority")
    }
    var fine: [FineRule] = []
    for rule in configuration.rules {
      do throws(RuleFault) {
        guard fine.count < ImportLog.mostRules else {
          throw RuleFault(Sentence("there are more than \(ImportLog.mostRules)"))
        }
        guard let value = FineValue(Int64(rule.value)) else {
          throw RuleFault(Sentence("it is not one of 0 through 63"))
        }
        guard (-1_000_000...1_000_000).contains(rule.priority) else {
          throw RuleFault(Sentence("its priority lies outside a million"))
        }
        var events: [EventCondition] = []
        for event in rule.events { events.append(try condition(event, currency, &log)) }
        fine.append(
          FineRule(
            value: value, conditions: try log.conditions(events, isAndStated: true), priority: rule.priority))
      } catch { log.drop(Sentence("value \(rule.value)"), error) }
    }
    let hours = log.measurementWindow(hours: ImportLog.hours(days: configuration.cutoffDays))
    return try log.imported(
      currency: currency, effectiveFrom: Instant(seconds: configuration.validFrom),
      measurementWindowHours: hours, precedence: .priority, partners: [.meta], fine: fine)
  }

  private static func condition(
    _ event: MetaEvent, _ currency: CurrencyCode, _ log: inout ImportLog
  ) throws(RuleFault) -> EventCondition {
    let codes = (event.amounts ?? [:]).keys.sorted()
    guard let code = codes.first(where: { $0 == currency.text }) ?? codes.first,
      let amount = event.amounts?[code]
    else { return EventCondition(name: event.name) }
    for other in codes where other != code {
      log.add(
        .alternativeCurrency,
        Sentence("\(name: event.name) may also come with an amount in \(name: other), which is dropped"))
    }
    log.add(.largestEvent, Sentence("Meta takes the largest single amount of an event; here they are summed"))
    let range = try log.range(lower: .closed(amount), upper: nil)
    return EventCondition(
      name: event.name, revenue: try log.revenue(range, try log.currency(code), of: event.name))
  }
}
