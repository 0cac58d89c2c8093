import Numerics
import System
import Testing
import Values

@testable import Estimates

struct `The law of better campaigns` {
  // Value 0: 100 users; 10 of them pay 8. Value 1: 40 users who pay 1 to 40.
  private let own = [
    0: KnownUsers(amounts: [Double](repeating: 0, count: 90) + [Double](repeating: 8, count: 10)),
    1: KnownUsers(amounts: (1...40).map { Double($0) }),
  ]

  /// The users of a value, each with the odds of a campaign of some quality.
  private func odds(_ value: Int, _ quality: Double) throws -> [(amount: Double, weight: Double)] {
    let all = try [0, 1].flatMap { try #require(own[$0]).amounts }
    let scores = rankScores(all, weights: all.map { _ in 1 })
    let range = value == 0 ? 0..<100 : 100..<140
    return range.map { (all[$0], exponential(quality * scores[$0])) }
  }

  private func mean(_ users: [(amount: Double, weight: Double)]) -> Double {
    users.reduce(0) { $0 + $1.amount * $1.weight } / users.reduce(0) { $0 + $1.weight }
  }

  @Test(arguments: [-1.4, -0.4, 0, 0.6, 1.8])
  func `The law of better campaigns gives a value's users the mean that tilted users have`(quality: Double)
    throws
  {
    let tilt = try #require(QualityTilt(own, codes: 64))
    for value in [0, 1] {
      let expected = try mean(odds(value, quality)) / mean(odds(value, 0))
      #expect(abs(tilt.factors(at: quality, code: value).mean - expected) < 1e-9)
    }
    #expect(tilt.factors(at: quality, code: 5) == QualityTilt.Factors())
  }

  @Test func `The law of better campaigns finds a campaign's quality in its values`() throws {
    let tilt = try #require(QualityTilt(own, codes: 64))
    func counts(_ low: Double, _ high: Double) -> [Double] {
      [low, high] + [Double](repeating: 0, count: 62)
    }
    #expect(abs(tilt.meanQuality(of: counts(0, 0))) < 1e-9)
    for quality in [-0.8, -0.4, 0.4, 0.8] {
      let weights = try [0, 1].map { try odds($0, quality).reduce(0) { $0 + $1.weight } }
      let part = weights[1] / (weights[0] + weights[1])
      let found = tilt.meanQuality(of: counts(20_000 * (1 - part), 20_000 * part))
      #expect(abs(found - quality) < 0.05, "\(quality)")
      var random = SplitMix64(seed: 5)
      let drawn = (0..<2000).map { _ in
        tilt.quality(of: counts(20_000 * (1 - part), 20_000 * part), &random)
      }
      #expect(abs(drawn.reduce(0, +) / 2000 - quality) < 0.05, "\(quality)")
    }
    // A campaign that shows nothing has any quality, half a deviation to each side.
    var random = SplitMix64(seed: 6)
    let free = (0..<4000).map { _ in tilt.quality(of: counts(0, 0), &random) }
    let square = free.reduce(0) { $0 + $1 * $1 } / 4000
    #expect(abs(square.squareRoot() - 0.5) < 0.03)
  }

  @Test func `The law of better campaigns knows users whose amounts are not stored by their sums`() throws {
    let amounts = (0..<1000).map { user -> Double in user < 600 ? 0 : Double(user - 599) / 10 }
    let whole = KnownUsers(amounts: amounts)
    let stored = KnownUsers(
      users: whole.users, sum: whole.sum, squares: whole.squares, cubes: whole.cubes,
      amounts: Array(amounts.suffix(300)))
    let all = try #require(QualityTilt([3: whole], codes: 64))
    let some = try #require(QualityTilt([3: stored], codes: 64))
    for quality in [-1, 0.5, 1] {
      let (exact, near) = (all.factors(at: quality, code: 3), some.factors(at: quality, code: 3))
      #expect(abs(near.mean / exact.mean - 1) < 0.02, "\(near) for \(exact)")
      #expect(abs(near.variance / exact.variance - 1) < 0.05, "\(near) for \(exact)")
    }
  }

  @Test func `The law of better campaigns does not exist where users paid the same, or none is known`() {
    #expect(QualityTilt([1: KnownUsers(amounts: [2, 2, 2])], codes: 64) == nil)
    #expect(QualityTilt([:], codes: 64) == nil)
  }
}
