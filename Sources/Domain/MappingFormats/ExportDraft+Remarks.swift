import JSONText
import Mappings
import Postbacks
import Values

extension ExportDraft {
  /// Everything by which the mapping that comes back differs from the one that was given.
  var remarks: [ExportRemark] {
    var log = ExportLog()
    var indistinct: [ExportPlace] = []
    let format = ability.format
    log.add(.name, Sentence("\(format) files have no mapping name; give it when importing"))
    if !ability.hasApp { log.add(.app, Sentence("\(format) files have no app; give it when importing")) }
    if !ability.hasCurrency {
      log.add(.currency, Sentence("\(format) files have no mapping currency; give it when importing"))
    }
    if !ability.hasDate {
      log.add(.date, Sentence("\(format) files have no start date; give it when importing"))
    }
    log.add(.device, Sentence("\(format) files have no protocol; give it when importing"))
    for (fault, place) in dropped {
      log.add(.ruleDropped, Sentence("a rule is dropped: \(fault.reason)"), place)
    }
    compareMembers(&log)
    for rule in fine { compare(rule, &log) }
    for rules in Dictionary(grouping: fine, by: \.body.conditions).values {
      guard Set(rules.map(\.original.conditions)).count > 1, Set(rules.map(\.fine)).count > 1 else {
        continue
      }
      indistinct += rules.map(\.place)
    }
    for rule in fine where indistinct.contains(rule.place) {
      log.add(
        .indistinct,
        Sentence("after the conversion, two values have the same condition; only one of them can be set"),
        rule.place)
    }
    for window in ConversionWindow.allCases {
      if let rules = original.coarse[window], rules.rules.isEmpty {
        log.add(.emptyWindow, Sentence("window \(window.rawValue + 1) has no rule and is dropped"))
      }
      if let rules = original.coarse[window], rules.totals != .sinceInstall, !rules.rules.isEmpty {
        log.add(
          .totals,
          Sentence(
            "window \(window.rawValue + 1) counts activity in the window; the export counts since install"))
      }
      for rule in coarse[window] ?? [] { compare(rule, &log) }
    }
    return log.remarks
  }

  private func compareMembers(_ log: inout ExportLog) {
    let (old, new, format) = (original, mapping, ability.format)
    if old.effectiveFrom != new.effectiveFrom {
      log.add(.dateRounded, Sentence("the date becomes \(new.effectiveFrom)"))
    }
    if old.isRaiseOnly != new.isRaiseOnly {
      log.add(
        .raiseOnly,
        new.isRaiseOnly
          ? Sentence("\(format) only raises a value; the mapping can lower it")
          : Sentence("\(format) has no setting that a value only rises"))
    }
    if let hours = new.measurementWindowHours, old.measurementWindowHours == nil {
      log.add(
        .measurementAssumed, Sentence("\(format) requires an end of measurement; \(hours) hours are assumed"))
    } else if old.measurementWindowHours != new.measurementWindowHours {
      log.add(
        .measurementWindow,
        new.measurementWindowHours.map {
          Sentence("\(format) counts whole days; measurement ends after \($0) hours")
        } ?? Sentence("\(format) has no end of measurement"))
    }
    if old.precedence != new.precedence {
      if new.precedence == .highestValue {
        log.add(.precedence, Sentence("if several rules match, the highest value applies in \(format)"))
      } else {
        log.add(
          .precedenceRewritten,
          new.precedence == .listOrder
            ? Sentence("\(format) uses the order of the list; the export has the same effect")
            : Sentence("\(format) uses ranks; the export has the same effect")
        )
      }
    }
    if old.partners != new.partners {
      log.add(.partners, Sentence("the list of partners is that of \(format)"))
    }
    if old.declaredEvents != new.declaredEvents {
      log.add(.declaredEvents, Sentence("\(format) has no list of the events that the app sends"))
    }
    let order = fine.map(\.index)
    if order != order.sorted() { log.add(.order, Sentence("the rules are in the order of \(format)")) }
  }

