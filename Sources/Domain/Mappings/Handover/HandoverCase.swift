public import Postbacks
package import Values

/// What one user does, and the calls that an app has to make: a test for developers who implement a mapping.
public struct HandoverCase: Equatable, Sendable {
  public let type: ConversionType
  /// What the user does, in the order of time; only the launch where it is empty.
  public let events: [UserEvent]
  /// The calls, as the evaluator of this package makes them.
  public let updates: [ValueUpdate]

  /// What the user does in words: `launch, then "purchase" for 4.99 USD`.
  package var text: Sentence {
    var runs: [(event: UserEvent, count: Int)] = []
    for event in events {
      if let last = runs.last?.event, last.name == event.name, last.revenue == event.revenue {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((event, 1))
      }
    }
    let steps = runs.map { run in
      run.count == 1 ? run.event.words : Sentence("\(run.count) × \(run.event.words)")
    }
    guard let last = steps.last else {
      return type == .install ? Sentence("first launch") : Sentence("return through an ad")
    }
    let rest = steps.dropLast().reversed().reduce(last) { rest, step in Sentence("\(step), then \(rest)") }
    return type == .install
      ? Sentence("first launch, then \(rest)") : Sentence("return through an ad, then \(rest)")
  }
}

extension UserEvent {
  fileprivate var words: Sentence {
    revenue.map { Sentence("“\(name: name)” for \($0.amount) \($0.currency)") } ?? Mapping.quoted(name)
  }
}

extension Mapping {
  /// Tests for each rule: a user at the lower edge of its ranges, and one inside.
  ///
  /// The calls are those of ``replay(_:type:)``, so that a rule which another one outranks has the calls of that one.
  public var handoverCases: [HandoverCase] {
    var cases = [handoverCase([], .install)]
    var known = Set(cases.map { HandoverUser(type: $0.type, events: $0.events) })
    let rules =
      fine.map { (conditions: $0.conditions, window: ConversionWindow.first) }
      + coarse.ordered { $0.key < $1.key }.flatMap { window, rules in
        rules.rules.map { (conditions: $0.conditions, window: window) }
      }
    for rule in rules {
      for place in HandoverUser.Place.allCases {
        guard let user = HandoverUser(rule.conditions, in: rule.window, at: place, of: self),
          known.insert(user).inserted
        else { continue }
        cases.append(handoverCase(user.events, user.type))
      }
    }
    return cases
  }

  private func handoverCase(_ events: [UserEvent], _ type: ConversionType) -> HandoverCase {
    HandoverCase(type: type, events: events, updates: replay(events, type: type).updates)
  }
}

/// A user who meets the conditions of a rule with as little as possible.
private struct HandoverUser: Hashable {
  enum Place: CaseIterable { case atEdge, inside }

  let type: ConversionType
  let events: [UserEvent]

  init(type: ConversionType, events: [UserEvent]) { (self.type, self.events) = (type, events) }

  /// Fails where no user can meet the conditions in the window.
  init?(_ conditions: Conditions, in window: ConversionWindow, at place: Place, of mapping: Mapping) {
    guard let type = conditions.conversionTypes.list.first else { return nil }
    var steps: [(name: String, revenue: Money?)] = []
    var sums: [CurrencyCode: Int64] = [:]
    var free: Int?
    for event in conditions.events {
      let money = event.revenue.flatMap { revenue -> Money? in
        let micros = Self.amount(in: revenue.range, at: place)
        return micros == 0 ? nil : Money(Amount(micros: micros), revenue.currency)
      }
      let count = max(event.count.min, money == nil ? 0 : 1)
      guard event.count.contains(count) else { return nil }
      if event.revenue == nil, count > 0 { free = free ?? steps.count }
      for number in 0..<min(count, 100) { steps.append((event.name, number == 0 ? money : nil)) }
      if let money { sums[money.currency] = (sums[money.currency] ?? 0).addingHeld(money.amount.micros) }
    }
    if let total = conditions.revenue, !total.range.contains(Amount(micros: sums[total.currency] ?? 0)) {
      let (rest, overflow) = Self.amount(in: total.range, at: place).subtractingReportingOverflow(
        sums[total.currency] ?? 0)
      guard !overflow else { return nil }
      let money = Money(Amount(micros: rest), total.currency)
      if let free {
        steps[free].revenue = money
      } else {
        steps.append((Self.otherName(of: mapping), money))
      }
    }
    guard let time = Self.time(conditions, window, place, steps.map(\.name), mapping) else { return nil }
    guard !steps.isEmpty || time == 0 else { return nil }
    self.type = type
    events = steps.map { UserEvent(secondsSinceInstall: time, name: $0.name, revenue: $0.revenue) }
  }

  /// An amount in a range, in whole hundredths where one belongs to it.
  private static func amount(in range: AmountRange, at place: Place) -> Int64 {
    let (first, last, cent) = (range.first, range.last, Int64(10_000))
    guard first > .min else { return range.contains(.zero) ? 0 : last }
    func rounded(_ micros: Int64) -> Int64 {
      let rest = micros % cent
      let whole = micros.addingHeld(rest > 0 ? cent - rest : -rest)
      return range.contains(Amount(micros: whole)) ? whole : micros
    }
    switch place {
    case .atEdge:
      guard case .open = range.lower else { return first }
      return rounded(first)
    case .inside:
      let (ten, overflow) = first.addingReportingOverflow(10_000_000)
      guard last < .max else { return overflow ? first : rounded(ten) }
      return rounded(range.middle.map { max($0.micros, first) } ?? first)
    }
  }

  /// The event that revenue of all events comes from, which no rule asks for.
  private static func otherName(of mapping: Mapping) -> String {
    let asked = mapping.eventNames
    let names = mapping.declaredEvents.map(\.name) + ["purchase", "other purchase"]
    return names.first { !asked.contains($0) } ?? "other revenue"
  }

  /// When the user does it, in seconds since the start; `nil` where no moment is right.
  private static func time(
    _ conditions: Conditions, _ window: ConversionWindow, _ place: Place, _ names: [String],
    _ mapping: Mapping
  ) -> Int64? {
    // A launch and nothing else meets conditions without events in the first hour.
    if names.isEmpty {
      return window == .first && conditions.activeHours.map { $0.from == 0 } ?? true ? 0 : nil
    }
    var (start, end) = (window.seconds.lowerBound, window.seconds.upperBound)
    if window == .first, let fineEnd = mapping.fineEnd { end = min(end, fineEnd) }
    let declared = mapping.declaredEvents.filter { names.contains($0.name) }.map(\.earliestHours).max() ?? 0
    start = max(start, Int64(declared) * Hour.seconds)
    if let hours = conditions.activeHours {
      start = max(start, Int64(hours.from) * Hour.seconds)
      end = min(end, Int64(hours.to) * Hour.seconds)
    }
    guard start < end else { return nil }
    switch place {
    case .atEdge: return start > 0 ? start : min(Hour.seconds, end - 1)
    case .inside:
      let middle = start + min(end - start, Day.seconds) / 2
      return middle / Hour.seconds * Hour.seconds > start ? middle / Hour.seconds * Hour.seconds : middle
    }
  }
}
