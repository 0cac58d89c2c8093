import Estimates
import System
import Testing
import Values

@Suite struct ValueMixTests {
  @Test func `Two groups have the chi-square of the textbook`() throws {
    // A table of two rows and two columns: n (ad − bc)² over the product of the margins.
    let drift = try #require(MixDrift([20, 30], [30, 20]))
    #expect(abs(drift.statistic - 4) < 1e-12)
    #expect(drift.freedom == 1)
    #expect(abs(drift.probability - 0.0455) < 1e-4)
  }

  @Test func `Rare values are joined, and too few give no result`() throws {
    let drift = try #require(MixDrift([50, 1, 1, 40], [60, 2, 0, 30]))
    #expect(drift.freedom == 1)
    #expect(MixDrift([3, 1], [2, 1]) == nil)
    #expect(MixDrift([30, 10], [0, 0]) == nil)
    #expect(MixDrift([], []) == nil)
  }

  @Test func `Permutation agrees with the chi-square distribution for many values`() throws {
    var random = SplitMix64(seed: 1)
    let law = try #require(MixDrift([200, 90, 60], [210, 100, 40]))
    let dealt = try #require(MixDrift([200, 90, 60], [210, 100, 40], deals: 4000, &random))
    #expect(abs(law.statistic - dealt.statistic) < 1e-9)
    #expect(abs(law.probability - dealt.probability) < 0.03)
    let rare = try #require(MixDrift([4, 0, 0], [0, 3, 1], deals: 999, &random))
    #expect(rare.probability < 0.1)
    #expect(MixDrift([4, 0], [3, 0], deals: 10, &random) == nil)
  }
}
