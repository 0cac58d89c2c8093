/// A way to divide users' revenue into ranges.
package struct DesignChoice: Hashable, Sendable {
  /// How edges are found.
  package let scheme: EdgeScheme
  /// Whether each day of activity has values of its own.
  package let usesDays: Bool

  /// Joins the parts.
  package init(scheme: EdgeScheme, usesDays: Bool) {
    self.scheme = scheme
    self.usesDays = usesDays
  }
}

extension DesignChoice: CustomStringConvertible {
  /// The choice in a few words: `sqrt`, `sqrt by day`.
  package var description: String { scheme.rawValue + (usesDays ? " by day" : "") }
}
