import JSONText
import Mappings
import Postbacks
import Values

extension ExportDraft {
  /// The parts of conditions that the format can express.
  ///
  /// - Throws: ``RuleFault`` where the rule would be for other users without the part that is missing.
  func reduced(_ conditions: Conditions) throws(RuleFault) -> Conditions {
    guard conditions.conversionTypes.contains(.install) else {
      throw RuleFault(Sentence("re-engagements can't have rules of their own"))
    }
    var events = conditions.events
    if let total = conditions.revenue { events = try adding(total, to: events) }
    var left: [EventCondition] = []
    for event in events {
      if let event = try reduced(event) { left.append(event) }
    }
    guard left.count >= ability.events.lowerBound else {
      throw RuleFault(Sentence("a rule requires an event"))
    }
    guard left.count <= ability.events.upperBound else {
      throw RuleFault(Sentence("a rule has at most \(ability.events.upperBound) events"))
    }
    return Conditions(events: left, activeHours: ability.hasHours ? conditions.activeHours : nil)
  }

  /// The events with a condition on total revenue as one on the revenue of an event: the one that was named, or the only one.
  private func adding(
    _ total: RevenueCondition, to events: [EventCondition]
  ) throws(RuleFault) -> [EventCondition] {
    guard let name = context.revenueEvent ?? (events.count == 1 ? events.first?.name : nil) else {
      throw RuleFault(Sentence("the format has no condition on total revenue"), isOfTotal: true)
    }
    guard let place = events.firstIndex(where: { $0.name == name }) else {
      return events + [EventCondition(name: name, count: .atLeastOnce, revenue: total)]
    }
    guard events[place].revenue == nil else {
      throw RuleFault(Sentence("the rule has a condition on the revenue of \(name: quoted(name)) already"))
    }
    var all = events
    all[place] = EventCondition(name: name, count: events[place].count, revenue: total)
    return all
  }

  /// What is known of an event; `nil` when nothing is left that a user could fail.
  private func reduced(_ event: EventCondition) throws(RuleFault) -> EventCondition? {
    guard event.name.count <= ability.longestName else {
      throw RuleFault(Sentence("the name of an event has at most \(ability.longestName) letters"))
    }
    let revenue = try event.revenue.flatMap { condition throws(RuleFault) in try reduced(condition) }
    let (least, most) = (event.count.min, event.count.max)
    guard most != 0 || ability.counts == .range else {
      throw RuleFault(Sentence("the format has no condition that excludes an event"))
    }
    let count: CountRange?
    switch ability.counts {
    case .range: count = event.count
    case .rangeAboveZero: count = CountRange(min: max(1, least), max: most)
    case .least: count = CountRange(min: least, max: nil)
    case .happened:
      if least == 0, event.revenue == nil { return nil }
      count = .atLeastOnce
    }
    return EventCondition(name: event.name, count: count ?? .atLeastOnce, revenue: revenue)
  }

  /// What is known of a range; `nil` when it has no end.
  private func reduced(_ revenue: RevenueCondition) throws(RuleFault) -> RevenueCondition? {
    guard ability.hasCurrencies || revenue.currency == original.currency else {
      throw RuleFault(
        Sentence("an amount can't be in \(revenue.currency) where the others are in \(original.currency)"))
    }
    var low = revenue.range.lower.amount
    var high = revenue.range.upper.amount
    if high == nil, ability.needsUpperEnd { high = revenue.high }
    if low == nil, high == nil { return nil }
    if ability.isZeroUnset {
      guard high != .zero else { throw RuleFault(Sentence("a range can't end at 0, which means no end")) }
      // A range with an upper end alone begins at 0.
      if let high, high > .zero { low = low ?? .zero } else if low == .zero { low = nil }
    }
    if ability.dropsThousandth, let stepped = low, stepped.micros % 10_000 == 1000 {
      low = stepped.subtracting(Amount(micros: 1000))
    }
    if low == nil, ability.needsLowerEnd { throw RuleFault(Sentence("a range requires a lower end")) }
    if high == nil, ability.needsUpperEnd { high = context.cap }
    if ability.ends == .above || ability.ends == .from { high = nil }
    if low == nil, high == nil { return nil }
    let isLowerIn = ability.ends == .both || ability.ends == .lower || ability.ends == .from
    let isUpperIn = ability.ends == .both || ability.ends == .upper
    guard
      let range = AmountRange(
        lower: low.map { isLowerIn ? .closed($0) : .open($0) } ?? .unbounded,
        upper: high.map { isUpperIn ? .closed($0) : .open($0) } ?? .unbounded)
    else { throw RuleFault(Sentence("no amount is left in its range")) }
    guard ability.hasWorth else { return RevenueCondition(range, revenue.currency) }
    let condition =
      RevenueCondition(range, revenue.currency, representative: revenue.representative)
      ?? RevenueCondition(range, revenue.currency)
    // Zeros mean that there is no money.
    let amounts = [condition?.low, condition?.high, condition?.representative].compactMap { $0 }
    return amounts.allSatisfy { $0 == .zero } ? nil : condition
  }

  /// Checks that ranges without an upper end can get one where the format needs it.
  func requireCap() throws(ExportDefect) {
    guard ability.needsUpperEnd, context.cap == nil else { return }
    func isOpen(_ conditions: Conditions) -> Bool {
      conditions.revenues.contains {
        $0.range.upper == .unbounded && $0.range.lower != .unbounded && $0.high == nil
      }
    }
    var places = original.fine.filter { isOpen($0.conditions) }.map { ExportPlace.rule(.fine($0.value)) }
    for window in ability.coarse {
      places += (original.coarse[window]?.rules ?? []).filter { isOpen($0.conditions) }.map {
        .rule(.coarse(window, $0.value))
      }
    }
    guard places.isEmpty else {
      throw ExportDefect(
        code: .openTop,
        sentence: Sentence("\(ability.format) needs an upper end for every range, and some have none"),
        places: places)
    }
  }
}
