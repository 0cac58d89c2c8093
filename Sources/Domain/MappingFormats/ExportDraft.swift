import Mappings
import Postbacks
import Values

/// What a format leaves of a mapping, with what it was before.
struct ExportDraft {
  /// A rule without its value.
  struct Body: Equatable {
    var conditions: Conditions
    var label: String?
    var lock: Bool
    var coarse: CoarseValue?
    var priority: Int
  }

  /// A rule before and after.
  struct Rule {
    let place: ExportPlace
    let fine: FineValue?
    let step: CoarseValue?
    let index: Int
    let original: Body
    var body: Body
  }

  let ability: ExportAbility
  let context: ExportContext
  let original: Mapping
  private(set) var fine: [Rule] = []
  private(set) var coarse: [ConversionWindow: [Rule]] = [:]
  private(set) var dropped: [(fault: RuleFault, place: ExportPlace)] = []

  /// Takes from a mapping what the format cannot express.
  ///
  /// - Throws: ``ExportDefect`` when nothing is left, or where a decision is missing.
  init(_ mapping: Mapping, _ ability: ExportAbility, _ context: ExportContext) throws(ExportDefect) {
    self.ability = ability
    self.context = context
    original = mapping
    try requireCap()
    fine = reduced(mapping.fine.enumerated().map { Self.rule($1, $0) })
    reorder()
    for window in ConversionWindow.allCases {
      guard let rules = mapping.coarse[window]?.rules else { continue }
      let known = rules.enumerated().map { Self.rule($1, $0, window) }
      guard ability.coarse.contains(window) else {
        for rule in known {
          dropped.append(
            (
              RuleFault(
                ability.coarse.isEmpty
                  ? Sentence("the format has no coarse values")
                  : Sentence("the format has them only beside fine values")),
              rule.place
            ))
        }
        continue
      }
      let left = reduced(known)
      if !left.isEmpty { coarse[window] = left }
    }
    lock()
    guard !fine.isEmpty || !coarse.isEmpty else {
      throw ExportDefect(
        code: dropped.contains(where: \.fault.isOfTotal) ? .totalRevenue : .nothingLeft,
        sentence: dropped.first.map {
          Sentence("no rule can be expressed in \(ability.format): \($0.fault.reason)")
        } ?? Sentence("the mapping has no rule"),
        places: Array(dropped.prefix(1).map(\.place)))
    }
  }

  var mapping: Mapping {
    Mapping(
      name: original.name, app: original.app, currency: original.currency, effectiveFrom: date,
      device: original.device, isRaiseOnly: isRaiseOnly, measurementWindowHours: measurementHours,
      precedence: precedence, partners: ability.partner.map { [$0] } ?? [],
      fine: fine.compactMap { rule in
        rule.fine.map {
          FineRule(
            value: $0, conditions: rule.body.conditions, label: rule.body.label, coarse: rule.body.coarse,
            lock: rule.body.lock, priority: rule.body.priority)
        }
      },
      coarse: coarse.mapValues { rules in
        CoarseRules(
          rules: rules.compactMap { rule in
            rule.step.map {
              CoarseRule(
                value: $0, conditions: rule.body.conditions, label: rule.body.label, lock: rule.body.lock)
            }
          })
      })
  }

  /// The file's bytes with the mapping that they hold and what was lost on the way.
  func exported(_ bytes: [UInt8]) -> ExportedMapping {
    ExportedMapping(bytes: bytes, mapping: mapping, remarks: remarks)
  }

  /// Changes the conditions of fine rules, and of the coarse rules of each window.
  mutating func changeConditions(_ change: ([Conditions]) -> [Conditions]) {
    func changed(_ rules: [Rule]) -> [Rule] {
      zip(rules, change(rules.map(\.body.conditions))).map { rule, conditions in
        var rule = rule
        rule.body.conditions = conditions
        return rule
      }
    }
    fine = changed(fine)
    coarse = coarse.mapValues(changed)
  }

  // MARK: Rules

  private static func rule(_ rule: FineRule, _ index: Int) -> Rule {
    let body = Body(
      conditions: rule.conditions, label: rule.label, lock: rule.lock, coarse: rule.coarse,
      priority: rule.priority)
    return Rule(
      place: .rule(.fine(rule.value)), fine: rule.value, step: nil, index: index, original: body,
      body: body)
  }

  private static func rule(_ rule: CoarseRule, _ index: Int, _ window: ConversionWindow) -> Rule {
    let body = Body(
      conditions: rule.conditions, label: rule.label, lock: rule.lock, coarse: nil, priority: 0)
    return Rule(
      place: .rule(.coarse(window, rule.value)), fine: nil, step: rule.value,
      index: index,
      original: body, body: body)
  }

