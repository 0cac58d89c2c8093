@testable import Estimates
import Numerics
import Testing
import Values

@Suite struct WorthTests {
  private let tail = ParetoTail([3, 5, 8, 11, 20, 35, 60])

  private func draws(_ bucket: BucketWorth, inflation: Double = 1, count: Int = 20_000) -> [WorthDraw] {
    var worth = CodeWorth(buckets: [bucket], tail: tail)
    worth.varianceInflation = inflation
    return (0..<count).flatMap { WorthDraw.all(of: worth, seed: UInt64($0)) }
  }

  private func moments(_ numbers: [Double]) -> (mean: Double, variance: Double) {
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    return (mean, numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count))
  }

  @Test(arguments: [[10.0], [11, 17], [10, 10, 12, 19, 19.5]])
  func `The worth of a closed value is the mean of its users and of one in the middle`(amounts: [Double]) {
    let bucket = BucketWorth(amounts: amounts, low: 10, high: 20, tail: nil)
    #expect(abs(bucket.mean - (amounts.reduce(0, +) + 15) / Double(amounts.count + 1)) < 1e-12)
    #expect(bucket.users == amounts.count)
    let drawn = draws(bucket)
    #expect(drawn.allSatisfy { (10...20).contains($0.mean) && $0.variance >= 0 })
    // Of one user at the end, what would lie beyond it is held there.
    #expect(abs(moments(drawn.map(\.mean)).mean - bucket.mean) < (amounts == [10] ? 0.3 : 0.1))
  }

  @Test func `One user at the low end leaves the worth open up to the high one`() {
    let bucket = BucketWorth(amounts: [10], low: 10, high: 20, tail: nil)
    // m = 10 + w g with w and g uniform: 12.5 and 10² (1/9 - 1/16) around it; the law's factor is 3.
    let free = draws(bucket).map(\.mean)
    #expect(abs(moments(free).mean - 12.5) < 0.3)
    #expect((4.0...14.6).contains(moments(free).variance))
    #expect(free.contains { $0 > 17 } && free.contains { $0 < 11 })
  }

  @Test func `The variance of many users' mean is their variance divided by their number`() {
    let amounts = (0..<200).map { 10 + Double($0 % 20) / 2 }
    let bucket = BucketWorth(amounts: amounts, low: 10, high: 20, tail: nil)
    let expected = bucket.spread * bucket.spread / 200
    for inflation in [1.0, 2] {
      let variance = moments(draws(bucket, inflation: inflation, count: 4000).map(\.mean)).variance
      #expect(abs(variance / (inflation * expected) - 1) < 0.1)
    }
  }

  @Test func `Above 300 users the moments determine the worth`() {
    let amounts = (0..<301).map { 10 + Double($0) / 31 }
    let bucket = BucketWorth(amounts: amounts, low: 10, high: 20, tail: nil)
    guard case .moments(let users, let variance, let third) = bucket.evidence else {
      Issue.record("The amounts are kept.")
      return
    }
    #expect(users == 301)
    #expect(abs(bucket.mean - amounts.reduce(0, +) / 301) < 1e-9)
    #expect(abs(third) < 1e-6)
    let drawn = draws(bucket, count: 4000)
    #expect(abs(moments(drawn.map(\.mean)).variance / (variance / 301) - 1) < 0.15)
    #expect(BucketWorth(amounts: Array(amounts.dropLast()), low: 10, high: 20, tail: nil).users == 300)
  }

  @Test func `A value without users is worth any amount between its ends`() {
    let bucket = BucketWorth(mean: 15, spread: 3, low: 10, high: 20, users: 0)
    let drawn = draws(bucket).map(\.mean)
    #expect(abs(moments(drawn).mean - 15) < 0.1)
    #expect(abs(moments(drawn).variance - 100 / 12.0) < 0.3)
  }

  @Test func `An open value reaches beyond the highest user, up to ten times that amount`() throws {
    let tail = try #require(tail)
    let bucket = BucketWorth(amounts: [60], low: 50, high: .infinity, tail: tail)
    let mean = (60 + tail.mean(from: 50, exponent: tail.exponent)) / 2
    #expect(abs(bucket.mean - mean) < 1e-9)
    let drawn = draws(bucket).map(\.mean)
    #expect(drawn.contains { $0 > 80 })
    #expect(drawn.allSatisfy { $0 >= 50 && $0.isFinite })
    var random = SplitMix64(seed: 1)
    let amounts = (0..<20_000).map { _ in tail.amount(from: 50, exponent: 1.2, &random) }
    #expect(amounts.allSatisfy { (50...600).contains($0) })
    // ((50 / 180)^1.2 - (50 / 600)^1.2) / (1 - (50 / 600)^1.2), and the mean is that of the others.
    let far = amounts.filter { $0 > 180 }
    let share = Double(far.count) / Double(amounts.count)
    #expect(abs(share - 0.1731) < 0.01)
    let near = moments(amounts.filter { $0 <= 180 }).mean
    #expect(abs(near / tail.mean(from: 50, exponent: 1.2) - 1) < 0.01)
    // At an exponent of 1 the mean is a logarithm.
    #expect(abs(tail.mean(from: 50, exponent: 1) - tail.mean(from: 50, exponent: 1 + 1e-5)) < 1e-3)
  }

  @Test func `Ends that do not bound the amounts are replaced by the neighbouring users`() {
    let outside = BucketWorth(amounts: [5, 30], low: 10, high: 20, tail: tail, neighbours: [5, 30, 40, 65])
    #expect(outside.neighbours == [5, 30, 40, 65])
    #expect(abs(outside.mean - (35 + 35.0) / 3) < 1e-12)
    // From 0 on a Pareto law has no beginning.
    let open = BucketWorth(amounts: [4, 9], low: 0, high: .infinity, tail: tail)
    #expect(open.neighbours == [4, 9])
    #expect(draws(open, count: 500).allSatisfy { $0.mean.isFinite && $0.mean >= 0 })
  }

  @Test func `A value of one amount is worth that amount`() {
    for bucket in [
      BucketWorth(amounts: [2, 2, 2], low: 2, high: 2, tail: nil),
      BucketWorth(mean: 2, spread: 0, low: 2, high: 2, users: 40),
    ] {
      #expect(bucket.mean == 2)
      #expect(draws(bucket, count: 50).allSatisfy { $0.mean == 2 && $0.variance == 0 })
    }
  }

  @Test func `All campaigns share a draw of the worths, so that their sum has one error`() throws {
    let worth = CodeWorth(
      buckets: [BucketWorth(amounts: [11, 19], low: 10, high: 20, tail: nil)], tail: nil)
    let campaigns = ["a", "b"].map { RevealedCounts(name: $0, revealed: [1e6], nulls: 0) }
    let set = try CampaignSet(campaigns: campaigns, worth: worth)
    let model = try #require(try PredictiveModel(.tree, of: set, count: 200, seed: 3))
    let (one, two) = (model.draws(of: campaigns[0]).total, model.draws(of: campaigns[1]).total)
    #expect(zip(one, two).allSatisfy { abs($0 / $1 - 1) < 0.02 })
    #expect(moments(one).variance.squareRoot() > 0.05e7)
  }

  @Test(arguments: [0.0, 0.5, 3, 40]) func `A skewed sum keeps its mean and its variance`(third: Double) {
    for mirrored in [1.0, -1] {
      let sum = SkewedSum(mean: 100, variance: 4, third: mirrored * third, least: 0)
      var random = SplitMix64(seed: 5)
      let drawn = (0..<40_000).map { _ in sum.draw(&random) }
      #expect(abs(moments(drawn).mean - 100) < 0.06)
      #expect(abs(moments(drawn).variance - 4) < 0.25)
    }
  }

  @Test func `A skewed sum begins at what is certain, and keeps its mean`() {
    let sum = SkewedSum(mean: 12, variance: 9, third: 0, least: 10)
    var random = SplitMix64(seed: 6)
    let drawn = (0..<40_000).map { _ in sum.draw(&random) }
    #expect(drawn.allSatisfy { $0 >= 10 })
    #expect(abs(moments(drawn).mean - 12) < 0.06)
    #expect(abs(moments(drawn).variance - 9) < 0.6)
  }

  @Test func `Too few amounts have no tail, and equal amounts have a short one`() throws {
    #expect(ParetoTail([7, 0, -1]) == nil)
    #expect(try #require(ParetoTail([7, 7, 7])).exponent == 50)
    #expect(ParetoTail((1...100).map(Double.init)) == ParetoTail((88...100).map(Double.init)))
  }
}
