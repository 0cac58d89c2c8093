internal import Values

extension EstimatedSum {
  /// How many times the installs are needed until the interval no longer includes an amount, if they go on as they are.
  ///
  /// With k times the installs, the half width toward the amount is expected to be h √(L + (1 − L) / k), with L the
  /// lasting share of the variance; it falls short of the amount once that is the distance d: k = (1 − L) / ((d / h)² − L).
  ///
  /// - Parameter amount: What the sum is compared with, at today's installs.
  /// - Returns: 1 where the interval does not include it; `nil` without an interval, and where no number of installs is
  ///   enough.
  package func timesToDecide(_ amount: Double) -> Double? {
    guard let estimate, let drawn = awaited.value else { return nil }
    let half = amount < estimate ? estimate - drawn.interval.low : drawn.interval.high - estimate
    guard half > 0 else { return 1 }
    let wanted = (amount - estimate) * (amount - estimate) / (half * half)
    if wanted >= 1 { return 1 }
    let lasting = lastingShare
    return wanted > lasting ? (1 - lasting) / (wanted - lasting) : nil
  }

  /// The share of the draws' variance that stays however many more installs come; 1 without draws.
  package var lastingShare: Double {
    guard let variance = awaited.value?.variance, variance > 0 else { return 1 }
    return min(1, lastingVariance / variance)
  }

  /// The part of the draws' variance that stays however many more installs come: that of what values are worth, which
  /// own users or the mapping leave open for all campaigns alike.
  ///
  /// The rest, which mix of values a campaign has and which of its users pay, falls with the number of its installs.
  private var lastingVariance: Double { commonDraws.variance }

  /// What the users are worth on average in each draw: what all campaigns share, without the chance of a campaign.
  package var commonDraws: [Double] { Self.commonDraws(of: [(self, 1)]) }

  /// The same of what sums come to together; none where no draws are made.
  ///
  /// - Parameter sums: Sums of different campaigns, each with how often it counts, 0 or more.
  package static func commonDraws(of sums: [(sum: EstimatedSum, weight: Double)]) -> [Double] {
    var groups: [(model: PredictiveModel, users: [Double])] = []
    var places: [ObjectIdentifier: Int] = [:]
    for (sum, weight) in sums where weight > 0 {
      for part in sum.parts {
        guard let model = part.crowd.basis.model else { continue }
        let codes = model.set.worth.buckets.count
        let place = places[ObjectIdentifier(part.crowd.basis)] ?? groups.count
        if place == groups.count {
          places[ObjectIdentifier(part.crowd.basis)] = place
          groups.append((model, [Double](repeating: 0, count: codes)))
        }
        let cell = part.crowd.counts.cells[part.day]
        let mix = cell.nulls > 0 ? part.crowd.mix : []
        let hasMix = mix.count == codes
        for (code, shown) in cell.revealed.enumerated() {
          let withheld = hasMix ? cell.nulls * mix[code] : 0
          groups[place].users[code] += weight * part.scale * (shown + withheld)
        }
      }
    }
    guard let count = groups.first?.model.hyper.count else { return [] }
    var worths = [Double](repeating: 0, count: count)
    for group in groups where group.model.hyper.count == count {
      for (draw, worth) in group.model.commonDraws(of: group.users).enumerated() { worths[draw] += worth }
    }
    return worths
  }
}

extension PredictiveModel {
  /// What users by code are worth on average in each draw, whatever their campaigns.
  package func commonDraws(of users: [Double]) -> [Double] { hyper.map { $0.worth(of: users) } }
}

extension [Double] {
  /// The mean of squared distances from the mean; 0 of nothing.
  var variance: Double {
    guard !isEmpty else { return 0 }
    let mean = reduce(0, +) / Double(count)
    return reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
  }
}
