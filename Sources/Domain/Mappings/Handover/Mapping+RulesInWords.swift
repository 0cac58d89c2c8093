import Postbacks
package import Values

extension Mapping {
  /// The rules as sentences for developers who implement them by hand; they have neither labels nor worths.
  ///
  /// Rules that differ in an amount only are one sentence. The order is that of the evaluation.
  package var rulesInWords: [Sentence] { general + fineSentences + coarseSentences }

  private var general: [Sentence] {
    var sentences: [Sentence] = []
    if device.hasWindows {
      sentences.append(
        Sentence(
          "There are three windows, counted from the first launch: hours 0 to 48, days 3 to 7, and days 8 to 35. Window 1 "
            + "has a fine value (0 to 63) and a coarse value, windows 2 and 3 have a coarse value only."))
    } else {
      sentences.append(
        Sentence(
          "There is one value, 0 to 63, which only rises. Each rise starts a timer of 24 hours, as the first launch does; "
            + "after its end no update counts."))
    }
    if let sums {
      let currencies = Sentence.all(of: revenueCurrencies.sorted().map { Sentence("\($0)") })
      let money = currencies.map {
        Sentence("Amounts are in \($0); an amount in another currency is not added to them.")
      }
      sentences.append(.joined([sums] + (money.map { [$0] } ?? []), by: " "))
    }
    switch precedence {
    case .listOrder:
      sentences.append(
        Sentence(
          "At the first launch and after each event, look at all rules. The first one here that holds applies."
        ))
    case .priority:
      sentences.append(
        Sentence(
          "At the first launch and after each event, look at all rules. Of those that hold, the one with the highest "
            + "priority applies; of equal ones, the one with the higher value."))
    case .highestValue:
      sentences.append(
        Sentence(
          "At the first launch and after each event, look at all rules. Of those that hold, the one with the highest "
            + "value applies."))
    }
    if isRaiseOnly {
      if device.hasWindows { sentences.append(Sentence("Never replace a value by a lower one.")) }
    } else {
      sentences.append(Sentence("Make a call whenever a value changes, also when it falls."))
    }
    if let measurementWindowHours {
      sentences.append(Sentence("Set fine values in the first \(measurementWindowHours) hours only."))
    }
    return sentences
  }

  /// What an app has to add up; `nil` where no rule asks for events or revenue.
  private var sums: Sentence? {
    let names = Sentence.joined(eventNames.sorted().map(Self.quoted), by: ", ")
    return switch (eventNames.isEmpty, asksForTotals) {
    case (true, false): nil
    case (true, true): Sentence("Since the first launch, keep the revenue of all events together.")
    case (false, false):
      Sentence(
        "Since the first launch, keep how often each of these events happened and its revenue: \(names).")
    case (false, true):
      Sentence(
        "Since the first launch, keep how often each of these events happened and its revenue: \(names); and the "
          + "revenue of all events together.")
    }
  }

  static func quoted(_ name: String) -> Sentence { Sentence("“\(name: name)”") }

  // MARK: Fine values

  private var fineSentences: [Sentence] {
    var order: [RuleShape] = []
    var groups: [RuleShape: [FineRule]] = [:]
    for rule in precedence == .listOrder ? fine : fine.ordered(by: { $0.value < $1.value }) {
      // The order of a list is kept: a rule joins the group before it, and no earlier one.
      let own = RuleShape(rule, number: precedence == .listOrder ? order.count : 0)
      let shape =
        precedence == .listOrder && order.last?.isSame(as: own) == true ? order[order.count - 1] : own
      if groups[shape] == nil { order.append(shape) }
      groups[shape, default: []].append(rule)
    }
    return order.map { shape in
      let rules = groups[shape] ?? []
      guard let subject = shape.subject, rules.count > 1 else {
        return .joined(
          rules.map { Sentence("Value \($0.value.number): \($0.conditions.words)\(shape.setting).") }, by: " "
        )
      }
      return subject.sentence(after: shape.others, Self.steps(rules), shape.setting)
    }
  }

  /// `1 from 0.01 USD, 2 from 5 USD, 3 from 10 to below 20 USD`, where each range begins at the end of the one before it.
  private static func steps(_ rules: [FineRule]) -> Sentence {
    let ranges = rules.compactMap { $0.conditions.revenues.last }
    let isUnbroken =
      ranges.count == rules.count
      && zip(ranges, ranges.dropFirst()).allSatisfy { low, high in
        low.range.last < .max && low.range.last + 1 == high.range.first
      }
    return .joined(
      zip(rules, ranges).enumerated().map { index, pair in
        let range = pair.1.range
        let isShort = isUnbroken && index < rules.count - 1 && range.first > .min
        let shown = isShort ? AmountRange(lower: range.lower, upper: .unbounded) ?? range : range
        return shown.words(ofValue: pair.0.value, pair.1.currency)
      }, by: ", ")
  }

  // MARK: Coarse values

  private var coarseSentences: [Sentence] {
    coarse.ordered { $0.key < $1.key }.map { window, rules in
      let steps = Sentence.joined(rules.rules.map(\.words), by: "; ")
      let number = window.rawValue + 1
      return switch rules.totals {
      case .window:
        Sentence(
          "Coarse value of window \(number), by what happened in this window: \(steps). The highest that holds applies."
        )
      case .sinceInstall:
        Sentence(
          "Coarse value of window \(number), by all since the first launch: \(steps). The highest that holds applies."
        )
      }
    }
  }
}

