import Numerics
import System
import Testing
import Values

@Suite struct SpecialFunctionTests {
  @Test(arguments: [
    (1.0, 0.0), (0.5, 0.572364942924700), (10.0, 12.801827480081469), (1e6, 12815504.569147611),
  ])
  func `Log-gamma has the tabulated values`(x: Double, expected: Double) {
    #expect(abs(logGamma(x) - expected) <= 1e-13 * max(1, abs(expected)))
  }

  @Test func `Log-gamma is infinite at its pole`() { #expect(logGamma(0) == .infinity) }

  @Test(arguments: [(3.841458820694124, 1.0, 0.05), (18.307038053275146, 10.0, 0.05), (-1.0, 2.0, 1.0)])
  func `The chi-square tail has the tabulated values`(statistic: Double, freedom: Double, expected: Double) {
    #expect(abs(chiSquareTail(statistic, freedom: freedom) - expected) < 1e-12)
  }

  @Test func `The normal quantile has the tabulated values`() {
    #expect(abs(normalQuantile(0.95) - 1.6448536269514722) < 1e-12)
    #expect(normalQuantile(0.5) == 0)
  }
}

@Suite struct MinimumTests {
  @Test(arguments: [0.3, 1.0, 5.7, 9.99])
  func `The minimum of a parabola is found inside`(floor: Double) throws {
    let found = try Minimum.find(on: 0...10) { ($0 - floor) * ($0 - floor) + 2 }
    #expect(abs(found.place - floor) < 1e-6)
    #expect(abs(found.value - 2) < 1e-10)
    #expect(!found.isAtEnd)
  }

  @Test(arguments: [(-1.0, 10.0), (1.0, 0.0)])
  func `The minimum of a slope is at an end`(slope: Double, place: Double) throws {
    let found = try Minimum.find(on: 0...10) { slope * $0 }
    #expect(found.place == place)
    #expect(found.isAtEnd)
  }

  @Test func `Minima of curves that are no parabolas are found`() throws {
    let quartic = try Minimum.find(on: 0...3) { $0 * $0 * $0 * ($0 - 3) }
    #expect(abs(quartic.place - 2.25) < 1e-6)
    let gamma = try Minimum.find(on: 1...3) { logGamma($0) }
    #expect(abs(gamma.place - 1.4616321449683623) < 1e-6)
    let kink = try Minimum.find(on: -1...7) { ($0 - .pi).magnitude }
    #expect(abs(kink.place - .pi) < 1e-6)
    let atEdge = try Minimum.find(on: -1...13) { exponential($0 + 0.999) - $0 }
    #expect(abs(atEdge.place + 0.999) < 1e-6)
    #expect(!atEdge.isAtEnd)
  }

  @Test func `The lowest of several valleys between two points of the grid is never above the grid`() throws {
    let places = (0...28).map { Double($0) / 28 }
    func waves(_ place: Double) -> Double {
      let bow = (place - 0.51) * (place - 0.51)
      return bow - 0.01 * (1700 * place).truncatingRemainder(dividingBy: 3)
    }
    let found = try Minimum.find(on: 0...1, of: waves)
    #expect(found.value <= places.map(waves).min() ?? .infinity)
  }

  @Test func `A function that is not finite between the points of the grid is rejected`() {
    #expect(throws: NumericError.notFinite) {
      try Minimum.find(on: 0...28) { place in
        let distance = (place - 14).magnitude
        return distance > 0 && distance < 0.9 ? .nan : distance
      }
    }
  }

  @Test func `The minimum of a flat function is some point`() throws {
    #expect(try Minimum.find(on: 0...1) { _ in 3 }.value == 3)
  }

  @Test func `Input that is not finite or is empty is rejected`() {
    #expect(throws: NumericError.notFinite) { try Minimum.find(on: 0...1) { _ in .nan } }
    #expect(throws: NumericError.badInterval) { try Minimum.find(on: 1...1) { $0 } }
    #expect(NumericError.notFinite.code == "not-finite")
  }
}

@Suite struct VariateTests {
  /// The mean and the variance of many draws.
  private func moments(_ draw: (inout SplitMix64) -> Double) -> (mean: Double, variance: Double) {
    var random = SplitMix64(seed: 4)
    let draws = (0..<40_000).map { _ in draw(&random) }
    let mean = draws.reduce(0, +) / Double(draws.count)
    return (mean, draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(draws.count))
  }