  private func compare(_ rule: Rule, _ log: inout ExportLog) {
    let (old, new, place, format) = (rule.original, rule.body, rule.place, ability.format)
    if old.label != new.label {
      log.add(
        .label,
        new.label == nil
          ? Sentence("\(format) has no labels")
          : Sentence("\(format) has labels of at most \(ability.longestLabel) letters"),
        place)
    }
    if old.lock != new.lock { log.add(.lock, Sentence("\(format) has no lock for this value"), place) }
    if old.coarse == nil, let coarse = new.coarse {
      log.add(
        .coarseAssumed,
        Sentence("\(format) requires a coarse value beside a fine one; \(code: coarse.rawValue) is assumed"),
        place)
    } else if old.coarse != new.coarse {
      log.add(.coarse, Sentence("\(format) has no coarse values beside fine ones"), place)
    }
    if old.priority != new.priority {
      log.add(
        .priority,
        new.priority == 0
          ? Sentence("\(format) has no ranks") : Sentence("the rank changes in \(format)"),
        place)
    }
    if old.conditions.activeHours != new.conditions.activeHours {
      log.add(.hours, Sentence("\(format) has no condition on active hours"), place)
    }
    if old.conditions.conversionTypes != new.conditions.conversionTypes {
      log.add(
        .conversionTypes, Sentence("\(format) has no conversion types, and applies the rule to all of them"),
        place)
    }
    if let total = old.conditions.revenue {
      let hasZero =
        total.range.contains(.zero) && !old.conditions.events.contains { $0.name == context.revenueEvent }
      log.add(
        .total,
        context.revenueEvent.map {
          hasZero
            ? Sentence(
              "the condition on total revenue becomes one on the revenue of \(name: quoted($0)); users without it do not "
                + "meet it")
            : Sentence("the condition on total revenue becomes one on the revenue of \(name: quoted($0))")
        } ?? Sentence("the condition on total revenue becomes one on the revenue of the rule's event"), place)
    }
    for event in old.conditions.events {
      guard let left = new.conditions.events.first(where: { $0.name == event.name }) else {
        log.add(
          .event,
          event.count.min == 0
            ? Sentence("\(format) has no optional events; the condition is dropped")
            : Sentence(
              "in \(format), \(name: quoted(event.name)) is the first launch and needs no condition"),
          place)
        continue
      }
      if left.count != event.count {
        log.add(
          .count, Sentence("\(format) cannot express the count; it becomes \(left.count.words)"), place)
      }
      if let revenue = event.revenue ?? old.conditions.revenue { compare(revenue, left.revenue, place, &log) }
    }
  }

  private func compare(
    _ old: RevenueCondition, _ new: RevenueCondition?, _ place: ExportPlace, _ log: inout ExportLog
  ) {
    let format = ability.format
    guard let new else {
      log.add(
        .revenue,
        Sentence("\(format) cannot express this range of amounts; the rule requires only the event"), place)
      return
    }
    let pairs = [(old.range.lower, new.range.lower), (old.range.upper, new.range.upper)]
    if pairs[0].0.amount != pairs[0].1.amount {
      log.add(
        .lowerEnd,
        new.range.lower == .unbounded
          ? Sentence("in \(format) the range has no lower end")
          : Sentence("the lower end changes in \(format)"), place)
    }
    if pairs[1].0.amount != pairs[1].1.amount {
      let sentence =
        if let high = new.range.upper.amount {
          old.range.upper == .unbounded
            ? Sentence("the range has no upper end; in \(format) it ends at \(high)")
            : Sentence("the upper end becomes \(high) in \(format)")
        } else { Sentence("in \(format) the range has no upper end") }
      log.add(.upperEnd, sentence, place)
    }
    if pairs.contains(where: { $0 != $1 && $0.amount == $1.amount }) {
      log.add(.ends, ability.ends.sentence, place)
    }
    let isStated = RevenueCondition(old.range, old.currency) != old
    let isSame = (old.low, old.representative, old.high) == (new.low, new.representative, new.high)
    if isStated, !isSame {
      log.add(
        .worth, Sentence("\(format) has no amount for the range; the amount follows from its ends"), place)
    } else if !isSame, pairs.allSatisfy({ $0.amount == $1.amount }) {
      let high = new.high.map { Sentence("\($0)") } ?? Sentence("no limit")
      log.add(
        .worth, Sentence("the range has no upper end in \(format); its amount is at most \(high)"), place)
    }
  }
}

/// Collects remarks, one for each sentence, with all the rules it is about.
struct ExportLog {
  private(set) var remarks: [ExportRemark] = []

  mutating func add(_ code: ExportRemark.Code, _ sentence: Sentence, _ place: ExportPlace? = nil) {
    let places = place.map { [$0] } ?? []
    guard let index = remarks.firstIndex(where: { $0.code == code && $0.sentence == sentence }) else {
      remarks.append(ExportRemark(code: code, sentence: sentence, places: places))
      return
    }
    if let place, !remarks[index].places.contains(place) {
      remarks[index] = ExportRemark(code: code, sentence: sentence, places: remarks[index].places + [place])
    }
  }
}

extension CountRange {
  fileprivate var words: Sentence {
    max.map { Sentence("\(min) to \($0) times") }
      ?? (min == 1 ? Sentence("at least once") : Sentence("at least \(min) times"))
  }
}

extension ExportAbility.Ends {
  fileprivate var sentence: Sentence {
    switch self {
    case .both: Sentence("after an import, the range is read with both ends")
    case .lower: Sentence("after an import, the range is read with its lower end and without its upper end")
    case .upper: Sentence("after an import, the range is read with its upper end and without its lower end")
    case .above:
      Sentence("after an import, the range is everything above the lower end, up to the next rule's")
    case .from: Sentence("after an import, the range is read with its lower end")
    }
  }
}
