import Postbacks
import Values

/// What a rule means, or a value without one, in words that fill the cells of a table.
public struct MeaningText: Equatable, Sendable {
  /// The rule's label, or what a value without a rule means.
  public let label: String
  /// The conversion type where the rule is not for all of them, the events that had to happen, and the revenue of all
  /// of them together: `re-engagement, purchase x2-5, total [0, 20) USD`.
  public let condition: String
  /// The lowest revenue of the user, by currency.
  public let low: String
  /// What the user counts as, by currency, with the currency.
  public let mid: String
  /// The highest revenue of the user, by currency.
  public let high: String
  /// When the user was active last, in hours since install: `0-24`.
  public let activeHours: String

  fileprivate init(label: String) {
    self.label = label
    condition = ""
    low = ""
    mid = ""
    high = ""
    activeHours = ""
  }
}

extension MeaningText {
  public init(_ rule: Interpretation) {
    func join(_ text: (RevenueEstimate) -> String) -> String {
      rule.revenue.map(text).joined(separator: " + ")
    }
    label = rule.label.map { printable($0) } ?? ""
    condition = rule.condition
    low = join { $0.low.map { "\($0)" } ?? "no limit" }
    mid = join { "\($0.representative) \($0.currency)" }
    high = join { $0.high.map { "\($0)" } ?? "no limit" }
    activeHours = rule.activeHours.map { "\($0.from)-\($0.to)" } ?? ""
  }
}

extension Meaning {
  public var rows: [MeaningText] {
    if case .rules(let rules) = self { return rules.map(MeaningText.init) }
    return [MeaningText(label: line)]
  }

  public var line: String {
    switch self {
    case .rules(let rules): rules.map(\.line).joined(separator: " or ")
    case .zero: "installed, no further activity"
    case .null: "no value: withheld by Apple, or none set"
    case .noneExpected: "no value: the ad did not win"
    case .unmapped: "unmapped: no rule has it"
    }
  }
}

extension Interpretation {
  fileprivate var condition: String {
    let sum = total.map { ["total \($0.range) \($0.currency)"] } ?? []
    let types = conversionTypes == .all ? [] : conversionTypes.list.map(\.rawValue)
    return (types + events.map(\.text) + sum).joined(separator: ", ")
  }

  fileprivate var line: String {
    let hours = activeHours.map { ["active hours \($0.from)-\($0.to)"] } ?? []
    let parts = (condition.isEmpty ? [] : [condition]) + revenue.map(\.text) + hours
    let text = parts.isEmpty ? "any user" : parts.joined(separator: ", ")
    return label.map { "\(printable($0)): \(text)" } ?? text
  }
}

extension EventCondition {
  /// The condition in words: `purchase`, `purchase x2-5 [0, 20) USD`, `no refund`.
  public var text: String {
    words(event: name, from: count.min, to: count.max)
      + (revenue.map { " \($0.range) \($0.currency)" } ?? "")
  }
}

extension Expectation.EventEstimate {
  /// The event and how often it happened, in the words of a condition.
  public var text: String { words(event: name, from: min, to: max) }
}

extension RevenueEstimate {
  /// The amounts in words: `mid 10 USD (0 to 20)`.
  public var text: String {
    let mid = "mid \(representative) \(currency)"
    return switch (low, high) {
    case (let low?, let high?): "\(mid) (\(low) to \(high))"
    case (let low?, nil): "\(mid) (\(low) or more)"
    case (nil, let high?): "\(mid) (up to \(high))"
    case (nil, nil): mid
    }
  }
}

private func words(event: String, from least: Int, to most: Int?) -> String {
  let name = printable(event)
  return switch (least, most) {
  case (0, 0): "no \(name)"
  case (1, nil): name
  case (_, nil): "\(name) x\(least)+"
  case (_, let most?): "\(name) x\(least)" + (most == least ? "" : "-\(most)")
  }
}