/// What rules of one sentence have in common: all but the value and one range of revenue.
private struct RuleShape: Hashable {
  /// What the range of such rules is of.
  enum Subject: Hashable {
    case total(CurrencyCode)
    case event(String, CurrencyCode)

    /// The sentence of rules that differ in the range.
    func sentence(after others: [Sentence], _ steps: Sentence, _ setting: Sentence) -> Sentence {
      guard !others.isEmpty else {
        return switch self {
        case .total(let currency):
          Sentence("The revenue of all events in \(currency) gives values: \(steps)\(setting).")
        case .event(let name, let currency):
          Sentence("The revenue of \(Mapping.quoted(name)) in \(currency) gives values: \(steps)\(setting).")
        }
      }
      let others = Sentence.joined(others, by: "; ")
      return switch self {
      case .total(let currency):
        Sentence(
          "\(beginning: others); the revenue of all events in \(currency) gives values: \(steps)\(setting).")
      case .event(let name, let currency):
        Sentence(
          "\(beginning: others); the revenue of \(Mapping.quoted(name)) in \(currency) gives values: "
            + "\(steps)\(setting).")
      }
    }
  }

  /// The conditions but for the range.
  let others: [Sentence]
  /// What the range is of; `nil` for a rule without money.
  let subject: Subject?
  /// What the rules set besides the value.
  let setting: Sentence
  /// Distinguishes shapes where the order of the list counts.
  let number: Int
  /// The value of a rule without money, which is a sentence of its own.
  let value: FineValue?

  init(_ rule: FineRule, number: Int) {
    let conditions = rule.conditions
    var words = conditions.frame
    if let total = conditions.revenue {
      subject = .total(total.currency)
      words += conditions.events.map(\.words)
    } else if let last = conditions.events.lastIndex(where: { $0.revenue != nil }),
      let currency = conditions.events[last].revenue?.currency
    {
      let event = conditions.events[last]
      subject = .event(event.name, currency)
      words += conditions.events.indices.filter { $0 != last }.map { conditions.events[$0].words }
      if event.count != .atLeastOnce {
        words.append(EventCondition(name: event.name, count: event.count).words)
      }
    } else {
      subject = nil
      words += conditions.events.map(\.words)
    }
    others = words
    value = subject == nil ? rule.value : nil
    let parts: [Sentence?] = [
      rule.coarse.map { Sentence(", with the coarse value \(code: $0.rawValue)") },
      rule.lock ? Sentence(", and lock the window") : nil,
      rule.priority == 0 ? nil : Sentence(" (priority \(rule.priority))"),
    ]
    setting = .joined(parts.compactMap { $0 }, by: "")
    self.number = number
  }

  func isSame(as other: Self) -> Bool {
    (others, subject, setting) == (other.others, other.subject, other.setting) && value == other.value
  }
}

extension Meaning {
  /// What a value means in words, with what it counts as: `“purchase” from 1 to below 5 USD, counts as 3 USD`.
  package var words: Sentence {
    guard case .rules(let rules) = self else { return line }
    let all = rules.map { rule in
      let conditions = Conditions(
        events: rule.events, revenue: rule.total, activeHours: rule.activeHours,
        conversionTypes: rule.conversionTypes
      )
      let worth = Sentence.all(of: rule.revenue.map { Sentence("\($0.representative) \($0.currency)") })
      let text = worth.map { Sentence("\(conditions.words); counts as \($0)") } ?? conditions.words
      return rule.label.map { Sentence("\(name: $0): \(text)") } ?? text
    }
    return all.dropFirst().reduce(all.first ?? line) { Sentence("\($0); or \($1)") }
  }
}

extension Conditions {
  /// All conditions in words; they hold together.
  fileprivate var words: Sentence {
    let money =
      revenue.map { [Sentence("the revenue of all events is \($0.range.words($0.currency))")] } ?? []
    let parts = frame + events.map(\.words) + money
    return parts.isEmpty ? Sentence("every user, from the first launch on") : .joined(parts, by: "; ")
  }

  /// The conversion type and the hours in words.
  fileprivate var frame: [Sentence] {
    let types =
      conversionTypes == .all
      ? []
      : [conversionTypes.contains(.install) ? Sentence("for installs") : Sentence("for re-engagements")]
    let hours = activeHours.map {
      [Sentence("the newest event is \($0.from) h or more and less than \($0.to) h after the start")]
    }
    return types + (hours ?? [])
  }
}

extension CoarseRule {
  /// `low: at least one “purchase”, and lock the window`.
  fileprivate var words: Sentence {
    let step =
      switch value {
      case .low: Sentence("low: \(conditions.words)")
      case .medium: Sentence("medium: \(conditions.words)")
      case .high: Sentence("high: \(conditions.words)")
      }
    return lock ? .joined([step, Sentence(", and lock the window")], by: "") : step
  }
}

extension EventCondition {
  fileprivate var words: Sentence {
    let name = Mapping.quoted(name)
    let times =
      switch (count.min, count.max) {
      case (0, 0): Sentence("no \(name)")
      case (1, nil): Sentence("at least one \(name)")
      case (0, nil): Sentence("any number of \(name)")
      case (let least, nil): Sentence("at least \(least) \(name)")
      case (let least, let most?):
        least == most
          ? Sentence("exactly \(least) \(name)") : Sentence("\(least) to \(most) “\(name: self.name)”")
      }
    return revenue.map { Sentence("\(times) with revenue \($0.range.words($0.currency)) in all") } ?? times
  }
}
