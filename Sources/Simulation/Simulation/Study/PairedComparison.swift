import Values

/// How far two simulations of the same users, with the same draws, miss each campaign's revenue.
///
/// The error of a campaign is |shown - true| / |true|: what the values shown are worth against what users really
/// had within the horizon. Campaigns without revenue are left out.
public struct PairedComparison: Equatable, Sendable {
  public struct Row: Equatable, Sendable {
    /// The campaign's name.
    public let campaign: String
    public let revenue: MoneySum
    /// The relative error of A, from 0, the mean of all runs.
    public let errorOfA: Double
    /// The relative error of B, from 0, the mean of all runs.
    public let errorOfB: Double

    /// How much smaller B's error is; negative where A's is.
    public var gain: Double { errorOfA - errorOfB }
  }

  /// Which of the two is better.
  public enum Verdict: Equatable, Sendable {
    /// A's errors are smaller by that much on average.
    case aIsBetter(by: Double)
    /// B's errors are smaller by that much on average.
    case bIsBetter(by: Double)
    /// The mean difference is below ``leastThatMatters``, and 0 or everything above that is outside of the interval.
    case noDifference
    /// The interval holds 0, or there are too few campaigns for one.
    case undecided
  }

  /// Half of the last decimal that is shown, a tenth of a point; what is smaller makes no mapping better.
  public static let leastThatMatters = 0.0005

  /// The campaigns, by name.
  public let rows: [Row]
  /// The mean of the campaigns' errors under A.
  public let errorOfA: Double
  /// The mean of the campaigns' errors under B.
  public let errorOfB: Double
  /// The 95 % interval of the mean gain; `nil` with fewer than two campaigns.
  ///
  /// By the percentile bootstrap: campaigns are drawn with replacement, as if others of the kind had been run.
  /// With fewer than about ten campaigns it is too narrow.
  public let interval: ClosedRange<Double>?

  /// How much smaller B's errors are on average; negative where A's are.
  public var gain: Double { errorOfA - errorOfB }

  /// The mean of the rows, for the end of a table.
  public var mean: Row { Row(campaign: "mean", revenue: .zero, errorOfA: errorOfA, errorOfB: errorOfB) }

  /// Which of the two is better, at 95 %.
  public var verdict: Verdict {
    guard let interval else { return .undecided }
    let least = Self.leastThatMatters
    let isSmall = max(-interval.lowerBound, interval.upperBound) < least
    if gain.magnitude < least, isSmall || !interval.contains(0) { return .noDifference }
    guard !interval.contains(0) else { return .undecided }
    return gain > 0 ? .bIsBetter(by: gain) : .aIsBetter(by: -gain)
  }

  /// Compares two simulations; `nil` when no campaign of both has revenue.
  ///
  /// - Parameters:
  ///   - b: The outcomes of B, from the same users and runs.
  ///   - resamples: How often campaigns are drawn anew.
  public init?(_ a: [SimulationOutcome], _ b: [SimulationOutcome], seed: UInt64, resamples: Int = 2000) {
    guard let first = a.first else { return nil }
    self.init(
      first.campaigns.keys.sorted().compactMap { name in
        guard let revenue = first.campaigns[name]?.revenue, let errorOfA = Self.error(of: name, in: a),
          let errorOfB = Self.error(of: name, in: b)
        else { return nil }
        return Row(campaign: name, revenue: revenue, errorOfA: errorOfA, errorOfB: errorOfB)
      }, seed: seed, resamples: resamples)
  }

  /// Compares two variants of a study; `nil` when no campaign of both has revenue.
  ///
  /// - Parameters:
  ///   - b: What came of B, from the same users and runs.
  ///   - resamples: How often campaigns are drawn anew.
  /// - Throws: `FileError` where the figures of campaigns cannot be read.
  public init?(_ a: VariantOutcome, _ b: VariantOutcome, seed: UInt64, resamples: Int = 2000) throws {
    precondition(a.campaigns == b.campaigns, "Only simulations of the same users are compared.")
    var rows: [Row] = []
    var place = 0
    try a.forEachCampaign { name, figures in
      if let errorOfA = a.errors[place], let errorOfB = b.errors[place] {
        rows.append(Row(campaign: name, revenue: figures.revenue, errorOfA: errorOfA, errorOfB: errorOfB))
      }
      place += 1
    }
    self.init(rows.ordered { $0.campaign < $1.campaign }, seed: seed, resamples: resamples)
  }

  private init?(_ rows: [Row], seed: UInt64, resamples: Int) {
    guard !rows.isEmpty else { return nil }
    self.rows = rows
    errorOfA = Self.mean(rows.map(\.errorOfA))
    errorOfB = Self.mean(rows.map(\.errorOfB))
    interval = Self.interval(rows.map(\.gain), seed: seed, resamples: resamples)
  }

  private static func error(of campaign: String, in runs: [SimulationOutcome]) -> Double? {
    let errors = runs.compactMap { $0.campaigns[campaign]?.visibleError.map(abs) }
    return errors.isEmpty ? nil : mean(errors)
  }

  private static func mean(_ numbers: [Double]) -> Double { numbers.reduce(0, +) / Double(numbers.count) }

  private static func interval(_ gains: [Double], seed: UInt64, resamples: Int) -> ClosedRange<Double>? {
    guard gains.count > 1, resamples > 0 else { return nil }
    var random = SplitMix64(seed: seed)
    let means = (0..<resamples).map { _ -> Double in
      var sum = 0.0
      for _ in gains.indices { sum += gains[random.number(below: gains.count)] }
      return sum / Double(gains.count)
    }.sorted()
    let tail = Int(Double(resamples) * 0.025)
    return means[tail]...means[resamples - 1 - tail]
  }
}
