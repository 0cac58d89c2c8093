@testable import Markup
import Simulation
@testable import SimulationReports
import System
import Testing
import Values

@Suite struct `Numbers for people` {
  @Test(arguments: [
    (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-0.05, 1, "-0.1"), (0.05, 1, "0.1"), (1234.5, 0, "1235"),
    (-1.999, 2, "-2.00"), (0.005, 2, "0.01"), (99.94, 1, "99.9"), (12, 3, "12.000"),
  ]) func `Numbers for people have fixed decimals`(value: Double, decimals: Int, text: String) {
    #expect(fixed(value, decimals) == text)
  }

  @Test func `Numbers for people do not crash if they are not numbers`() {
    #expect(fixed(.nan, 1) == "")
    #expect(fixed(.infinity, 1) == "inf")
    #expect(fixed(1e300, 2) == "1e+300")
    #expect(trimmed(1e300, 2) == "1e+300")
  }

  @Test(arguments: [
    (0.0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (1234.56, "1,234.6"),
    (999.96, "1,000"),
  ]) func `Numbers for people have separated thousands`(value: Double, text: String) {
    #expect(grouped(value) == text)
  }

  @Test(arguments: [
    (Int128(0), "0.00"), (1_234_567_891, "1,234.57"), (-5000, "-0.01"), (-4999, "0.00"), (995_000, "1.00"),
    (Int128(Int64.max) * 100, "922,337,203,685,477.58"),
  ]) func `Numbers for people can be money`(micros: Int128, people: String) {
    #expect(grouped(MoneySum(micros)) == people)
  }

  @Test(arguments: [(71, "71 h"), (72, "3 d"), (84, "3.5 d"), (100, "4.2 d")])
  func `Numbers for people can be durations`(hours: Int, text: String) {
    #expect(duration(hours: hours) == text)
  }

  @Test(arguments: [(0.1234, "+12.3 %"), (-0.5, "-50.0 %"), (0, "0.0 %"), (-0.0001, "0.0 %")])
  func `Numbers for people have signs if they are errors`(error: Double, text: String) {
    #expect(signedPercent(error) == text)
  }

  @Test func `Numbers for people as quantiles are between their neighbours`() {
    #expect(quantile([7], percent: 5) == 7)
    #expect(quantile([0, 100], percent: 5) == 5)
    #expect(quantile([0, 100], percent: 95) == 95)
    #expect(quantile([-100, 0], percent: 5) == -95)
    #expect(quantile([0, 10, 40], percent: 50) == 10)
    #expect(quantile([0, 10, 40], percent: 75) == 25)
    #expect(quantile([0, 10, 40], percent: 0) == 0)
    #expect(quantile([0, 10, 40], percent: 100) == 40)
  }
}

@Suite struct `An axis` {
  @Test(arguments: [
    (0.0, 100.0, 5, ["0", "20", "40", "60", "80", "100"]), (0, 7, 5, ["0", "2", "4", "6", "8"]),
    (0, 0, 5, ["0", "1"]), (-30, 70, 5, ["-40", "-20", "0", "20", "40", "60", "80"]),
    (0, 3400, 4, ["0", "1k", "2k", "3k", "4k"]), (0, 0.3, 3, ["0", "0.1", "0.2", "0.3"]),
    (0, 2.5e6, 5, ["0", "500k", "1M", "1.5M", "2M", "2.5M"]),
  ]) func `An axis has round marks`(low: Double, high: Double, count: Int, labels: [String]) {
    #expect(Scale(low...high, count: count).marks.map(\.label) == labels)
  }

  @Test func `An axis includes every number, with few marks`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<2000 {
      let size = exponential(random.fraction() * 40 - 10)
      let high = size * random.fraction()
      let low = random.happens(0.5) ? 0 : high - size
      let scale = Scale(min(low, high)...max(low, high), count: 5)
      #expect(scale.low <= low && scale.high >= high * 0.999999)
      #expect((2...9).contains(scale.marks.count), "\(low) to \(high)")
    }
  }

  @Test func `An axis has decades if it is logarithmic`() {
    #expect(Scale(decadesOf: 1...1).marks.map(\.label) == ["1", "2", "5", "10"])
    #expect(Scale(decadesOf: 0.5...3000).marks.map(\.label) == ["0.1", "1", "10", "100", "1k", "10k"])
    let scale = Scale(decadesOf: 1...100)
    #expect(abs(scale.place(10) - 0.5) < 1e-12)
    #expect(scale.place(0) == 0)
    #expect(scale.place(1e9) == 1)
  }

  @Test func `An axis cuts labels that are too long`() {
    #expect(fitted("short", width: 100, size: 12) == "short")
    let cut = fitted(String(repeating: "W", count: 50), width: 100, size: 12)
    #expect(cut.hasSuffix("…"))
    #expect(estimatedWidth(cut, size: 12) <= 100)
    #expect(fitted("anything", width: 0, size: 12) == "…")
  }
}
