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
  }

  /// All of its postbacks.
  package var postbacks: Double { revealed.reduce(0, +) + nulls + coarse + unmapped }
}
