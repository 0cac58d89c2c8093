import Postbacks
import Values

extension Mapping {
  /// The rules as sentences for developers who implement them by hand; they have neither labels nor worths.
  ///
  /// Rules that differ in an amount only are one sentence. The order is that of the evaluation.
  public var rulesInWords: [String] { general + fineSentences + coarseSentences }

  private var general: [String] {
    var sentences: [String] = []
    if device.hasWindows {
      sentences.append(
        "There are three windows, counted from the first launch: hours 0 to 48, days 3 to 7, and days 8 to 35. Window 1 "
          + "has a fine value (0 to 63) and a coarse value, windows 2 and 3 have a coarse value only.")
    } else {
      sentences.append(
        "There is one value, 0 to 63, which only rises. Each rise starts a timer of 24 hours, as the first launch does; "
          + "after its end no update counts.")
    }
    if !eventNames.isEmpty || asksForTotals {
      let names = eventNames.sorted().map(Self.quoted).joined(separator: ", ")
      let money = revenueCurrencies.map(\.text).sorted().joined(separator: " and ")
      sentences.append(
        "Since the first launch, keep"
          + (names.isEmpty ? "" : " how often each of these events happened and its revenue: \(names)")
          + (names.isEmpty || !asksForTotals ? "" : "; and")
          + (asksForTotals ? " the revenue of all events together" : "") + "."
          + (money.isEmpty
            ? "" : " Amounts are in \(money); an amount in another currency is not added to them."))
    }
    sentences.append(
      "At the first launch and after each event, look at all rules. "
        + (precedence == .listOrder
          ? "The first one here that holds applies."
          : precedence == .priority
            ? "Of those that hold, the one with the highest priority applies; of equal ones, the one with the higher value."
            : "Of those that hold, the one with the highest value applies."))
    if isRaiseOnly {
      if device.hasWindows { sentences.append("Never replace a value by a lower one.") }
    } else {
      sentences.append("Make a call whenever a value changes, also when it falls.")
    }
    if let measurementWindowHours {
      sentences.append(
        "Set fine values in the first \(measurementWindowHours) hours only.")
    }
    return sentences
  }

  static func quoted(_ name: String) -> String { "“\(printable(name))”" }

  // MARK: Fine values

  private var fineSentences: [String] {
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
      let setting = shape.setting
      guard shape.variesInRevenue, rules.count > 1 else {
        return rules.map { "Value \($0.value.number): \($0.conditions.words)\(setting)." }.joined(
          separator: " ")
      }
      let subject = shape.others.isEmpty ? "" : "\(shape.others); "
      return "\(Self.capital(subject + shape.revenueOf)) gives values: \(Self.steps(rules))\(setting)."
    }
  }

  private static func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// `1 from 0.01 USD, 2 from 5 USD, 3 from 10 to below 20 USD`, where each range begins at the end of the one before it.
  private static func steps(_ rules: [FineRule]) -> String {
    let ranges = rules.compactMap { $0.conditions.revenues.last }
    let isUnbroken =
      ranges.count == rules.count
      && zip(ranges, ranges.dropFirst()).allSatisfy { low, high in
        low.range.last < .max && low.range.last + 1 == high.range.first
      }
    return zip(rules, ranges).enumerated().map { index, pair in
      let isLast = index == rules.count - 1
      let range = pair.1.range
      let words = isUnbroken && !isLast && range.first > .min ? range.lowerWords : range.words
      return "\(pair.0.value.number) \(words) \(pair.1.currency.text)"
    }.joined(separator: ", ")
  }

  // MARK: Coarse values

  private var coarseSentences: [String] {
    coarse.ordered { $0.key < $1.key }.map { window, rules in
      let steps = rules.rules.map { rule in
        "\(rule.value.rawValue): \(rule.conditions.words)\(rule.lock ? ", and lock the window" : "")"
      }
      let totals =
        rules.totals == .window ? "by what happened in this window" : "by all since the first launch"
      return "Coarse value of window \(window.rawValue + 1), \(totals): \(steps.joined(separator: "; ")). "
        + "The highest that holds applies."
    }
  }
}

/// What rules of one sentence have in common: all but the value and one range of revenue.
private struct RuleShape: Hashable {
  /// The conditions but for the range.
  let others: String
  /// What the range is of.
  let revenueOf: String
  /// What the rules set besides the value.
  let setting: String
  /// Distinguishes shapes where the order of the list counts.
  let number: Int

