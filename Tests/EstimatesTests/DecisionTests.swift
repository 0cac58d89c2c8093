@testable import Estimates
import Postbacks
import Testing
import Values

@Suite("Decisions by more installs")
struct DecisionTests {
  /// Values whose worths a number of own users leaves open.
  private func worth(ownUsers: Int) -> CodeWorth {
    CodeWorth(
      buckets: (0..<64).map { code in
        let mean = Double(min(code, 8) * min(code, 8))
        return BucketWorth(
          mean: mean, spread: 1 + mean / 2, low: 0, high: 200, users: ownUsers, third: 0)
      })
  }

  /// The sum of a campaign among twenty others, with some installs.
  private func sum(times: Double, ownUsers: Int, seed: UInt64 = 3) throws -> EstimatedSum {
    var random = SplitMix64(seed: 11)
    let shares = [0.55, 0.2, 0.1, 0.06, 0.04, 0.03, 0.01, 0.01]
    var campaigns = (0..<20).map { number in
      var counts = DayCounts()
      for code in shares.indices {
        counts.revealed[code] = (300 * shares[code] * (0.8 + 0.4 * random.fraction())).rounded()
      }
      counts.nulls = 60
      return (name: "other \(number)", days: [Day(number: 4): counts])
    }
    var own = DayCounts()
    for code in shares.indices { own.revealed[code] = (200 * times * shares[code]).rounded() }
    own.nulls = (50 * times).rounded()
    campaigns.append((name: "own", days: [Day(number: 4): own]))
    let crowds = try EstimatedCrowd.estimated(
      campaigns, worth: worth(ownUsers: ownUsers), users: nil, by: .tree, seed: seed)
    return try #require(EstimatedSum([.init(crowds[20][0], day: 0)], isOfOneCampaign: true))
  }

  @Test func `With as many installs as predicted, the interval no longer includes the target`() throws {
    // The width varies by a tenth between seeds; this one's is the middle.
    let today = try sum(times: 1, ownUsers: 5_000, seed: 4)
    let estimate = try #require(today.estimate)
    let interval = try #require(today.interval)
    // Halfway between the estimate and the end of the interval, so that about four times the installs are needed.
    for end in [interval.low, interval.high] {
      let amount = (estimate + end) / 2
      let times = try #require(today.timesToDecide(amount))
      #expect(times > 2.5 && times < 8)
      let later = try sum(times: 1.5 * times, ownUsers: 5_000, seed: 4)
      let scale = try #require(later.estimate) / estimate
      let found = try #require(later.interval)
      #expect(
        !found.contains(amount * scale),
        "\(times) times, \(interval), \(amount): \(found.low / scale) to \(found.high / scale)")
      let tooEarly = try sum(times: 0.4 * times, ownUsers: 5_000, seed: 4)
      let less = try #require(tooEarly.estimate) / estimate
      #expect(try #require(tooEarly.interval).contains(amount * less))
    }
    #expect(today.timesToDecide(interval.high * 1.1) == 1)
    #expect(today.timesToDecide(interval.low * 0.9) == 1)
  }

  @Test func `What few own users leave open, no number of installs decides`() throws {
    let today = try sum(times: 20, ownUsers: 12)
    let estimate = try #require(today.estimate)
    let interval = try #require(today.interval)
    #expect(today.timesToDecide(estimate + 0.3 * (interval.high - estimate)) == nil)
  }
}
