import Postbacks
import Values

extension Grid {
  /// How many rules the grid stands for.
  ///
  /// - Complexity: Constant; nothing is expanded.
  public var count: Int { Dimension.allCases.map(size).reduce(1) { $0 * $1 } }

  /// The rules that the grid stands for, by rising value.
  ///
  /// `nil` when the values would pass 63, a range is empty or an amount lies outside its range.
  public func expanded() -> [FineRule]? {
    guard count <= 64 else { return nil }
    var rules: [FineRule] = []
    for index in 0..<count {
      guard let value = FineValue(Int64(firstValue.number) + Int64(index)),
        let conditions = conditions(of: index)
      else { return nil }
      rules.append(
        FineRule(value: value, conditions: conditions, label: label, lock: lock, priority: priority))
    }
    return rules
  }

  private func size(_ dimension: Dimension) -> Int {
    switch dimension {
    case .events: max(1, events.count)
    case .activeHours: max(1, activeHours.count - 1)
    case .revenue: max(1, revenue.count - 1)
    }
  }

  private func conditions(of index: Int) -> Conditions? {
    // The index is a number whose digits are the places in the dimensions, the last of them the lowest.
    var place: [Dimension: Int] = [:]
    var rest = index
    for dimension in order.reversed() {
      place[dimension] = rest % size(dimension)
      rest /= size(dimension)
    }
    let event = events.isEmpty ? nil : events[place[.events] ?? 0]
    var hours: HourRange?
    if !activeHours.isEmpty {
      let at = place[.activeHours] ?? 0
      hours = HourRange(from: activeHours[at], to: activeHours[at + 1])
      if hours == nil { return nil }
    }
    guard !revenue.isEmpty else {
      return Conditions(
        events: event.map { [$0] } ?? [], activeHours: hours, conversionTypes: conversionTypes)
    }
    guard let revenue = condition(at: place[.revenue] ?? 0) else { return nil }
    guard revenueOf == .event, let event else {
      return Conditions(
        events: event.map { [$0] } ?? [], revenue: revenue, activeHours: hours,
        conversionTypes: conversionTypes)
    }
    return Conditions(
      events: [EventCondition(name: event.name, count: event.count, revenue: revenue)], activeHours: hours,
      conversionTypes: conversionTypes)
  }

  private func condition(at index: Int) -> RevenueCondition? {
    guard let low = revenue[index] else { return nil }
    let high = revenue[index + 1]
    let range =
      switch closed {
      case .lower: AmountRange(lower: .closed(low), upper: high.map { .open($0) } ?? .unbounded)
      case .upper: AmountRange(lower: .open(low), upper: high.map { .closed($0) } ?? .unbounded)
      }
    guard let range else { return nil }
    let representative: Amount? =
      switch worth {
      case .low: low
      case .middle: nil
      case .high: high
      case .amounts(let amounts): index < amounts.count ? amounts[index] : nil
      }
    return RevenueCondition(range, currency, representative: representative)
  }
}