  @Test func `Random variates have the means and variances of their distributions`() {
    func close(_ got: (mean: Double, variance: Double), _ mean: Double, _ variance: Double) -> Bool {
      abs(got.mean - mean) < 5 * (variance / 40_000).squareRoot()
        && abs(got.variance / variance - 1) < 0.1
    }
    #expect(close(moments { $0.gamma(shape: 0.4) }, 0.4, 0.4))
    #expect(close(moments { $0.gamma(shape: 7) }, 7, 7))
    #expect(close(moments { $0.beta(2, 6) }, 0.25, 12 / (64.0 * 9)))
    #expect(close(moments { Double($0.binomial(50, 0.3)) }, 15, 10.5))
    #expect(close(moments { Double($0.binomial(1, 0.3)) }, 0.3, 0.21))
    #expect(close(moments { Double($0.binomial(8, 0.3)) }, 2.4, 1.68))
    #expect(close(moments { Double($0.binomial(9, 0.3)) }, 2.7, 1.89))
    #expect(close(moments { $0.normal() }, 0, 1))
    #expect(close(moments { Double($0.poisson(6)) }, 6, 6))
    #expect(close(moments { $0.exponential() }, 1, 1))
    #expect(close(moments { Double($0.hypergeometric(marked: 5, plain: 15, taken: 8)) }, 2, 18.0 / 19))
  }

  @Test func `One seed gives one sequence of random variates`() {
    var a = SplitMix64(seed: 9)
    var b = SplitMix64(seed: 9)
    for _ in 0..<100 { #expect(a.beta(1.5, 2) == b.beta(1.5, 2)) }
    #expect(a.next() == b.next())
  }

  /// Figures of reports are drawn, so that other sequences of the library would change them without a word.
  @Test func `The first variates of a seed stay what they are`() {
    func first<Value>(_ draw: (inout SplitMix64) -> Value) -> [Value] {
      var random = SplitMix64(seed: 9)
      return (0..<4).map { _ in draw(&random) }
    }
    let normal = [-1.1805244886603139, -1.3098470773689845, -0.30918969510185879, -1.3810917680893779]
    #expect(first { $0.normal() } == normal)
    let exponential = [1.3996640861204896, 1.5624031697442695, 0.28038187743034521, 1.6573903894270181]
    #expect(first { $0.exponential() } == exponential)
    let gamma = [4.0595118456334909, 5.8997844046325314, 7.6004349980671799, 5.1359464344251897]
    #expect(first { $0.gamma(shape: 7) } == gamma)
    #expect(first { $0.poisson(6) } == [7, 6, 7, 5])
    #expect(first { $0.poisson(1000) } == [1036, 1055, 988, 918])
    #expect(first { $0.binomial(50, 0.3) } == [16, 13, 13, 15])
    let binomial = [500_015_759, 500_022_167, 499_993_553, 500_027_853]
    #expect(first { $0.binomial(1_000_000_000, 0.5) } == binomial)
    #expect(first { $0.hypergeometric(marked: 5, plain: 15, taken: 8) } == [2, 2, 2, 2])
    #expect(first { $0.hypergeometric(marked: 5, plain: 15, taken: 17) } == [4, 3, 4, 4])
  }

  @Test func `Random variates with extreme parameters are certain`() {
    var random = SplitMix64(seed: 1)
    #expect(random.beta(0, 3) == 0)
    #expect(random.beta(3, 0) == 1)
    #expect((0...1).contains(random.beta(1e-300, 1e-300)))
    #expect(random.binomial(0, 0.5) == 0)
    #expect(random.binomial(9, 0) == 0)
    #expect(random.binomial(9, 1) == 9)
    #expect(random.poisson(0) == 0)
    #expect(random.poisson(1e-300) == 0)
    #expect((4_000_000_000_000_000...5_000_000_000_000_000).contains(random.poisson(.infinity)))
    #expect(random.gamma(shape: 1e-300) == 0)
    #expect(random.gamma(shape: .infinity) == .infinity)
    #expect(random.binomial(1_000_000_000, 1e-300) == 0)
    #expect(random.hypergeometric(marked: 0, plain: 9, taken: 9) == 0)
    #expect(random.hypergeometric(marked: 9, plain: 0, taken: 9) == 9)
  }
}
