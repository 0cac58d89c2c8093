/// A campaign's first postbacks of one install date, with the withheld values apart.
package struct DayCounts: Hashable, Sendable {
  /// Postbacks by fine value.
  package var revealed = [Double](repeating: 0, count: 64)
  package var nulls = 0.0
  /// Postbacks with a coarse value, which is known, but not exactly.
  package var coarse = 0.0
  /// What those are worth by the mapping, in units.
  package var coarseWorth = 0.0
  /// Postbacks with a value that the mapping does not have.
  package var unmapped = 0.0

  package init() {}
}