  private mutating func reduced(_ rules: [Rule]) -> [Rule] {
    var left: [Rule] = []
    for var rule in rules {
      do throws(RuleFault) {
        guard
          ability.hasAlternatives || !left.contains(where: { $0.fine == rule.fine && $0.step == rule.step })
        else { throw RuleFault(Sentence("the format has one rule per value")) }
        rule.body.conditions = try reduced(rule.body.conditions)
        rule.body.label = rule.body.label.flatMap {
          ability.longestLabel > 0 ? String($0.prefix(ability.longestLabel)) : nil
        }
        if rule.fine != nil {
          rule.body.coarse = ability.hasCoarseBesideFine ? rule.body.coarse ?? .low : nil
        }
        left.append(rule)
      } catch { dropped.append((error, rule.place)) }
    }
    return left
  }

  /// Puts fine rules into the order in which they come back, and their ranks with them.
  private mutating func reorder() {
    func sort(_ isBefore: (Rule, Rule) -> Bool) {
      // Sorting must keep equal rules in their order, which the standard library does not promise.
      fine = fine.enumerated().sorted {
        isBefore($0.element, $1.element) || !isBefore($1.element, $0.element) && $0.offset < $1.offset
      }.map(\.element)
    }
    func number(_ rule: Rule) -> Int { Int(rule.fine?.number ?? 0) }
    func rank(_ rule: Rule) -> (Int, Int) { (rule.body.priority, number(rule)) }
    switch ability.order {
    case .free: break
    case .values: sort { number($0) < number($1) }
    case .list:
      switch original.precedence {
      case .listOrder: break
      case .highestValue: sort { number($0) > number($1) }
      case .priority: sort { rank($0) > rank($1) }
      }
    case .ranks:
      switch original.precedence {
      case .listOrder: for index in fine.indices { fine[index].body.priority = fine.count - index }
      case .highestValue: for index in fine.indices { fine[index].body.priority = number(fine[index]) + 1 }
      case .priority:
        // Ranks start at 0, and equal ones would leave the choice to the other system.
        let ranks = fine.map(rank)
        let isClear = ranks.allSatisfy { one in
          one.0 >= 0 && ranks.allSatisfy { $0.0 != one.0 || $0.1 == one.1 }
        }
        if !isClear {
          let steps = ranks.sorted(by: <).reduce(into: [(Int, Int)]()) { steps, rank in
            if steps.last.map({ $0 != rank }) ?? true { steps.append(rank) }
          }
          for index in fine.indices {
            fine[index].body.priority = 1 + (steps.firstIndex { $0 == ranks[index] } ?? 0)
          }
        }
      }
      sort { $0.body.priority > $1.body.priority }
      return
    }
    for index in fine.indices { fine[index].body.priority = 0 }
  }

  /// Takes away the locks that the format cannot express.
  private mutating func lock() {
    switch ability.locks {
    case .each: break
    case .none, .high:
      for index in fine.indices { fine[index].body.lock = false }
      for (window, rules) in coarse {
        let isHigh = ability.locks == .high && rules.contains { $0.step == .high && $0.body.lock }
        for index in rules.indices { coarse[window]?[index].body.lock = isHigh && rules[index].step == .high }
      }
    case .oneValue:
      let locking = fine.filter(\.body.lock).compactMap(\.fine).max()
      for index in fine.indices { fine[index].body.lock = fine[index].fine == locking }
      for (window, rules) in coarse {
        let step = rules.last { $0.body.lock }?.step
        let isKept = window != .first || locking == nil
        for index in rules.indices { coarse[window]?[index].body.lock = isKept && rules[index].step == step }
      }
    }
  }

  // MARK: The mapping's own members

  private var date: Instant {
    guard ability.hasDate else { return original.effectiveFrom }
    let seconds = original.effectiveFrom.milliseconds / 1000
    return Instant(seconds: min(max(0, seconds), 253_402_300_799))
  }

  private var isRaiseOnly: Bool {
    switch ability.raising {
    case .never: false
    case .always: true
    case .stated: original.isRaiseOnly
    }
  }

  private var measurementHours: Int? {
    switch ability.measurement {
    case .nothing: nil
    case .hours: original.measurementWindowHours
    case .days(let most):
      min(most, max(1, (original.measurementWindowHours ?? most * 24).dividedRoundingUp(by: 24))) * 24
    }
  }

  private var precedence: Mapping.Precedence {
    switch ability.order {
    case .free, .values: .highestValue
    case .list: .listOrder
    case .ranks: .priority
    }
  }
}

extension Int {
  fileprivate func dividedRoundingUp(by divisor: Int) -> Int { self / divisor + (self % divisor > 0 ? 1 : 0) }
}
