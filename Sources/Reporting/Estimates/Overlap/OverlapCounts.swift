/// Users of a share who show whether another source attributes them too.
package struct OverlapCounts: Equatable, Sendable {
  /// Winning installs of the time.
  package var installs = 0.0
  /// Those whose postback shows it.
  package var shown = 0.0
  /// Those of ``shown`` that another source attributes too.
  package var attributed = 0.0

  package init() {}

  package mutating func merge(_ other: Self) {
    installs += other.installs
    shown += other.shown
    attributed += other.attributed
  }

  /// The overlap of the users who show it; `nil` without one.
  package var share: Double? { shown > 0 ? attributed / shown : nil }

  /// The 90 % interval of ``share``, of chance alone.
  package var interval: Interval? {
    shown > 0 ? Interval(shareOf: attributed, in: shown) : nil
  }

  /// The overlap of all installs if the odds of those that show nothing are a factor of those that do.
  ///
  /// - Parameter part: The part of installs that the app lets show it.
  package func shareOfAll(odds factor: Double, part: Double) -> Double? {
    guard let share else { return nil }
    let seen = seenPart(part)
    let others = share >= 1 ? 1 : factor * share / (1 - share) / (1 + factor * share / (1 - share))
    return seen * share + (1 - seen) * others
  }

  /// The least and the most that the overlap of all installs in the part can be, whatever the others are.
  package func worstCase(part: Double) -> Interval? {
    guard let share else { return nil }
    let seen = seenPart(part)
    return Interval(low: seen * share, high: seen * share + 1 - seen)
  }

  private func seenPart(_ part: Double) -> Double {
    installs * part > 0 ? min(1, shown / (installs * part)) : 1
  }
}
