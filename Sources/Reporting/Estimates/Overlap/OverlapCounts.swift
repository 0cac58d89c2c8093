internal import Numerics

/// Users of a share who show whether another source attributes them too.
package struct OverlapCounts: Hashable, Sendable {
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
  ///
  /// Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
  package var interval: Interval? {
    guard let share else { return nil }
    let z = normalQuantile(0.95)
    let (n, z2) = (shown, z * z)
    let middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    let half = z / (1 + z2 / n) * (share * (1 - share) / n + z2 / (4 * n * n)).squareRoot()
    return Interval(low: max(0, middle - half), high: min(1, middle + half))
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
