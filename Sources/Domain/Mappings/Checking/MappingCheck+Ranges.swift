import JSONText
import Postbacks
import Values

// Ranges of money that lie beside each other: they should touch, and not overlap.

extension MappingCheck {
  /// Rules that differ in one range of money only.
  private struct Shape: Hashable {
    let key: RevenueKey
    let rest: Conditions
  }

  /// Reports neighbours that overlap, and neighbours between which something is missing.
  mutating func checkRanges() {
    check(
      mapping.fine.map(\.conditions), values: mapping.fine.map { Int($0.value.number) }, document.finePlaces,
      skipping: unreachable)
    for (window, coarse) in mapping.coarse.ordered(by: { $0.key < $1.key }) {
      check(
        coarse.rules.map(\.conditions), values: coarse.rules.map(\.value.rank),
        document.coarsePlaces[window] ?? [], skipping: [])
    }
  }

  private mutating func check(
    _ rules: [Conditions], values: [Int], _ places: [Place], skipping skipped: Set<Int>
  ) {
    var shapes: [Shape: [Int]] = [:]
    for index in rules.indices where !skipped.contains(index) {
      guard let (key, _) = rules[index].ranges.first, rules[index].ranges.count == 1 else { continue }
      shapes[Shape(key: key, rest: rules[index].withoutMoney), default: []].append(index)
    }
    for (shape, indices) in shapes {
      let ranges = indices.compactMap { index in rules[index].ranges[shape.key].map { (index, $0) } }
        .ordered { ($0.1.first, $0.1.last) < ($1.1.first, $1.1.last) }
      // Ranges without upper ends are a ladder: the next rung ends the one below.
      let isLadder = ranges.allSatisfy { $0.1.upper == .unbounded }
      guard !isLadder else { continue }
      for ((low, a), (high, b)) in zip(ranges, ranges.dropFirst()) where values[low] != values[high] || a != b
      {
        // The one that is later in the file is the one to look at.
        let place = places[max(low, high)]
        if a.overlaps(b) {
          log.report(
            .overlappingRanges, place,
            Sentence("the ranges \(code: a) and \(code: b) overlap, so both rules match some users"),
            hint: Sentence(
              "Start each range at the end of the one before; only one of the two includes the shared end."),
            repair: MappingRepair(starting: places[high].path, shape.key, at: a, rules[high]))
        } else if a.last < .max, a.last + 1 < b.first {
          log.report(
            .gapBetweenRanges, place, Sentence("no rule matches between \(code: a) and \(code: b)"),
            hint: Sentence(
              "Start each range at the end of the one before; one of the two includes the shared end."),
            repair: MappingRepair(starting: places[high].path, shape.key, at: a, rules[high]))
        }
      }
    }
  }
}

extension Conditions {
  fileprivate var withoutMoney: Conditions {
    Conditions(
      events: events.map { EventCondition(name: $0.name, count: $0.count) }, activeHours: activeHours)
  }
}

extension MappingRepair {
  /// Starts a rule's range of money where the range below it ends; `nil` where that one has no end, or nothing would be
  /// left, or the rule is one of a grid.
  fileprivate init?(starting rule: JSONPath, _ key: RevenueKey, at low: AmountRange, _ conditions: Conditions)
  {
    guard rule.steps.first != .member("grids"), let edge = low.upper.amount,
      let range = conditions.ranges[key], low.last < range.last
    else { return nil }
    let revenue: JSONPath
    switch key {
    case .total: revenue = rule.member("revenue")
    case .event(let name, _):
      guard let index = conditions.events.firstIndex(where: { $0.name == name }) else { return nil }
      revenue = rule.member("events").element(index).member("revenue")
    }
    self.init(
      Sentence("Start at \(edge)"),
      [
        .set(revenue.member("from"), edge.json),
        .set(revenue.member("includes-from"), .bool(!low.contains(edge))),
      ])
  }
}
