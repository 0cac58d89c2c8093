package import JSONText
import Mappings
package import Postbacks
import Values

extension MetaRule<CoarseValue> {
  /// Reads a rule for a coarse value; `nil` where Meta's SDK rejects it.
  package init?(_ node: JSONNode) {
    guard let object = node.value.object,
      let value = object["coarse_cv_value"]?.value.string.flatMap({ CoarseValue(rawValue: $0) }),
      let events = MetaEvent.list(object["events"])
    else { return nil }
    self.init(value: value, events: events)
  }
}

/// The coarse rules of one window in Meta's configuration.
package struct MetaCoarseConfiguration: Equatable, Sendable {
  /// The window, 1 through 3.
  package let window: Int
  /// The rules, high first.
  package let rules: [MetaRule<CoarseValue>]

  /// Reads a window's rules; `nil` where Meta's SDK rejects them, which one bad rule is enough for.
  package init?(_ node: JSONNode) {
    guard let object = node.value.object,
      let window = object["postback_sequence_index"]?.value.number?.integer,
      let elements = object["coarse_cv_rules"]?.value.array, !elements.isEmpty
    else { return nil }
    let rules = elements.compactMap { MetaRule<CoarseValue>($0) }
    guard rules.count == elements.count else { return nil }
    self.window = Int(window)
    self.rules = rules.sorted { $0.value.rank > $1.value.rank }
  }
}

/// A rule that Meta's SDK reads and never acts on.
package enum MetaLockRule: Equatable, Sendable {
  /// After that many hours.
  case time(hours: Int, window: Int)
  /// After these events.
  case event([MetaEvent], window: Int)

  /// Reads a rule; `nil` where Meta's SDK rejects it.
  package init?(_ node: JSONNode) {
    guard let object = node.value.object,
      let window = object["postback_sequence_index"]?.value.number?.integer
    else { return nil }
    switch object["lock_window_type"]?.value.string {
    case "time":
      guard let hours = object["time"]?.value.number?.integer else { return nil }
      self = .time(hours: Int(hours), window: Int(window))
    case "event":
      guard let events = MetaEvent.list(object["events"]) else { return nil }
      self = .event(events, window: Int(window))
    default: return nil
    }
  }
}

/// What Meta's SDK knows about an app's conversion values.
///
/// Source: facebook-ios-sdk, `SKAdNetworkConversionConfiguration`.
package struct MetaConfiguration: Equatable, Sendable {
  /// The currency that amounts in unlisted ones are booked under, unconverted.
  package let defaultCurrency: String
  /// The days after which fine values end; 0 or `nil` means that they have ended already.
  package let cutoffDays: Int64?
  /// The fine rules, highest value first.
  package let rules: [MetaRule<Int>]
  /// The coarse rules by window.
  package let coarse: [MetaCoarseConfiguration]
  /// The lock rules, which have no effect.
  package let locks: [MetaLockRule]

  /// Reads a configuration, of which only the first element of `data` counts; `nil` where Meta's SDK rejects it.
  package init?(_ node: JSONNode) {
    guard let object = node.value.object?["data"]?.value.array?.first?.value.object,
      let currency = object["default_currency"]?.value.string,
      let rules = object["conversion_value_rules"]?.value.array
    else { return nil }
    defaultCurrency = currency.uppercased()
    cutoffDays = object["cutoff_time"]?.value.number?.integer
    self.rules = MetaRule<Int>.list(rules)
    coarse = (object["coarse_cv_configs"]?.value.array ?? []).compactMap { MetaCoarseConfiguration($0) }
    locks = (object["lock_window_rules"]?.value.array ?? []).compactMap { MetaLockRule($0) }
  }

  /// The currencies that fine rules name; only these are distinguished, in coarse sums as well.
  package var currencies: Set<String> {
    Set(rules.flatMap { $0.events.flatMap { Array(($0.amounts ?? [:]).keys) } })
  }
}
