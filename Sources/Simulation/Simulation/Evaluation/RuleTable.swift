import Mappings
import Values

/// A number that a mapping's rules look at, of one user.
enum Counter: Hashable, Sendable {
  /// Seconds since install.
  case time
  /// Revenue of all events in a currency.
  case total(CurrencyCode)
  /// How often an event happened.
  case count(String)
  case revenue(String, CurrencyCode)
}

/// What a rule asks of one counter, both ends included.
struct CounterRange: Equatable, Sendable {
  let counter: Counter
  let first: Int64
  let last: Int64
}

extension Conditions {
  /// The conditions as ranges of counters, all of which have to hold.
  var ranges: [CounterRange] {
    var ranges: [CounterRange] = []
    if let activeHours {
      ranges.append(
        CounterRange(
          counter: .time, first: Int64(activeHours.from) * Hour.seconds,
          last: Int64(activeHours.to) * Hour.seconds - 1))
    }
    if let revenue { ranges.append(revenue.range.range(of: .total(revenue.currency))) }
    for event in events {
      ranges.append(
        CounterRange(
          counter: .count(event.name), first: Int64(event.count.min),
          last: event.count.max.map { Int64($0) } ?? .max))
      if let revenue = event.revenue {
        ranges.append(revenue.range.range(of: .revenue(event.name, revenue.currency)))
      }
    }
    return ranges
  }
}

extension AmountRange {
  fileprivate func range(of counter: Counter) -> CounterRange {
    // An open end at the edge of what fits can't be: such a range is empty and was rejected when it was made.
    let first: Int64 =
      switch lower {
      case .closed(let amount): amount.micros
      case .open(let amount): amount.micros &+ 1
      case .unbounded: .min
      }
    let last: Int64 =
      switch upper {
      case .closed(let amount): amount.micros
      case .open(let amount): amount.micros &- 1
      case .unbounded: .max
      }
    return CounterRange(counter: counter, first: first, last: last)
  }
}

/// A list of rules, cut into cells in which the same rule applies.
///
/// Every counter that a rule asks for is a dimension, cut at the ends of all ranges; a rule is a box of cells.
struct RuleTable: Sendable {
  struct Dimension: Sendable {
    let counter: Counter
    /// The values at which the next interval begins, rising; interval 0 lies before the first.
    let breaks: [Int64]
    /// What a step along the dimension adds to the number of a cell.
    let stride: Int

    func interval(of value: Int64) -> Int { breaks.firstIndex { $0 > value } ?? breaks.count }
  }

  /// The intervals of a dimension that a rule asks for, both ends included.
  struct Side: Sendable {
    let dimension: Int
    let first: Int
    let last: Int
  }

  /// More cells than this are not written out; then the rules are gone through one by one.
  static let mostCells = 1 << 20

  let dimensions: [Dimension]
  /// The rule that applies in each cell, -1 for none; empty where there would be too many cells.
  let cells: [Int32]
  /// The rules, the one that applies before all others first, with the boxes they hold in.
  let ranked: [(rule: Int32, box: [Side])]

  /// Cuts the room into cells.
  ///
  /// - Parameters:
  ///   - order: The indices of the rules; the first one that holds applies.
  init(_ rules: [Conditions], order: [Int]) {
    let ranges = rules.map(\.ranges)
    var counters: [Counter] = []
    for range in ranges.joined() where !counters.contains(range.counter) { counters.append(range.counter) }
    var dimensions: [Dimension] = []
    var cellCount = 1
    for counter in counters {
      var breaks: Set<Int64> = []
      for range in ranges.joined() where range.counter == counter {
        if range.first > .min { breaks.insert(range.first) }
        if range.last < .max { breaks.insert(range.last + 1) }
      }
      dimensions.append(Dimension(counter: counter, breaks: breaks.sorted(), stride: cellCount))
      // Held just beyond the limit, so that a long list of dimensions can't overflow.
      cellCount = min(cellCount * (breaks.count + 1), Self.mostCells + 1)
    }
    ranked = order.map { rule in
      (
        Int32(rule),
        ranges[rule].map { range in
          let index = counters.firstIndex(of: range.counter) ?? 0
          return Side(
            dimension: index, first: dimensions[index].interval(of: range.first),
            last: dimensions[index].interval(of: range.last))
        }
      )
    }
    self.dimensions = dimensions
    cells = cellCount > Self.mostCells ? [] : Self.fill(dimensions, ranked, cellCount)
  }

  /// Paints the boxes from the last to the first, so that the first stays on top.
  private static func fill(
    _ dimensions: [Dimension], _ ranked: [(rule: Int32, box: [Side])], _ count: Int
  ) -> [Int32] {
    var cells = [Int32](repeating: -1, count: count)
    for (rule, box) in ranked.reversed() {
      var first = dimensions.map { _ in 0 }
      var last = dimensions.map(\.breaks.count)
      for side in box {
        first[side.dimension] = max(first[side.dimension], side.first)
        last[side.dimension] = min(last[side.dimension], side.last)
      }
      guard zip(first, last).allSatisfy({ $0 <= $1 }) else { continue }
      var place = first
      var cell = zip(place, dimensions).reduce(0) { $0 + $1.0 * $1.1.stride }
      var isInside = true
      while isInside {
        cells[cell] = rule
        isInside = false
        for index in dimensions.indices {
          if place[index] < last[index] {
            place[index] += 1
            cell += dimensions[index].stride
            isInside = true
            break
          }
          cell -= (place[index] - first[index]) * dimensions[index].stride
          place[index] = first[index]
        }
      }
    }
    return cells
  }
}
