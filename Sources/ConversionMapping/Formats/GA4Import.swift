public import JSONText
import Postbacks

/// Google Analytics 4's schema of conversion values.
///
/// The first entry of the list that holds applies, whatever its value. Source: Google Analytics Admin API,
/// `SKAdNetworkConversionValueSchema`.
public enum GA4Schema {
  /// Reads a schema as a mapping.
  ///
  /// - Throws: ``ImportDefect`` when the document is not a schema or holds no rule.
  public static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let object = node.value.object, let first = object["postbackWindowOne"]?.value.object else {
      throw .notThisFormat
    }
    var remarks: [ImportRemark] = [
      .init(
        code: .currencyAssumed,
        sentence: "the currency is a setting of the property; \(context.currency) is taken")
    ]
    if context.ends == nil {
      remarks.append(
        .init(
          code: .endsAssumed,
          sentence: "the format does not say whether ends belong to a range; both are taken in"))
    }
    var fine: [FineRule] = []
    for entry in entries(first) {
      guard let value = entry["fineValue"]?.value.number?.integer.flatMap({ FineValue($0) }),
        let conditions = conditions(entry, context)
      else {
        remarks.append(
          .init(code: .ruleDropped, sentence: "an entry of window 1 has no value or can never hold"))
        continue
      }
      fine.append(
        FineRule(
          value: value, conditions: conditions, label: label(entry), coarse: coarse(entry),
          lock: entry["lockEnabled"]?.value.bool ?? false))
    }
    guard !fine.isEmpty else { throw .noRule }
    var coarse: [ConversionWindow: CoarseRules] = [:]
    var last = entries(first)
    for (window, name) in [(ConversionWindow.second, "postbackWindowTwo"), (.third, "postbackWindowThree")] {
      let settings = object[name]?.value.object
      if let settings, settings["postbackWindowSettingsEnabled"]?.value.bool ?? false {
        last = entries(settings)
      } else {
        remarks.append(
          .init(
            code: .windowInherited,
            sentence: "window \(window.rawValue + 1) has no entries and takes over earlier ones"))
      }
      let order = last.compactMap { self.coarse($0)?.rank }
      if order != order.sorted(by: >) {
        remarks.append(
          .init(
            code: .coarseOrder,
            sentence:
              "entries of window \(window.rawValue + 1) go by their place; here the highest value goes first")
        )
      }
      coarse[window] = CoarseRules(
        rules: last.compactMap { entry in
          guard let value = self.coarse(entry), let conditions = conditions(entry, context) else {
            return nil
          }
          return CoarseRule(
            value: value, conditions: conditions, label: label(entry),
            lock: entry["lockEnabled"]?.value.bool ?? false)
        })
    }
    let mapping = Mapping(
      name: context.name, app: context.app, currency: context.currency, effectiveFrom: context.effectiveFrom,
      device: context.device, precedence: .listOrder, fine: fine, coarse: coarse)
    return ImportedMapping(mapping: mapping, remarks: remarks)
  }

  private static func entries(_ window: JSONObject) -> [JSONObject] {
    (window["conversionValues"]?.value.array ?? []).compactMap(\.value.object)
  }

  private static func label(_ entry: JSONObject) -> String? {
    entry["displayName"]?.value.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func coarse(_ entry: JSONObject) -> CoarseValue? {
    entry["coarseValue"]?.value.string.flatMap { CoarseValue(rawValue: $0.lowercased()) }
  }

  private static func conditions(_ entry: JSONObject, _ context: ImportContext) -> Conditions? {
    var events: [EventCondition] = []
    for event in (entry["eventMappings"]?.value.array ?? []).compactMap(\.value.object) {
      guard let name = event["eventName"]?.value.string, !name.isEmpty,
        let count = CountRange(
          min: count(event["minEventCount"]) ?? 1, max: count(event["maxEventCount"]))
      else { return nil }
      let low = amount(event["minEventValue"])
      let high = amount(event["maxEventValue"])
      var revenue: RevenueCondition?
      if low != nil || high != nil {
        guard
          let range = AmountRange(
            lower: low.map { context.lower($0) } ?? .unbounded,
            upper: high.map { context.upper($0) } ?? .unbounded)
        else { return nil }
        revenue = RevenueCondition(range, context.currency)
      }
      events.append(EventCondition(name: name, count: count, revenue: revenue))
    }
    return events.isEmpty ? nil : Conditions(events: events)
  }

  /// A 64-bit integer, which this interface writes as a text.
  private static func count(_ node: JSONNode?) -> Int? {
    (node?.value.string.flatMap { Int64($0) } ?? node?.value.number?.integer).map { Int(clamping: $0) }
  }

  private static func amount(_ node: JSONNode?) -> Amount? {
    node?.value.number.flatMap { try? Amount(decimal: $0.text) }
  }
}
