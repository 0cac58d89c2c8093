internal import Numerics
internal import System
internal import Values

/// How users of a better campaign differ from the own users with the same value, for worths of a longer time than values
/// count.
///
/// A campaign of quality θ has a user with odds of exp(θ z), z the user's rank by what he pays up to the horizon on a
/// scale of variance 1, and θ normal around 0 with a standard deviation of ½: the law of ``UserPool``. So it has more
/// users of high values, and better ones within each. The campaign's values show θ; own users show what each θ does to
/// the mean and the variance of a value. θ is integrated over on a grid.
///
/// Whether campaigns differ within a value at all, own users show only where they are of groups (``WithinValueLaw``).
package struct QualityTilt: Equatable, Sendable {
  /// One own user, or several that are taken for alike.
  struct User: Equatable, Sendable {
    let code: Int
    let amount: Double
    let weight: Double
  }

  /// What a quality does to a value: the factors of its users' mean and variance.
  struct Factors: Equatable, Sendable {
    var mean = 1.0
    var variance = 1.0
  }

  let users: [User]
  /// How far campaigns differ within a value.
  let within: WithinValueLaw
  /// The logarithm of how much more frequent a value is at each place of the grid, value by value.
  private let evidence: [Double]
  /// What each place of the grid does to a value, value by value.
  private let factors: [Factors]

  /// The standard deviation of the qualities of campaigns.
  static let deviation = 0.5
  /// The users that it takes to show how users of a value differ.
  private static let fewestUsers = 20.0
  private static let step = 0.2
  /// Steps of the grid to each side of 0.
  private static let steps = 9
  private static let places = (-steps...steps).map { step * Double($0) }
  /// The logarithm of each place's prior weight.
  private static let priors = places.map { -$0 * $0 / (2 * deviation * deviation) }

  /// Learns from own users by value; `nil` where they all paid the same.
  init?(_ own: [Int: KnownUsers], codes: Int, within: WithinValueLaw = .unknown) {
    self.within = within
    let users = own.sorted { $0.key < $1.key }.filter { 0..<codes ~= $0.key }
      .flatMap { code, known in known.each.map { User(code: code, amount: $0.amount, weight: $0.weight) } }
    let scores = rankScores(users.map(\.amount), weights: users.map(\.weight))
    guard scores.contains(where: { $0 != 0 }) else { return nil }
    self.users = users
    var weights = zip(users, scores).map {
      $0.weight * exponential(-Double(Self.steps) * Self.step * $1)
    }
    let steps = scores.map { exponential(Self.step * $0) }
    var sums: [[Moments]] = []
    for _ in Self.places {
      var moments = [Moments](repeating: Moments(), count: codes)
      for (place, user) in users.enumerated() {
        moments[user.code].add(user.amount, weight: weights[place])
        weights[place] *= steps[place]
      }
      sums.append(moments)
    }
    let usual = sums[Self.steps]
    let whole = sums.map { $0.reduce(0) { $0 + $1.weight } }
    evidence = usual.indices.flatMap { code in
      zip(sums, whole).map { moments, all in
        guard usual[code].weight > 0 else { return 0 }
        return naturalLogarithm(moments[code].weight / usual[code].weight * whole[Self.steps] / all)
      }
    }
    let groups = Self.groups(usual)
    factors = groups.flatMap { codes in
      sums.map { moments in
        Factors(
          codes.reduce(into: Moments()) { $0.add(moments[$1]) },
          by: codes.reduce(into: Moments()) { $0.add(usual[$1]) })
      }
    }
  }

  /// The values whose users show what a quality does to each value: itself, and those beside it by mean where its own users
  /// are few, because one user shows nothing of how users differ.
  private static func groups(_ usual: [Moments]) -> [[Int]] {
    let order = usual.indices.filter { usual[$0].weight > 0 }.sorted {
      (usual[$0].mean, $0) < (usual[$1].mean, $1)
    }
    var groups = [[Int]](repeating: [], count: usual.count)
    for (rank, code) in order.enumerated() {
      var (low, high, users) = (rank, rank, usual[code].weight)
      while users < fewestUsers, low > 0 || high < order.count - 1 {
        if low > 0 {
          low -= 1
          users += usual[order[low]].weight
        }
        if high < order.count - 1 {
          high += 1
          users += usual[order[high]].weight
        }
      }
      groups[code] = Array(order[low...high])
    }
    return groups
  }

  /// Draws the quality of a campaign with so many users of each value.
  func quality(of counts: [Double], _ random: inout SplitMix64) -> Double {
    quality(logarithms(of: counts), [], &random)
  }

  /// Draws the quality of a campaign of which some users are known by ``logarithms(of:)``, and others by their numbers.
  func quality(_ known: [Double], _ others: [Double], _ random: inout SplitMix64) -> Double {
    let weights = weights(added(others, to: known))
    var target = random.fraction() * weights.reduce(0, +)
    var place = 0
    while place < weights.count - 1, target >= weights[place] {
      target -= weights[place]
      place += 1
    }
    return Self.places[place] + Self.step * (random.fraction() - 0.5)
  }

  /// The mean quality of such a campaign.
  func meanQuality(of counts: [Double]) -> Double {
    let weights = weights(logarithms(of: counts))
    return zip(weights, Self.places).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
  }

  /// The logarithm of the posterior weight of each place of the grid.
  func logarithms(of counts: [Double]) -> [Double] { added(counts, to: Self.priors) }

  private func added(_ counts: [Double], to logarithms: [Double]) -> [Double] {
    var sums = logarithms
    for (code, users) in counts.enumerated() where users > 0 {
      let first = code * sums.count
      for place in sums.indices { sums[place] += users * evidence[first + place] }
    }
    return sums
  }

  /// The posterior weights; the greatest is 1.
  private func weights(_ logarithms: [Double]) -> [Double] {
    let most = logarithms.max() ?? 0
    return logarithms.map { exponential($0 - most) }
  }

  /// What a quality does to a value.
  func factors(at quality: Double, code: Int) -> Factors {
    let last = Double(Self.places.count - 1)
    let place = min(last, max(0, quality / Self.step + Double(Self.steps)))
    let below = min(Self.places.count - 2, Int(place))
    let part = place - Double(below)
    let (low, high) = (
      factors[code * Self.places.count + below], factors[code * Self.places.count + below + 1]
    )
    return Factors(
      mean: low.mean + part * (high.mean - low.mean),
      variance: low.variance + part * (high.variance - low.variance))
  }

  /// Weighted sums of what users pay.
  fileprivate struct Moments {
    var weight = 0.0
    var sum = 0.0
    var squares = 0.0

    mutating func add(_ amount: Double, weight: Double) {
      self.weight += weight
      sum += weight * amount
      squares += weight * amount * amount
    }

    mutating func add(_ other: Self) {
      weight += other.weight
      sum += other.sum
      squares += other.squares
    }

    var mean: Double { sum / weight }
    var variance: Double { max(0, squares / weight - mean * mean) }
  }
}

