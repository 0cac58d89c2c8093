/// Where the postbacks of a later window are that installs of one campaign could have sent.
///
/// Each winning install sends one of each later window only above the lowest privacy threshold, and only if the app
/// updates the value in the window. So installs = below threshold + no update + still due + seen + lost.
package struct LaterWindowShortfall: Sendable {
  /// Winning postbacks of window 1.
  package var installs = 0.0
  /// Those of them without any value, which are below the lowest privacy threshold.
  package var belowThreshold = 0.0
  /// Those of the others whose app is expected to update nothing in the window.
  package var noUpdate = 0.0
  /// Postbacks that are expected and not due yet.
  package var due = 0.0
  /// Postbacks that are expected by now.
  package var expected = 0.0
  /// What few own users leave open of ``expected``.
  package var expectedVariance = 0.0
  /// What chance alone does to what is seen.
  package var chanceVariance = 0.0
  /// What few own users leave open of ``noUpdate``.
  private var updateVariance = 0.0
  /// What chance alone does to ``noUpdate``.
  private var updateChance = 0.0
  /// Postbacks that arrived.
  package var seen = 0.0

  package init() {}

  /// Expected by now and not seen; below 0 where more came than expected.
  package var lost: Double { expected - seen }

  /// The 90 % interval of ``lost``.
  ///
  /// - Parameter dispersion: How many times the variance of chance campaigns differ by.
  package func lostInterval(dispersion: Double) -> Interval {
    let half = Interval.normalReach * (dispersion * chanceVariance + expectedVariance).squareRoot()
    return Interval(low: lost - half, high: lost + half)
  }

  /// The 90 % interval of ``noUpdate``.
  ///
  /// - Parameter dispersion: How many times the variance of chance campaigns differ by.
  package func noUpdateInterval(dispersion: Double) -> Interval {
    let half = Interval.normalReach * (dispersion * updateChance + updateVariance).squareRoot()
    let withValue = installs - belowThreshold
    return Interval(low: max(0, noUpdate - half), high: max(noUpdate, min(withValue, noUpdate + half)))
  }

  /// Adds a day of installs.
  ///
  /// - Parameters:
  ///   - withValue: The installs with a value.
  ///   - withoutValue: Those without any.
  ///   - updates: What those with a value are expected to update; `nil` where nothing is known of it.
  ///   - arrived: The share of the window's postbacks that should have arrived by now.
  package mutating func add(
    withValue: Double, withoutValue: Double, _ updates: ExpectedUpdates?, arrived: Double
  ) {
    installs += withValue + withoutValue
    belowThreshold += withoutValue
    guard let updates else { return }
    let (mean, variance) = (updates.mean, updates.variance)
    noUpdate += withValue - mean
    due += mean * (1 - arrived)
    expected += mean * arrived
    expectedVariance = Self.joined(expectedVariance, arrived * arrived * variance)
    updateVariance = Self.joined(updateVariance, variance)
    updateChance += mean * max(0, 1 - mean / max(withValue, 1e-9))
    chanceVariance += mean * arrived * max(0, 1 - mean * arrived / max(withValue, 1e-9))
  }

  package mutating func merge(_ other: Self) {
    installs += other.installs
    belowThreshold += other.belowThreshold
    noUpdate += other.noUpdate
    due += other.due
    expected += other.expected
    expectedVariance = Self.joined(expectedVariance, other.expectedVariance)
    updateVariance = Self.joined(updateVariance, other.updateVariance)
    updateChance += other.updateChance
    chanceVariance += other.chanceVariance
    seen += other.seen
  }

  /// What few own users leave open is the same on all days, so that its roots add up.
  private static func joined(_ a: Double, _ b: Double) -> Double {
    let root = a.squareRoot() + b.squareRoot()
    return root * root
  }

  /// How much more campaigns differ from what is expected of them than by chance, at least 1: Pearson's χ² by its degrees
  /// of freedom, each group's own rate of arrival taken out, so that a group that loses postbacks does not widen others.
  ///
  /// - Parameter groups: The campaigns of each network.
  package static func dispersion(_ groups: [[Self]]) -> Double {
    var (sum, freedom) = (0.0, 0.0)
    for campaigns in groups {
      let counted = campaigns.filter { $0.expected >= 5 && $0.chanceVariance > 0 }
      guard counted.count > 1 else { continue }
      let rate = counted.reduce(0) { $0 + $1.seen } / counted.reduce(0) { $0 + $1.expected }
      for campaign in counted {
        let residual = campaign.seen - rate * campaign.expected
        sum += residual * residual / max(1e-9, rate * campaign.chanceVariance)
      }
      freedom += Double(counted.count - 1)
    }
    return freedom > 0 ? max(1, sum / freedom) : 1
  }
}
