import Postbacks
package import Values

/// What a rule means, or a value without one, in words that fill the cells of a table.
package struct MeaningText: Equatable, Sendable {
  /// The rule's label, or what a value without a rule means; `nil` for a rule without a label.
  package let label: Sentence?
  /// The conversion type where the rule is not for all of them, the events that had to happen, and the revenue of all
  /// of them together: `re-engagement, purchase x2-5, total [0, 20) USD`; `nil` where it asks for none of them.
  package let condition: Sentence?
  /// What the rule counts for a user, in each currency that it asks for.
  package let revenue: [RevenueEstimate]
  /// When the user was active last; `nil` for any time.
  package let activeHours: HourRange?

  fileprivate init(label: Sentence) {
    self.label = label
    condition = nil
    revenue = []
    activeHours = nil
  }

  package init(_ rule: Interpretation) {
    label = rule.label.map { Sentence(name: $0) }
    condition = rule.condition
    revenue = rule.revenue
    activeHours = rule.activeHours
  }

  /// The lowest revenue of the user, by currency; `nil` for a rule without revenue.
  package var low: Sentence? { sum { $0.low.map { Sentence("\($0)") } ?? Sentence("no limit") } }

  /// What the user counts as, by currency, with the currency; `nil` for a rule without revenue.
  package var mid: Sentence? { sum { Sentence("\($0.representative) \($0.currency)") } }

  /// The highest revenue of the user, by currency; `nil` for a rule without revenue.
  package var high: Sentence? { sum { $0.high.map { Sentence("\($0)") } ?? Sentence("no limit") } }

  /// ``activeHours`` as `0-24`.
  package var hours: Sentence? { activeHours.map { Sentence("\(code: "\($0.from)-\($0.to)")") } }

  private func sum(_ text: (RevenueEstimate) -> Sentence) -> Sentence? {
    revenue.isEmpty ? nil : .joined(revenue.map(text), by: " + ")
  }
}

extension Meaning {
  package var rows: [MeaningText] {
    if case .rules(let rules) = self { return rules.map(MeaningText.init) }
    return [MeaningText(label: line)]
  }

  package var line: Sentence {
    switch self {
    case .rules(let rules): .either(rules.map(\.line))
    case .zero: Sentence("installed, no further activity")
    case .null: Sentence("no value: withheld by Apple, or none set")
    case .noneExpected: Sentence("no value: the ad did not win")
    case .unmapped: Sentence("unmapped: no rule has it")
    }
  }
}

extension Interpretation {
  fileprivate var condition: Sentence? {
    let sum = total.map { [Sentence("total \(code: $0.range) \($0.currency)")] } ?? []
    let types = conversionTypes == .all ? [] : conversionTypes.list.map(\.word)
    let parts = types + events.map(\.text) + sum
    return parts.isEmpty ? nil : .joined(parts, by: ", ")
  }

  fileprivate var line: Sentence {
    let hours = activeHours.map { [Sentence("active hours \($0.from)-\($0.to)")] } ?? []
    let parts = (condition.map { [$0] } ?? []) + revenue.map(\.text) + hours
    let text = parts.isEmpty ? Sentence("any user") : .joined(parts, by: ", ")
    return label.map { Sentence("\(name: $0): \(text)") } ?? text
  }
}

extension ConversionType {
  fileprivate var word: Sentence { self == .install ? Sentence("install") : Sentence("re-engagement") }
}

extension EventCondition {
  /// The condition in words: `purchase`, `purchase x2-5 [0, 20) USD`, `no refund`.
  package var text: Sentence {
    let event = words(event: name, from: count.min, to: count.max)
    return revenue.map { Sentence("\(event) \(code: $0.range) \($0.currency)") } ?? event
  }
}

extension Expectation.EventEstimate {
  /// The event and how often it happened, in the words of a condition.
  package var text: Sentence { words(event: name, from: min, to: max) }
}

extension RevenueEstimate {
  /// The amounts in words: `mid 10 USD (0 to 20)`.
  package var text: Sentence {
    switch (low, high) {
    case (let low?, let high?): Sentence("mid \(representative) \(currency) (\(low) to \(high))")
    case (let low?, nil): Sentence("mid \(representative) \(currency) (\(low) or more)")
    case (nil, let high?): Sentence("mid \(representative) \(currency) (up to \(high))")
    case (nil, nil): Sentence("mid \(representative) \(currency)")
    }
  }
}

private func words(event name: String, from least: Int, to most: Int?) -> Sentence {
  switch (least, most) {
  case (0, 0): Sentence("no \(name: name)")
  case (1, nil): Sentence(name: name)
  case (_, nil): Sentence("\(name: name) \(code: "x\(least)+")")
  case (_, let most?):
    Sentence("\(name: name) \(code: most == least ? "x\(least)" : "x\(least)-\(most)")")
  }
}
