package import Values

/// A campaign's first postbacks of one install date, with the withheld values apart.
package struct DayCounts: Equatable, Sendable {
  /// Postbacks by fine value.
  package var revealed = Self.noValues
  package var nulls = 0.0
  /// Postbacks with a coarse value, which is known, but not exactly.
  package var coarse = 0.0
  /// What those are worth by the mapping, in units.
  package var coarseWorth = 0.0
  /// Postbacks with a value that the mapping does not have.
  package var unmapped = 0.0
  /// Those of all of them that are of first installs, and not of redownloads or re-engagements.
  package var firstInstalls = 0.0
  /// Those that may be of other days instead, by the day, or the one that the days there count under.
  package private(set) var edges: [Day: DayEdge] = [:]

  /// Most days of a small campaign show none, and share this list.
  package static let noValues = [Double](repeating: 0, count: 64)

  package init() {}
}

extension DayCounts {
  package var hasValues: Bool { revealed.contains { $0 > 0 } }

  package static func += (sum: inout Self, part: Self) {
    for code in sum.revealed.indices { sum.revealed[code] += part.revealed[code] }
    sum.nulls += part.nulls
    sum.coarse += part.coarse
    sum.coarseWorth += part.coarseWorth
    sum.unmapped += part.unmapped
    sum.firstInstalls += part.firstInstalls
    for (day, edge) in part.edges { sum.add(edge, to: day) }
  }

  package mutating func add(_ edge: DayEdge, to day: Day) { edges[day, default: DayEdge()] += edge }

  /// The same where days count together, under one of them.
  package func counted(on day: Day, _ together: (Day) -> Day) -> Self {
    var counts = self
    counts.edges = [:]
    for (other, edge) in edges.ordered(by: { $0.key < $1.key }) where together(other) != day {
      counts.add(edge, to: together(other))
    }
    return counts
  }

  /// All of its postbacks.
  package var postbacks: Double { revealed.reduce(0, +) + nulls + coarse + unmapped }
}
