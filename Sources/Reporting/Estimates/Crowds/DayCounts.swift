package import Values

/// A campaign's first postbacks of one install date, with the withheld values apart.
package struct DayCounts: Equatable, Sendable {
  /// Postbacks by fine value.
  package var revealed = CodeCounts(codes: 64)
  package var nulls = 0.0
  /// Postbacks with a coarse value, which is known, but not exactly.
  package var coarse = 0.0
  /// What those are worth by the mapping, in units.
  package var coarseWorth = 0.0
  /// Postbacks with a value that the mapping does not have.
  package var unmapped = 0.0
  /// Those of all of them that are of first installs, and not of redownloads or re-engagements.
  package var firstInstalls = 0.0
  /// Those that may be of other days instead, by the day, or the one that the days there count under, in their order.
  package private(set) var edges: [Edge] = []

  package struct Edge: Equatable, Sendable {
    package let day: Day
    package fileprivate(set) var edge: DayEdge
  }

  package init() {}
}

extension DayCounts {
  package static func += (sum: inout Self, part: Self) {
    sum.revealed += part.revealed
    sum.nulls += part.nulls
    sum.coarse += part.coarse
    sum.coarseWorth += part.coarseWorth
    sum.unmapped += part.unmapped
    sum.firstInstalls += part.firstInstalls
    for edge in part.edges { sum.add(edge.edge, to: edge.day) }
  }

  package mutating func add(_ edge: DayEdge, to day: Day) {
    let place = edges.firstIndex { $0.day >= day } ?? edges.endIndex
    if place == edges.endIndex || edges[place].day != day {
      edges.insert(Edge(day: day, edge: DayEdge()), at: place)
    }
    edges[place].edge += edge
  }

  /// The same where days count together, under one of them.
  package func counted(on day: Day, _ together: (Day) -> Day) -> Self {
    var counts = self
    counts.edges = []
    for other in edges where together(other.day) != day { counts.add(other.edge, to: together(other.day)) }
    return counts
  }

  /// All of its postbacks.
  package var postbacks: Double { revealed.total + nulls + coarse + unmapped }

  /// The memory that it takes, about.
  package var bytes: Int {
    2 * MemoryLayout<Self>.stride + revealed.bytes
      + (edges.isEmpty ? 0 : 32 + MemoryLayout<Edge>.stride * edges.count)
  }
}
