import Postbacks
import Values

// A rule is unreachable when, for every user it holds for, another one applies.

extension MappingCheck {
  /// The most times that a rule is tried on a user; beyond that the rules left count as reachable.
  private static let mostTrials = 2_000_000

  private static let mostExamples = 4096

  /// Reports values that no user can get.
  mutating func checkReach() {
    var trials = 0
    for index in mapping.fine.indices {
      var isReached = false
      // Most rules apply to the plainest user they ask for; only for the others more are generated.
      let conditions = mapping.fine[index].conditions
      let plainest = conditions.example
      let isPlain = conditions.hold(for: plainest.totals, at: plainest.seconds)
      if isPlain { isReached = gets(index, plainest.totals, at: plainest.seconds) }
      trials += mapping.fine.count
      if !isReached {
        guard trials < Self.mostTrials else { return }
        guard let examples = examples(of: index) else {
          trials += mapping.fine.count * Self.mostExamples
          continue
        }
        trials += mapping.fine.count * examples.count
        isReached = examples.contains { gets(index, $0.0, at: $0.1) }
      }
      guard !isReached else { continue }
      unreachable.insert(index)
      guard !reachedElsewhere.contains(index) else { continue }
      let (totals, seconds) = mapping.fine[index].conditions.example
      let winner = mapping.fineRule(for: totals, at: seconds)
      log.report(
        .unreachableValue, document.finePlaces[index],
        winner.map {
          Sentence("no user ever gets \(words(index)): \(words($0)) always takes precedence")
        } ?? Sentence("no user ever gets \(words(index)): its conditions exclude each other"),
        hint: Sentence(
          "The precedence is \(code: mapping.precedence.rawValue); give the narrower rule precedence."))
    }
  }

  /// Whether a user gets the value of a rule; an alternative of the same value that goes first takes nothing away.
  private func gets(_ index: Int, _ totals: Totals, at seconds: Int64) -> Bool {
    mapping.fineRule(for: totals, at: seconds).map { mapping.fine[$0].value } == mapping.fine[index].value
  }

  /// Users for which a rule holds, one for each combination of amounts, counts and hours that rules distinguish.
  ///
  /// `nil` when there are too many to be tried, so that nothing is known.
  private func examples(of index: Int) -> [(Totals, Int64)]? {
    let conditions = mapping.fine[index].conditions
    var examples: [(Totals, Int64)] = [conditions.example]
    func vary(_ change: ((Totals, Int64)) -> [(Totals, Int64)]) {
      guard examples.count <= Self.mostExamples else { return }
      // One more than allowed is enough to know that there are too many.
      examples += examples.lazy.flatMap(change).prefix(Self.mostExamples + 1)
    }
    let hours = Set(
      mapping.fine.flatMap { [$0.conditions.activeHours?.from, $0.conditions.activeHours?.to] })
    vary { (totals, _) in hours.compactMap { $0.map { (totals, Int64($0) * Hour.seconds) } } }
    for event in conditions.events {
      let others = mapping.fine.flatMap { $0.conditions.events }.filter { $0.name == event.name }
      let counts = Set(others.flatMap { [$0.count.min, $0.count.max.map { $0 + 1 } ?? $0.count.min] })
      vary { (totals, seconds) in
        counts.map { count in
          var totals = totals
          totals.events[event.name]?.count = count
          return (totals, seconds)
        }
      }
      // Other rules can depend on an event's revenue even if this one does not.
      for currency in event.revenue.map({ [$0.currency] })
        ?? Set(others.compactMap(\.revenue?.currency)).sorted()
      {
        vary { (totals, seconds) in
          others.edges(in: currency).map {
            (totals.changing(event.name, to: $0, currency, movesTotal: conditions.revenue == nil), seconds)
          }
        }
      }
    }
    let totalRanges = mapping.fine.compactMap(\.conditions.revenue)
    for currency in Set(totalRanges.map(\.currency)) {
      let edges = Set(totalRanges.filter { $0.currency == currency }.flatMap(\.range.edges))
      vary { (totals, seconds) in
        edges.map { edge in
          var totals = totals
          totals.revenue[currency] = edge
          return (totals, seconds)
        }
      }
    }
    // Rules that ask for an event not to happen fail where it does.
    let limited = mapping.fine.flatMap { $0.conditions.events }.filter { $0.count.min == 0 }.map(\.name)
    for name in Set(limited).subtracting(conditions.events.map(\.name)) {
      vary { (totals, seconds) in
        [1, 1_000_000_000].map { count in
          var totals = totals
          totals.events[name] = Totals.Event(count: count)
          return (totals, seconds)
        }
      }
      let others = mapping.fine.flatMap { $0.conditions.events }.filter { $0.name == name }
      for currency in Set(others.compactMap(\.revenue?.currency)).sorted() {
        vary { (totals, seconds) in
          guard totals.events[name] != nil else { return [] }
          return others.edges(in: currency).map {
            (totals.changing(name, to: $0, currency, movesTotal: conditions.revenue == nil), seconds)
          }
        }
      }
    }
    guard examples.count <= Self.mostExamples else { return nil }
    return examples.filter { conditions.hold(for: $0.0, at: $0.1) }
  }
}

extension [EventCondition] {
  fileprivate func edges(in currency: CurrencyCode) -> Set<Amount> {
    Set(compactMap(\.revenue).filter { $0.currency == currency }.flatMap(\.range.edges))
  }
}

extension Totals {
  /// The totals of a user whose event has another amount, summed over all its occurrences.
  fileprivate func changing(
    _ event: String, to amount: Amount, _ currency: CurrencyCode, movesTotal: Bool
  ) -> Totals {
    var totals = self
    let old = events[event]?.revenue[currency] ?? .zero
    totals.events[event]?.revenue[currency] = amount
    if movesTotal {
      let rest = (revenue[currency] ?? .zero).subtracting(old)
      totals.revenue[currency] = rest.adding(amount).sum
    }
    return totals
  }
}

extension AmountRange {
  fileprivate var edges: [Amount] {
    var edges: [Int64] = [first, last]
    if first > .min { edges.append(first - 1) }
    if last < .max { edges.append(last + 1) }
    return edges.map { Amount(micros: $0) }
  }
}
