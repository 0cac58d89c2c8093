public import Postbacks
public import Values

/// A call by which an app sets its conversion values.
public struct ValueUpdate: Equatable, Sendable {
  /// Seconds since the first launch.
  public let time: Int64
  public let window: ConversionWindow
  /// The fine value that is in force then; `nil` when none was set or the window has none.
  public let fine: FineValue?
  /// The coarse value that is in force then; `nil` when none was set.
  public let coarse: CoarseValue?
  public let lock: Bool
  public let cause: RuleReference
}

public enum RuleReference: Hashable, Sendable {
  case fine(Int)
  case coarse(ConversionWindow, Int)
}

/// What a window ends with, and when its postback can leave the device.
public struct FinalPostback: Equatable, Sendable {
  public let window: ConversionWindow
  /// The fine value; the device sends it only if the group is large enough.
  public let fine: FineValue?
  /// The coarse value; the device sends it in place of the fine one if the group is small.
  public let coarse: CoarseValue?
  /// Seconds since the first launch at which it leaves at the earliest.
  public let sendEarliest: Int64
  /// Seconds since the first launch at which it leaves at the latest.
  public let sendLatest: Int64
}

extension Mapping {
  /// What people call a rule: its label as they wrote it, or the value that it sets.
  package func title(of rule: RuleReference) -> Sentence {
    if let label = label(of: rule) { return Sentence(name: label) }
    guard case .fine(let index) = rule, fine.indices.contains(index) else { return Sentence(name: "") }
    return Sentence("value \(fine[index].value.number)")
  }

  public func name(of rule: RuleReference) -> String { label(of: rule) ?? title(of: rule).english }

  /// The label of a rule as its author wrote it, or the coarse value that it sets; `nil` for a fine one without a label.
  private func label(of rule: RuleReference) -> String? {
    switch rule {
    case .fine(let index): fine.indices.contains(index) ? fine[index].label : nil
    case .coarse(let window, let index):
      if let rules = coarse[window]?.rules, rules.indices.contains(index) {
        rules[index].label ?? rules[index].value.rawValue
      } else {
        nil
      }
    }
  }

  func fineRule(for totals: Totals, at seconds: Int64, of type: ConversionType = .install) -> Int? {
    var best: Int?
    for (index, rule) in fine.enumerated() where rule.conditions.hold(for: totals, at: seconds, of: type) {
      guard let known = best else {
        best = index
        if precedence == .listOrder { return index }
        continue
      }
      let isHigher =
        switch precedence {
        case .listOrder: false
        case .highestValue: rule.value > fine[known].value
        case .priority: (rule.priority, rule.value) > (fine[known].priority, fine[known].value)
        }
      if isHigher { best = index }
    }
    return best
  }

  /// The names of every event that a rule asks for.
  public var eventNames: Set<String> {
    let conditions = fine.map(\.conditions) + coarse.values.flatMap { $0.rules.map(\.conditions) }
    return Set(conditions.flatMap { $0.events.map(\.name) })
  }

  /// The currencies of every amount that a rule asks for.
  public var revenueCurrencies: Set<CurrencyCode> {
    let conditions = fine.map(\.conditions) + coarse.values.flatMap { $0.rules.map(\.conditions) }
    return Set(conditions.flatMap { $0.revenues.map(\.currency) })
  }

  /// Whether a rule asks for the revenue of all events together.
  public var asksForTotals: Bool {
    fine.contains { $0.conditions.revenue != nil }
      || coarse.values.contains { $0.rules.contains { $0.conditions.revenue != nil } }
  }
}

extension CoarseRules {
  /// The index of the rule that applies: the first of the highest value that holds.
  func rule(for totals: Mappings.Totals, at seconds: Int64, of type: ConversionType = .install) -> Int? {
    var best: Int?
    for (index, rule) in rules.enumerated() where rule.conditions.hold(for: totals, at: seconds, of: type) {
      if let best, rules[best].value == rule.value { continue }
      best = index
    }
    return best
  }
}
