import Values

extension EstimatedSum {
  /// What of a sum one version of a mapping gives its meaning.
  package struct Version: Sendable {
    package let origin: CodeWorth.Origin
    /// Whether own users show what its values are worth, and not the mapping.
    package let isOfOwnUsers: Bool
    /// Winning first postbacks.
    package fileprivate(set) var installs = 0.0
    /// What they are worth, in units of the version's currency.
    package fileprivate(set) var own = 0.0
    /// The same as it counts in the sum.
    package fileprivate(set) var counted = 0.0
  }

  /// The versions that its values follow, in the order of its days.
  package var versions: [Version] {
    var versions: [Version] = []
    for part in parts {
      let basis = part.crowd.basis
      guard let origin = basis.worth.origin else { continue }
      let isOfOwnUsers = basis.ownUsers > 0
      let place =
        versions.firstIndex { $0.origin == origin && $0.isOfOwnUsers == isOfOwnUsers } ?? versions.count
      if place == versions.count { versions.append(Version(origin: origin, isOfOwnUsers: isOfOwnUsers)) }
      let counted = part.estimate ?? 0
      versions[place].installs += part.installs
      versions[place].counted += counted
      if part.scale > 0 { versions[place].own += counted / part.scale }
    }
    return versions
  }

  /// The sum over its users of the square of what each is worth, those withheld by their estimated mix.
  package var squares: Double {
    var squares = 0.0
    for part in parts {
      let (crowd, square) = (part.crowd, part.scale * part.scale)
      let (cell, counts) = (crowd.cells[part.day], crowd.counts.cells[part.day])
      let buckets = crowd.basis.worth.buckets
      let mix = counts.nulls > 0 ? crowd.mix : []
      let hasMix = mix.count == buckets.count
      for (code, (bucket, shown)) in zip(buckets, counts.revealed).enumerated() {
        let users = shown + (hasMix ? counts.nulls * mix[code] : 0)
        if users > 0 { squares += square * users * bucket.mean * bucket.mean }
      }
      let mean = crowd.basis.appMean
      if counts.nulls > 0, !hasMix { squares += square * counts.nulls * mean * mean }
      if cell.coarse > 0 { squares += square * cell.coarseWorth * cell.coarseWorth / cell.coarse }
    }
    return squares
  }

  /// By how much the variance of the 90 % interval is more than that of the draws, because the interval is widened where simulated
  /// campaigns were missed too often; 1 at least.
  package var widening: Double {
    guard let drawn = awaited.value, drawn.variance > 0 else { return 1 }
    let deviation = (drawn.interval.high - drawn.interval.low) / (2 * Interval.normalReach)
    return max(1, deviation * deviation / drawn.variance)
  }
}