  var variesInRevenue: Bool { !revenueOf.isEmpty }

  init(_ rule: FineRule, number: Int) {
    let conditions = rule.conditions
    var words = conditions.frame
    if let total = conditions.revenue {
      revenueOf = "the revenue of all events in \(total.currency.text)"
      words += conditions.events.map(\.words)
    } else if let last = conditions.events.lastIndex(where: { $0.revenue != nil }) {
      let event = conditions.events[last]
      revenueOf = "the revenue of \(Mapping.quoted(event.name)) in \(event.revenue?.currency.text ?? "")"
      words += conditions.events.indices.filter { $0 != last }.map { conditions.events[$0].words }
      if event.count != .atLeastOnce {
        words.append(EventCondition(name: event.name, count: event.count).words)
      }
    } else {
      revenueOf = ""
      // Rules without money are a sentence each.
      words += conditions.events.map(\.words) + ["\(rule.value.number)"]
    }
    others = words.joined(separator: "; ")
    setting =
      (rule.coarse.map { ", with the coarse value \($0.rawValue)" } ?? "")
      + (rule.lock ? ", and lock the window" : "")
      + (rule.priority == 0 ? "" : " (priority \(rule.priority))")
    self.number = number
  }

  func isSame(as other: Self) -> Bool {
    (others, revenueOf, setting) == (other.others, other.revenueOf, other.setting)
  }
}

extension Meaning {
  /// What a value means in words, with what it counts as: `“purchase” from 1 to below 5 USD, counts as 3 USD`.
  public var words: String {
    guard case .rules(let rules) = self else { return line }
    return rules.map { rule in
      let conditions = Conditions(
        events: rule.events, revenue: rule.total, activeHours: rule.activeHours,
        conversionTypes: rule.conversionTypes
      )
      let worth = rule.revenue.map { "\($0.representative) \($0.currency.text)" }.joined(separator: " and ")
      let text = conditions.words + (worth.isEmpty ? "" : "; counts as \(worth)")
      return rule.label.map { "\(printable($0)): \(text)" } ?? text
    }.joined(separator: "; or ")
  }
}

extension Conditions {
  /// All conditions in words; they hold together.
  fileprivate var words: String {
    let money = revenue.map { ["the revenue of all events is \($0.range.words) \($0.currency.text)"] } ?? []
    let parts = frame + events.map(\.words) + money
    return parts.isEmpty ? "every user, from the first launch on" : parts.joined(separator: "; ")
  }

  /// The conversion type and the hours in words.
  fileprivate var frame: [String] {
    let types =
      conversionTypes == .all
      ? [] : ["for \(conversionTypes.list.map { $0.words }.joined(separator: " and "))"]
    let hours = activeHours.map {
      ["the newest event is \($0.from) h or more and less than \($0.to) h after the start"]
    }
    return types + (hours ?? [])
  }
}

extension EventCondition {
  fileprivate var words: String {
    let name = Mapping.quoted(name)
    let times =
      switch (count.min, count.max) {
      case (0, 0): "no \(name)"
      case (1, nil): "at least one \(name)"
      case (0, nil): "any number of \(name)"
      case (let least, nil): "at least \(least) \(name)"
      case (let least, let most?): least == most ? "exactly \(least) \(name)" : "\(least) to \(most) \(name)"
      }
    return times + (revenue.map { " with revenue \($0.range.words) \($0.currency.text) in all" } ?? "")
  }
}

extension ConversionType {
  fileprivate var words: String { self == .install ? "installs" : "re-engagements" }
}

extension AmountRange {
  /// `from 0.01`, or `above 0`; empty without a lower end.
  fileprivate var lowerWords: String {
    switch lower {
    case .closed(let amount): "from \(amount)"
    case .open(let amount): "above \(amount)"
    case .unbounded: ""
    }
  }

  /// `from 0.01 to below 5`, `from 100`, `up to 20`, or `of any amount`.
  fileprivate var words: String {
    let low = lowerWords
    let high =
      switch upper {
      case .closed(let amount): low.isEmpty ? "up to \(amount)" : "up to \(amount), that included,"
      case .open(let amount): "\(low.isEmpty ? "" : "to ")below \(amount)"
      case .unbounded: ""
      }
    let parts = [low, high].filter { !$0.isEmpty }
    return parts.isEmpty ? "of any amount" : parts.joined(separator: " ")
  }
}
