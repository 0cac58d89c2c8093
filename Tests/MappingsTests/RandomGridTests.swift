import Testing
import Values

/// Grids of every form, written out rule by rule by loops that know nothing of the product's expansion.
@Suite struct `A random grid` {
  private struct Written {
    var grid: [String] = []
    var rules: [String] = []
  }

  private static func random(_ random: inout SplitMix64) -> Written {
    var written = Written()
    func rising(_ count: Int, upTo step: Int, _ random: inout SplitMix64) -> [Int] {
      var edges = [random.number(below: 5)]
      for _ in 0..<count { edges.append(edges[edges.count - 1] + 1 + random.number(below: step)) }
      return edges
    }
    let events = (0..<random.number(below: 3)).map { "e\($0)" }
    let hours = random.happens(0.7) ? rising(1 + random.number(below: 3), upTo: 9, &random) : []
    let revenue = random.happens(0.8) ? rising(1 + random.number(below: 4), upTo: 40, &random) : []
    let isOpen = random.happens(0.3)
    let isUpperClosed = random.happens(0.4)
    let ofTotal = events.isEmpty || random.happens(0.4)
    let first = random.number(below: 10)
    var order = ["events", "active-hours", "revenue"]
    for index in order.indices { order.swapAt(index, random.number(below: 3)) }

    written.grid.append(#""first-value":\#(first)"#)
    if !events.isEmpty {
      written.grid.append(#""events":["# + events.map { #""\#($0)""# }.joined(separator: ",") + "]")
    }
    if !hours.isEmpty { written.grid.append(#""active-hours":\#(hours)"#) }
    if !revenue.isEmpty {
      let edges = revenue.map(String.init) + (isOpen ? ["null"] : [])
      written.grid.append(#""revenue":[\#(edges.joined(separator: ","))]"#)
      if isUpperClosed { written.grid.append(#""closed":"upper""#) }
      written.grid.append(#""revenue-of":"\#(ofTotal ? "total" : "event")""#)
    }
    written.grid.append(#""order":["# + order.map { #""\#($0)""# }.joined(separator: ",") + "]")

    let ranges = revenue.isEmpty ? 1 : revenue.count - 1 + (isOpen ? 1 : 0)
    let sizes = ["events": max(1, events.count), "active-hours": max(1, hours.count - 1), "revenue": ranges]
    var value = first
    for a in 0..<(sizes[order[0]] ?? 1) {
      for b in 0..<(sizes[order[1]] ?? 1) {
        for c in 0..<(sizes[order[2]] ?? 1) {
          let at = [order[0]: a, order[1]: b, order[2]: c]
          var members = [#""value":\#(value)"#]
          value += 1
          var money = ""
          if !revenue.isEmpty {
            let place = at["revenue"] ?? 0
            let high = place + 1 < revenue.count ? "\(revenue[place + 1])" : "null"
            money =
              #"{"from":\#(revenue[place]),"to":\#(high),"includes-from":\#(!isUpperClosed),"#
              + #""includes-to":\#(isUpperClosed && high != "null")}"#
          }
          if !events.isEmpty {
            let own = money.isEmpty || ofTotal ? "" : #","revenue":\#(money)"#
            members.append(#""events":[{"name":"\#(events[at["events"] ?? 0])"\#(own)}]"#)
          }
          if !money.isEmpty, ofTotal { members.append(#""revenue":\#(money)"#) }
          if !hours.isEmpty {
            let place = at["active-hours"] ?? 0
            members.append(#""active-hours":{"from":\#(hours[place]),"to":\#(hours[place + 1])}"#)
          }
          written.rules.append("{\(members.joined(separator: ","))}")
        }
      }
    }
    return written
  }

  @Test func `A random grid equals the table that loops write`() throws {
    var random = SplitMix64(seed: 11)
    let head = #"{"name":"m","app":1,"currency":"USD","effective-from":"2026-01-01","protocol":"skan4","#
    for _ in 0..<500 {
      let written = Self.random(&random)
      let grid = try mapping(head + #""grids":[{\#(written.grid.joined(separator: ","))}]}"#)
      let table = try mapping(head + #""fine":[\#(written.rules.joined(separator: ","))]}"#)
      #expect(grid == table)
      #expect(grid.fine.count == written.rules.count)
    }
  }
}
