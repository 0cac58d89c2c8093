extension Sequence {
  /// The elements in order, equal ones as they came: `sorted(by:)` for lists that are short or rare.
  ///
  /// The standard library's sort is compiled anew for each type and each closure, which a build pays for; this one sorts
  /// places, and is compiled once. A sort of many elements that is part of a measured time stays `sorted(by:)`.
  @inlinable
  public func ordered(by precedes: (Element, Element) throws -> Bool) rethrows -> [Element] {
    let elements = Array(self)
    return try orderedPlaces(elements.count) { try precedes(elements[$0], elements[$1]) }.map { elements[$0] }
  }
}

/// The places 0 to `count` in order.
@inline(never)
@usableFromInline
func orderedPlaces(_ count: Int, by precedes: (Int, Int) throws -> Bool) rethrows -> [Int] {
  try (0..<count).sorted(by: precedes)
}
