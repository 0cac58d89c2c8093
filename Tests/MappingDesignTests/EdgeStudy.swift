@testable import MappingDesign
import Values

/// How well each kind of edges divides revenue, without timers and without withheld values: the error of campaigns by
/// edges alone.
///
/// Users are divided in two at random, several times; ranges and their means come from one half, campaigns from the
/// other. Value 0 is kept for users without revenue.
struct EdgeStudy: Sendable {
  /// Revenue of users, in units; none negative.
  private let worths: [Double]
  /// Random seed.
  private let seed: UInt64
  /// The divisions of the users.
  var divisions = 10
  /// The campaigns of each division.
  var campaigns = 150
  /// The installs of each campaign.
  var installs = 1000

  /// Takes users by their revenue.
  init(worths: [Double], seed: UInt64) {
    self.worths = worths.map { max(0, $0) }
    self.seed = seed
  }

  /// Takes users by their revenue within the target's days.
  init(_ users: DesignUsers, seed: UInt64) { self.init(worths: users.users.map(\.worth), seed: seed) }

  /// Returns the mean error of campaigns.
  ///
  /// - Parameters:
  ///   - scheme: How edges are found.
  ///   - values: How many values there are, the one for nothing included; at least 2.
  /// - Returns: The mean over campaigns of |estimate - truth| / truth; `nil` where no user has revenue.
  func error(_ scheme: EdgeScheme, values: Int) -> Double? {
    var errors: [Double] = []
    for division in 0..<divisions {
      var random = SplitMix64(seed: seed &+ UInt64(division) &* 0x9E37_79B9_7F4A_7C15)
      let isTraining = worths.map { _ in random.happens(0.5) }
      let training = zip(worths, isTraining).filter { $1 && $0 > 0 }.map(\.0)
      let held = zip(worths, isTraining).filter { !$1 }.map(\.0)
      let points = WeightedPoints(counting: training)
      let starts = Quantiser(points, scheme, upTo: values - 1).starts(buckets: values - 1)
      guard !starts.isEmpty else { continue }
      let edges = starts.map { points.points[$0] }
      let means = zip(starts, starts.dropFirst() + [points.count]).map { start, end in
        let weight = points.weights[start..<end].reduce(0, +)
        return (start..<end).reduce(0) { $0 + points.points[$1] * points.weights[$1] } / weight
      }
      let estimates = held.map { worth in
        // Below the first edge lie only amounts smaller than any seen.
        worth == 0 ? 0 : means[max(0, edges.count { $0 <= worth } - 1)]
      }
      let pairs = PseudoCampaigns(worths: held).draw(campaigns, of: installs, &random).map { users in
        (
          estimate: users.reduce(0) { $0 + estimates[Int($1)] },
          truth: users.reduce(0) { $0 + held[Int($1)] }
        )
      }
      if let error = CampaignError(pairs) { errors.append(error.meanShare) }
    }
    return errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count)
  }
}
