package import JSONText
import Mappings
import Values

/// A rule of Meta's aggregated event measurement.
package struct MetaAggregatedRule: Equatable, Sendable {
  package let value: Int
  /// The rank: the highest applies, whatever the value.
  package let priority: Int
  /// The events that have to have happened, all of them.
  package let events: [MetaEvent]

  /// Reads a rule; `nil` where Meta's SDK rejects it.
  package init?(_ node: JSONNode) {
    guard let object = node.value.object, let value = object["conversion_value"]?.value.number?.integer,
      let priority = object["priority"]?.value.number?.integer, let events = MetaEvent.list(object["events"])
    else { return nil }
    self.value = Int(value)
    self.priority = Int(priority)
    self.events = events
  }
}

/// A configuration of Meta's aggregated event measurement.
package struct MetaAggregatedConfiguration: Equatable, Sendable {
  /// The currency of amounts that name none.
  package let defaultCurrency: String
  /// The days after which values end.
  package let cutoffDays: Int64
  /// The second of Unix time from which clicks follow this configuration.
  package let validFrom: Int64
  /// The rules, highest rank first.
  package let rules: [MetaAggregatedRule]

  /// Reads a configuration; `nil` where Meta's SDK rejects it, which one bad rule is enough for.
  package init?(_ node: JSONNode) {
    guard let object = node.value.object, let currency = object["default_currency"]?.value.string,
      let cutoff = object["cutoff_time"]?.value.number?.integer,
      let validFrom = object["valid_from"]?.value.number?.integer,
      let elements = object["conversion_value_rules"]?.value.array
    else { return nil }
    let rules = elements.compactMap { MetaAggregatedRule($0) }
    guard rules.count == elements.count, !rules.isEmpty else { return nil }
    defaultCurrency = currency.uppercased()
    cutoffDays = cutoff
    self.validFrom = validFrom
    self.rules = rules.sorted { $0.priority > $1.priority }
  }
}
