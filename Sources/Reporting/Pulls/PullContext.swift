package import Values

/// What surrounds a run of a pull: how it waits, and who hears of it.
package struct PullContext: Sendable {
  /// Waits so many milliseconds; returns `false` where the program is to end.
  package let wait: @Sendable (Int64) -> Bool
  /// Gets sentences that a person may want to know meanwhile.
  package let note: @Sendable (String) -> Void

  package init(
    wait: @escaping @Sendable (Int64) -> Bool, note: @escaping @Sendable (String) -> Void
  ) {
    (self.wait, self.note) = (wait, note)
  }
}

extension Pull.Days {
  /// The days of a run without wishes of its own.
  ///
  /// - Parameters:
  ///   - now: The moment of the run; the UTC day that it is of is not over, and not asked for.
  ///   - pulled: The day up to which the last runs came, so that none is left out after a pause.
  /// - Returns: `nil` where there is no day.
  package func usual(at now: Instant, pulledUpTo pulled: Day?) -> Range<Day>? {
    let today = now.day
    var first = Day(number: today.number - Int32(again))
    if let pulled { first = min(first, pulled) } else if let earliest { first = min(first, earliest) }
    if let earliest { first = max(first, earliest) }
    return first < today ? first..<today : nil
  }
}
