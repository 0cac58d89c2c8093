import Estimates
import Testing

struct `A log-normal law` {
  @Test func `It is that of Google Meridian for a range with a mass of nine tenths`() throws {
    // From meridian.model.prior_distribution.lognormal_dist_from_range(low, high, 0.9) of google-meridian 2.1.0.
    let known = [
      (low: 0.5, high: 2.0, mu: 0.0, sigma: 0.421404, mean: 1.092852, deviation: 0.481754),
      (low: 0.869285, high: 1.083562, mu: -0.029915, sigma: 0.066978, mean: 0.972707, deviation: 0.065223),
    ]
    for example in known {
      let law = try #require(LogNormalLaw(Interval(low: example.low, high: example.high)))
      #expect(abs(law.mu - example.mu) < 1e-6 && abs(law.sigma - example.sigma) < 1e-6)
      #expect(abs(law.mean - example.mean) < 1e-6 && abs(law.standardDeviation - example.deviation) < 1e-6)
    }
  }

  @Test(arguments: [(0.0, 1.0), (-1, 1), (1, 1), (2, 1), (1, .infinity), (.nan, 1)])
  func `There is none for an interval that is not above 0 or has no width`(low: Double, high: Double) {
    #expect(LogNormalLaw(Interval(low: low, high: high)) == nil)
  }
}
