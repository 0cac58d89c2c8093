internal import Numerics
internal import System
internal import Values

/// How often an app's users have each value, where a value is withheld that fewer than some number of a campaign's users of
/// a week have.
struct RareValues {
  /// How many values there are.
  private let count: Int
  /// What campaigns show as they are.
  let laws: [ShownLaw]

  /// So many of a campaign's users of a week have to share a value.
  private let users: Int
  /// The share of users by value, once for each draw.
  private let mixes: [[Double]]

  private static let (rounds, draws, mostWeeks) = (6, 60, 400)
  /// How much a withheld user shows of the mix by what a shown one does: only that it is none of the values that are shown.
  private static let hiddenWeight = 0.1

  /// Learns the mix by expectation and maximization, week by week (``ThresholdCompletion``); `nil` where no value is known.
  ///
  /// - Parameters:
  ///   - weeks: What arrived of each campaign in seven days.
  ///   - known: The values that the mapping has; without one those that are shown. Users of other values count as withheld ones, whose
  ///     value is unknown.
  init?(_ weeks: [PlannedCampaign.Week], of known: [Int], users: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed ^ 0x7261_7265)
    let weeks =
      weeks.count > Self.mostWeeks ? Array(weeks.shuffled(using: &random).prefix(Self.mostWeeks)) : weeks
    let shownValues = weeks.flatMap { week in week.values.indices.filter { week.values[$0] > 0 } }
    let values = known.isEmpty ? Set(shownValues).sorted() : known
    guard !values.isEmpty, weeks.contains(where: { $0.installs > 0 }) else { return nil }
    let campaigns = weeks.map { week in
      let revealed = values.map { week.values.indices.contains($0) ? week.values[$0] : 0 }
      return RevealedCounts(
        name: "", revealed: revealed, nulls: max(0, week.installs - revealed.reduce(0, +)))
    }
    var shown = [Double](repeating: 0, count: values.count)
    for campaign in campaigns { campaign.revealed.add(to: &shown) }
    // A value that no one shows may be one that some have.
    var completed = shown.map { $0 + 0.5 }
    for _ in 0..<Self.rounds {
      let total = completed.reduce(0, +)
      let mix = completed.map { $0 / total }
      completed = campaigns.reduce(into: [Double](repeating: 0.5, count: values.count)) { sums, campaign in
        let own = ThresholdCompletion.complete(campaign, mix: mix, smallest: users).completed
        for place in sums.indices { sums[place] += own[place] }
      }
    }
    mixes = (0..<Self.draws).map { _ in
      let drawn = zip(completed, shown).map { all, shown in
        let shape = shown + Self.hiddenWeight * max(0, all - shown) + 0.5
        return all * random.gamma(shape: shape) / shape
      }
      let total = drawn.reduce(0, +)
      return drawn.map { $0 / total }
    }
    (count, self.users) = (values.count, users)
    laws = mixes.map { .values(Curve($0, users: users)) }
  }

  /// What campaigns show when the mapping has fewer values: neighbours are joined, the rarest two first.
  func laws(with count: Int) -> [ShownLaw] {
    var ends = Array(1...max(1, self.count))
    func sums(_ mix: [Double]) -> [Double] {
      zip([0] + ends, ends).map { mix[$0..<$1].reduce(0, +) }
    }
    let mean = mixes.reduce(into: [Double](repeating: 0, count: self.count)) { sum, mix in
      for place in sum.indices { sum[place] += mix[place] }
    }
    while ends.count > max(1, count) {
      let shares = sums(mean)
      let pairs = zip(shares, shares.dropFirst()).map { $0 + $1 }
      guard let rarest = pairs.indices.min(by: { pairs[$0] < pairs[$1] }) else { break }
      ends.remove(at: rarest)
    }
    return mixes.map { .values(Curve(sums($0), users: users)) }
  }

  /// What a week of some size shows of a mix of values.
  struct Curve {
    /// The share that is withheld, and the variance of how many are, by the logarithm of the size.
    private let points: [(withheld: Double, variance: Double)]

    private static let step = 0.25
    /// Up to half a million installs.
    private static let count = 53

    /// - Parameters:
    ///   - mix: The share of users by value.
    ///   - users: From how many users on a value is shown.
    init(_ mix: [Double], users: Int) {
      points = (0..<Self.count).map { place in
        let size = exponential(Double(place) * Self.step)
        var (mean, variance, covariance) = (0.0, 0.0, 0.0)
        for share in mix {
          // A Poisson variable of which only numbers below the users count.
          let rate = size * share
          var (chance, first, second) = (exponential(-rate), 0.0, 0.0)
          for number in 1..<max(2, users) {
            chance *= rate / Double(number)
            first += Double(number) * chance
            second += Double(number * number) * chance
          }
          mean += first
          variance += second - first * first
          covariance += second - rate * first
        }
        // Of a size that is given, not of a Poisson number of users.
        return (min(1, mean / size), max(0, variance - covariance * covariance / size))
      }
    }

    func shown(_ size: Double) -> (mean: Double, variance: Double) {
      let place = min(Double(Self.count) - 1.001, max(0, naturalLogarithm(max(1, size)) / Self.step))
      let (low, part) = (points[Int(place)], place - place.rounded(.down))
      let high = points[Int(place) + 1]
      let withheld = low.withheld + part * (high.withheld - low.withheld)
      return (size * (1 - withheld), low.variance + part * (high.variance - low.variance))
    }
  }
}

/// What a group of a campaign's installs shows.
enum ShownLaw {
  /// By how many installs a day has.
  case size(NullMechanism)
  /// By how many users of a week share a value.
  case values(RareValues.Curve)

  /// The days whose installs are a group.
  var days: Int {
    switch self {
    case .size: 1
    case .values: 7
    }
  }

  /// How many values a group of so many installs shows.
  func shown(_ installs: Double) -> (mean: Double, variance: Double) {
    switch self {
    case .size(let mechanism):
      let share = mechanism.revealing(installs)
      return (installs * share, installs * share * (1 - share))
    case .values(let curve): return curve.shown(installs)
    }
  }
}
