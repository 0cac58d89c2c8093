@testable import Estimates
import Testing
import Values

struct `Worths that only a mapping states` {
  private func draws(_ law: StatedLaw) -> [Double] {
    var random = SplitMix64(seed: 7)
    return (0..<40_000).map { _ in law.draw(&random) }
  }

  @Test(arguments: [(0.0, 0.0, 1.0), (1.5, 1, 2), (1.1, 1, 2), (96, 64, 128), (3, 3, 3), (80, 64, .infinity)])
  func
    `Worths that only a mapping states have the mean and the variance that are stated, and stay within their ends`(
      mean: Double, low: Double, high: Double
    )
  {
    let law = StatedLaw(mean: mean, low: low, high: high)
    let draws = draws(law)
    let found = draws.reduce(0, +) / Double(draws.count)
    let variance = draws.reduce(0) { $0 + ($1 - found) * ($1 - found) } / Double(draws.count)
    #expect(abs(found - mean) <= 0.02 * max(1e-9, mean))
    #expect(abs(variance - law.variance) <= 0.05 * max(1e-9, law.variance))
    #expect(draws.allSatisfy { low <= $0 && $0 <= high })
  }

  @Test
  func
    `Worths that only a mapping states above an open end that is all the mapping counts are as much again`()
  {
    let draws = draws(StatedLaw(mean: 64, low: 64, high: .infinity))
    let mean: Double = draws.reduce(0, +) / Double(draws.count)
    #expect(abs(mean - 128) < 2)
  }

  @Test
  func `Worths that only a mapping states leave no interval that ends at the estimate where draws go on`()
    throws
  {
    // One in fifty is worth a thousand: the mean is beyond the 95 % quantile of what 40 draws are.
    let draws = (0..<100).map { $0 < 97 ? 0.0 : 1000 + Double($0) }
    let mean = draws.reduce(0, +) / 100
    let plain = try #require(Interval(of: draws))
    #expect(plain.high < mean)
    let whole = try #require(Interval(of: draws, holding: mean))
    #expect(whole.low == 0 && whole.high > mean)
    // Where all draws are one amount, that is the interval.
    #expect(Interval(of: [5, 5, 5], holding: 5) == Interval(low: 5, high: 5))
  }
}