extension QualityTilt.Factors {
  fileprivate init(_ moments: QualityTilt.Moments, by usual: QualityTilt.Moments) {
    guard usual.weight > 0 else { return }
    if usual.mean > 0 { mean = moments.mean / usual.mean }
    // Amounts that differ in their last digits alone have no variance.
    if usual.variance > 1e-12 * usual.mean * usual.mean { variance = moments.variance / usual.variance }
  }
}

extension KnownUsers {
  /// The users whose amounts are stored, and the others as users of two amounts with their mean and mean square, one of
  /// which is nothing.
  fileprivate var each: [(amount: Double, weight: Double)] {
    let stored = amounts.map { (amount: max(0, $0), weight: 1.0) }
    let others = Double(users - amounts.count)
    guard others > 0 else { return stored }
    let mean = max(0, sum - amounts.reduce(0, +)) / others
    let square = max(0, squares - amounts.reduce(0) { $0 + $1 * $1 }) / others
    guard mean > 0 else { return stored + [(0, others)] }
    // The highest amounts are those that are stored.
    let amount = max(mean, min(square / mean, amounts.min() ?? .infinity))
    let payers = others * mean / amount
    return stored + [(amount, payers), (0, others - payers)].filter { $0.weight > 0 }
  }
}

/// The ranks of amounts, on a scale of mean 0 and variance 1 for even ranks; equal amounts share the middle of theirs.
func rankScores(_ amounts: [Double], weights: [Double]) -> [Double] {
  let total = weights.reduce(0, +)
  var scores = [Double](repeating: 0, count: amounts.count)
  let order = amounts.indices.sorted { (amounts[$0], $0) < (amounts[$1], $1) }
  var below = 0.0
  var first = 0
  while first < order.count {
    var last = first
    var weight = 0.0
    while last < order.count, amounts[order[last]] == amounts[order[first]] {
      weight += weights[order[last]]
      last += 1
    }
    let score = 12.0.squareRoot() * ((below + weight / 2) / total - 0.5)
    for place in first..<last { scores[order[place]] = score }
    below += weight
    first = last
  }
  return scores
}
