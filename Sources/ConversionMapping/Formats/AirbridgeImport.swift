public import JSONText
import Postbacks

/// Airbridge's mappings: the one of today, and the older one of bits.
///
/// A range has its lower end and not its upper one. Source: Airbridge, "SKAdNetwork configuration".
public enum AirbridgeFormat {
  /// Reads either form as a mapping.
  ///
  /// - Throws: ``ImportDefect`` when the document has neither form or holds no rule.
  public static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let object = node.value.object else { throw .notThisFormat }
    var remarks: [ImportRemark] = []
    let stated = object["default_currency"]?.value.string.flatMap { CurrencyCode(anyCase: $0) }
    let currency = stated ?? context.currency
    if stated == nil {
      remarks.append(.init(code: .currencyAssumed, sentence: "no currency is written; \(currency) is taken"))
    }
    let first = object["postbacks"]?.value.array?.first?.value.object?["conversion_schema"]?.value.object
    let rules = object["conversion_bits_rules"] ?? first?["fine"]?.value.object?["schema"]
    guard let rules = rules?.value.array else { throw .notThisFormat }
    var fine: [FineRule] = []
    for rule in rules.compactMap(\.value.object) {
      let number = rule["conversion_value"]
      let value = number?.value.number?.integer ?? number?.value.string.flatMap { Int64($0) }
      guard let value = value.flatMap({ FineValue($0) }), let events = events(rule, currency), !events.isEmpty
      else {
        remarks.append(.init(code: .ruleDropped, sentence: "a rule has no value or can never hold"))
        continue
      }
      for event in events {
        guard let revenue = event.revenue, revenue.representative == nil else { continue }
        remarks.append(
          .init(code: .noWorth, sentence: "nothing says what \(event.name) in \(revenue.range) is worth"))
      }
      fine.append(FineRule(value: value, conditions: Conditions(events: events)))
    }
    guard !fine.isEmpty else { throw .noRule }
    let mapping = Mapping(
      name: context.name, app: context.app, currency: currency, effectiveFrom: context.effectiveFrom,
      device: context.device, fine: fine)
    return ImportedMapping(mapping: mapping, remarks: remarks)
  }

  private static func events(_ rule: JSONObject, _ currency: CurrencyCode) -> [EventCondition]? {
    var events: [EventCondition] = []
    for event in (rule["events"]?.value.array ?? []).compactMap(\.value.object) {
      guard let name = event["event_name"]?.value.string, !name.isEmpty else { return nil }
      let values = event["values"]?.value.object
      let low = amount(values?["min_amount"] ?? values?["amount"])
      let high = amount(values?["max_amount"])
      var revenue: RevenueCondition?
      if low != nil || high != nil {
        guard
          let range = AmountRange(
            lower: low.map { .closed($0) } ?? .unbounded, upper: high.map { .open($0) } ?? .unbounded)
        else { return nil }
        revenue = RevenueCondition(range, currency)
      }
      events.append(EventCondition(name: name, revenue: revenue))
    }
    return events
  }

  private static func amount(_ node: JSONNode?) -> Amount? {
    node?.value.number.flatMap { try? Amount(decimal: $0.text) }
  }
}
