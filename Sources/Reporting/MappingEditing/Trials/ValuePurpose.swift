package import Mappings

/// What sort of users a value is for.
package struct ValuePurpose: Hashable, Sendable {
  /// The event; empty for the revenue of all events.
  package let event: String
  /// When they were active last; `nil` for any time.
  package let hours: HourRange?

  /// The sort of the first rule of a value; `nil` for a value of neither events nor revenue.
  package init?(_ meaning: Meaning) {
    guard case .rules(let rules) = meaning, let rule = rules.first,
      let event = rule.events.first?.name ?? (rule.total == nil ? nil : "")
    else { return nil }
    (self.event, hours) = (event, rule.activeHours)
  }
}
