import JSONText
import Postbacks
import Values

extension FindingLog {
  mutating func grid(_ at: JSONPlace, currency: CurrencyCode?) -> Grid? {
    let before = count
    guard let members = members(at, .grid) else { return nil }
    let value = integer(members["first-value"], in: 0...63).flatMap { FineValue($0) }
    let events = list(members["events"], atMost: 64) { $0.event($1, currency: currency) }
    if let name = events.first(where: { $0.revenue != nil })?.name, let at = members["events"] {
      report(
        .unknownMember, at.place,
        Sentence("an event of a grid has no revenue range of its own: \(name: quoted(name))"),
        hint: Sentence("Write the amounts into the grid's \"revenue\"."))
    }
    let hours = ticks(members["active-hours"])
    let code = members["currency"].map { self.currency($0) } ?? currency
    let revenue = edges(members["revenue"], code)
    let closed: Grid.ClosedEnd = word(members["closed"]) ?? .lower
    let revenueOf: Grid.RevenueOf = word(members["revenue-of"]) ?? (events.isEmpty ? .total : .event)
    let worth = worth(members["worth"], ranges: max(0, revenue.count - 1))
    let order = order(members["order"])
    let types = conversionTypes(members["conversion-types"])
    let label = text(members["label"])
    let lock = truth(members["lock"]) ?? false
    let priority = integer(members["priority"], in: -1_000_000...1_000_000) ?? 0
    guard count == before, let value, let code else { return nil }
    let grid = Grid(
      firstValue: value, events: events, activeHours: hours, revenue: revenue, closed: closed,
      revenueOf: revenueOf, worth: worth, order: order, currency: code, conversionTypes: types,
      label: label, lock: lock, priority: Int(priority))
    guard Int(value.number) + grid.count <= 64 else {
      report(
        .valuesPassTheEnd, at.place,
        Sentence("\(grid.count) values from \(value.number) exceed 63, the highest value"))
      return nil
    }
    guard grid.expanded() != nil else {
      report(
        .worthOutsideRange, at.place,
        Sentence("an amount of \"worth\" lies outside its range, or a range is empty"))
      return nil
    }
    return grid
  }

  private mutating func ticks(_ at: JSONPlace?) -> [Int] {
    let hours = list(at, atMost: 65) { log, element in
      log.integer(element, in: 0...Int64(HourRange.longest)).map { Int($0) }
    }
    checkEdges(at, hours) { $0 < $1 }
    return hours
  }

  private mutating func edges(_ at: JSONPlace?, _ currency: CurrencyCode?) -> [Amount?] {
    guard let elements = at?.elements else {
      if let at { report(at.wrongType(Sentence("an array"), .array)) }
      return []
    }
    let amounts = list(at, atMost: 65) { log, element -> Amount? in
      let isLast = element.path == elements.last?.path
      guard !isLast || element.node.value != .null else { return nil }
      let amount = log.amount(element)
      if let currency { log.checkEdge(element, amount, currency) }
      return amount
    }
    checkCommas(elements)
    checkEdges(at, amounts) { $0 < $1 }
    let isOpen = elements.last?.node.value == .null
    return isOpen && !amounts.isEmpty ? amounts + [nil] : amounts
  }

  private mutating func checkEdges<Edge>(_ at: JSONPlace?, _ edges: [Edge], rise: (Edge, Edge) -> Bool) {
    guard let at, let elements = at.elements, elements.count <= 65 else { return }
    guard elements.count >= 2 else {
      report(.tooFewEdges, at.place, Sentence("a range needs two edges, found \(elements.count)"))
      return
    }
    for index in edges.indices.dropFirst() where !rise(edges[index - 1], edges[index]) {
      let pairs = elements.decimalCommas.map { Sentence("\(code: "\($0.0.text).\($0.1.text)")") }
      report(
        .notRising, elements[index].place, Sentence("the edges of ranges must rise"),
        hint: Sentence.all(of: pairs).map { Sentence("Did you mean \($0), with a point?") },
        repair: elements.decimalCommas.first.flatMap {
          MappingRepair(joining: $0.place.path, with: "\($0.0.text).\($0.1.text)")
        } ?? MappingRepair(sorting: at))
      return
    }
  }

  private mutating func worth(_ at: JSONPlace?, ranges: Int) -> Grid.Worth {
    guard let at else { return .middle }
    guard case .array = at.node.value else {
      let word: WorthWord? = word(at)
      return switch word {
      case .low: .low
      case .high: .high
      case .middle, nil: .middle
      }
    }
    let amounts = list(at, atMost: 64) { $0.amount($1) }
    if amounts.count != ranges {
      report(
        .wrongNumberOfAmounts, at.place,
        Sentence("\"worth\" lists \(amounts.count) amounts for \(ranges) revenue ranges"))
    }
    return .amounts(amounts)
  }

  private mutating func order(_ at: JSONPlace?) -> [Grid.Dimension] {
    guard let at else { return Grid.Dimension.allCases }
    let order: [Grid.Dimension] = list(at, atMost: 3) { $0.word($1) }
    rejectRepeats(order.map(\.rawValue), at)
    // Dimensions that are not named change first.
    return Grid.Dimension.allCases.filter { !order.contains($0) } + order
  }
}

private enum WorthWord: String, CaseIterable {
  case low, middle, high
}
