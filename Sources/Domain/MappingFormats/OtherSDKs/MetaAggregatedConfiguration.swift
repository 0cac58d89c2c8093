package import JSONText
import Mappings
import Values

/// A rule of Meta's aggregated event measurement.
package struct MetaAggregatedRule: Hashable, Sendable {
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

  /// Whether the rule holds: every event noted, and of each with amounts, the largest single one not below.
  ///
  /// An amount that was never noted counts as 0, and an empty list of amounts has no condition. Both are the opposite
  /// of ``MetaRule``. Source: facebook-ios-sdk, `AEMRule`.
  package func holds(for record: MetaRecord) -> Bool {
    events.allSatisfy { event in
      guard record.events.contains(event.name) else { return false }
      guard let amounts = event.amounts, !amounts.isEmpty else { return true }
      return amounts.contains { (record.amounts[event.name]?[$0] ?? .zero) >= $1 }
    }
  }
}

/// A configuration of Meta's aggregated event measurement.
package struct MetaAggregatedConfiguration: Hashable, Sendable {
  /// The event a campaign is optimised for, whose rules then rank higher.
  package struct Boost: Hashable, Sendable {
    package let event: String
    package let campaign: Int64

    package init(event: String, campaign: Int64) {
      self.event = event
      self.campaign = campaign
    }
  }

  /// What is added to the rank of boosted rules.
  static let boost = 32

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

  /// The rule that applies next and its rank; `nil` when none ranks above what was sent last.
  package func next(
    after priority: Int, record: MetaRecord, boost: Boost? = nil
  ) -> (rule: MetaAggregatedRule, priority: Int)? {
    let boosted = boost.flatMap { boost in
      rules.contains { $0.value % 8 == Int(boost.campaign % 8) && $0.asks(for: boost.event) }
        ? boost.event : nil
    }
    return
      rules
      .map { rule in (rule, rule.priority + (boosted.map { rule.asks(for: $0) } ?? false ? Self.boost : 0)) }
      .filter { $0.1 > priority && $0.0.holds(for: record) }
      .max { $0.1 < $1.1 }
  }
}

extension MetaAggregatedRule {
  fileprivate func asks(for event: String) -> Bool { events.contains { $0.name == event } }
}
