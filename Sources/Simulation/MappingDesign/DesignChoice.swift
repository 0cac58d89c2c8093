/// A way to divide users' revenue into ranges.
package struct DesignChoice: Equatable, Sendable {
  package let scheme: EdgeScheme
  package let split: DesignSplit

  package init(scheme: EdgeScheme, split: DesignSplit = .none) {
    self.scheme = scheme
    self.split = split
  }
}

extension DesignChoice: CustomStringConvertible {
  /// The choice in a few words: `sqrt`, `sqrt by day`.
  package var description: String {
    switch split {
    case .none: scheme.rawValue
    case .days: scheme.rawValue + " by day"
    case .event(let event): scheme.rawValue + " by event \(event.name)"
    }
  }
}
