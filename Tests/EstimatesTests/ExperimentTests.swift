import Estimates
import Numerics
import System
import Testing
import Values

@Suite struct `An experiment` {
  /// A user's revenue: most bring nothing, and few bring much.
  private func revenue(_ random: inout SplitMix64, lift: Double) -> Double {
    random.happens(0.1) ? lift * (1 + Double(random.number(below: 40))) : 0
  }

  /// Thirty days of two arms whose share, size and level change from day to day.
  private func days(_ random: inout SplitMix64, lift: Double, users: Int) -> [ExperimentComparison.Day] {
    (0..<30).map { _ in
      var day = ExperimentComparison.Day()
      let share = 0.3 + 0.4 * random.fraction()
      let season = 0.8 + 0.4 * random.fraction()
      for _ in 0..<(users / 2 + random.number(below: users)) {
        if random.happens(share) {
          day.b.add(season * revenue(&random, lift: lift))
        } else {
          day.a.add(season * revenue(&random, lift: 1))
        }
      }
      return day
    }
  }

  @Test func `without a difference stops falsely in at most one of twenty, although looked at every day`() {
    var random = SplitMix64(seed: 11)
    var (stops, peeks) = (0, 0)
    let runs = 500
    for _ in 0..<runs {
      let days = days(&random, lift: 1, users: 150)
      if ExperimentComparison(days, level: 0.95, planned: 3000).verdict != .open { stops += 1 }
      var isPeeked = false
      for end in 4...days.count where !isPeeked {
        let look = ExperimentComparison(Array(days.prefix(end)), level: 0.95, planned: 3000)
        isPeeked = look.fixed.map { !$0.contains(0) } ?? false
      }
      peeks += isPeeked ? 1 : 0
    }
    #expect(Double(stops) / Double(runs) <= 0.05, "\(stops) of \(runs)")
    // The interval for one look does not stand this.
    #expect(Double(peeks) / Double(runs) > 0.12, "\(peeks) of \(runs)")
  }

  @Test(arguments: [0.1, 0.5, 0.9])
  func `without a difference hardly ever stops falsely for rare and large amounts, whatever the split`(
    share: Double
  ) {
    var random = SplitMix64(seed: 13)
    var stops = 0
    let runs = 200
    for _ in 0..<runs {
      let days = (0..<30).map { _ in
        var day = ExperimentComparison.Day()
        for _ in 0..<100 {
          let amount = random.happens(0.01) ? 10 * exponential(0.5 * random.normal()) : 0
          if random.happens(share) { day.b.add(amount) } else { day.a.add(amount) }
        }
        return day
      }
      if ExperimentComparison(days, level: 0.95, planned: 3000).verdict != .open { stops += 1 }
    }
    #expect(Double(stops) / Double(runs) <= 0.05, "\(stops) of \(runs)")
  }

  @Test func `with the planned size finds the planned difference`() throws {
    var random = SplitMix64(seed: 12)
    var sample = SampleMoments()
    for _ in 0..<100_000 { sample.add(revenue(&random, lift: 1)) }
    var request = ExperimentSize.Request(
      difference: 0.5 * sample.mean, varianceA: sample.variance, varianceB: 2.25 * sample.variance)
    request.power = 0.8
    let size = try #require(ExperimentSize(request))
    var (found, fixed, wrong) = (0, 0, 0)
    let runs = 300
    for _ in 0..<runs {
      var days: [ExperimentComparison.Day] = []
      for _ in 0..<20 {
        var day = ExperimentComparison.Day()
        for _ in 0..<Int(size.shownWithLooks / 40) {
          day.a.add(revenue(&random, lift: 1))
          day.b.add(revenue(&random, lift: 1.5))
        }
        days.append(day)
      }
      let result = ExperimentComparison(days, level: 0.95, planned: size.shownAtEnd)
      found += result.verdict == .higher ? 1 : 0
      wrong += result.verdict == .lower ? 1 : 0
      let atEnd = ExperimentComparison(
        Array(days.prefix(Int(20 * size.shownAtEnd / size.shownWithLooks))), level: 0.95, planned: 1)
      fixed += atEnd.fixed.map { $0.low > 0 } ?? false ? 1 : 0
    }
    #expect(wrong == 0)
    #expect((0.77...0.95).contains(Double(found) / Double(runs)), "\(found) of \(runs)")
    #expect((0.72...0.88).contains(Double(fixed) / Double(runs)), "\(fixed) of \(runs)")
  }

  @Test func `has the size of the textbook`() throws {
    // A difference of half a standard deviation takes 2 × 62.79 users: 4 × 7.8489 / 0.25.
    let size = try #require(ExperimentSize(.init(difference: 0.5, varianceA: 1, varianceB: 1)))
    #expect(abs(size.shownAtEnd - 125.58) < 0.01)
    #expect((1.85...2.0).contains(size.shownWithLooks / size.shownAtEnd))
    let reach = (size.shownWithLooks / 16).squareRoot()
    #expect(abs(reach - size.standardErrors - 0.841621) < 1e-5)
    var uneven = ExperimentSize.Request(difference: -0.5, varianceA: 1, varianceB: 1)
    uneven.shareB = 0.2
    #expect(abs(try #require(ExperimentSize(uneven)).shownAtEnd - 125.58 * 6.25 / 4) < 0.02)
  }

  @Test(arguments: [
    (0.0, 1.0, 0.5), (.nan, 1, 0.5), (1, 0, 0.5), (1, .infinity, 0.5), (1, 1, 0), (1, 1, 1), (1e-9, 1, 0.5),
  ])
  func `without a finite size has none`(difference: Double, variance: Double, share: Double) {
    var request = ExperimentSize.Request(difference: difference, varianceA: variance, varianceB: variance)
    request.shareB = share
    #expect(ExperimentSize(request) == nil)
  }

  @Test func `says nothing of small samples, and nothing certain of one arm`() {
    func day(_ a: Int, _ b: Int) -> ExperimentComparison.Day {
      var day = ExperimentComparison.Day()
      for index in 0..<a { day.a.add(Double(index % 2)) }
      for index in 0..<b { day.b.add(Double(10 + index % 2)) }
      return day
    }
    func compare(_ days: [ExperimentComparison.Day]) -> ExperimentComparison {
      ExperimentComparison(days, level: 0.95, planned: 1000)
    }
    #expect(compare([day(99, 500)]).verdict == .open)
    #expect(compare([day(100, 500)]).verdict == .higher)
    #expect(compare([day(100, 99), day(0, 1)]).stop?.day == 1)
    // Days without the other arm can't be compared.
    #expect(compare([day(500, 0), day(0, 500)]).verdict == .open)
    let empty = compare([])
    #expect(empty.difference == nil && empty.fixed == nil && empty.stop == nil)
  }

  @Test func `stays stopped, whatever later days show`() {
    var up = ExperimentComparison.Day()
    var down = ExperimentComparison.Day()
    for index in 0..<400 {
      up.a.add(Double(index % 2))
      up.b.add(Double(1 + index % 2))
      down.a.add(Double(1 + index % 2))
      down.b.add(Double(index % 2))
    }
    let result = ExperimentComparison([up, down], level: 0.95, planned: 1000)
    #expect(result.verdict == .higher && result.stop?.day == 0)
    #expect(result.looks[1].interval?.contains(0) == true)
  }
}

@Suite struct `A confidence sequence` {
  @Test(arguments: [0.5, 0.9, 0.95, 0.99])
  func `is tightest where it is tuned to`(level: Double) {
    let sequence = ConfidenceSequence(level: level, tightestAt: 1000)
    func reach(_ size: Double) -> Double { sequence.standardErrors(at: size) }
    #expect(reach(1000) < reach(900) && reach(1000) < reach(1100))
    #expect(reach(0) == .infinity)
  }

  @Test func `has the reach of its formula`() {
    // x = ln((x + 1) / 0.0025) = 8.2112; there the reach is sqrt(x + 1).
    let sequence = ConfidenceSequence(level: 0.95, tightestAt: 100)
    #expect(abs(sequence.tuning * 100 - 8.2112) < 0.001)
    #expect(abs(sequence.standardErrors(at: 100) - 3.0350) < 0.001)
  }
}

@Suite struct `Sample moments` {
  @Test func `of parts are those of the whole`() {
    var random = SplitMix64(seed: 3)
    let values = (0..<500).map { _ in 100 * random.fraction() }
    var (whole, parts, left, right) = (
      SampleMoments(), SampleMoments(), SampleMoments(), SampleMoments()
    )
    for (index, value) in values.enumerated() {
      whole.add(value, within: 2)
      if index < 123 { left.add(value, within: 2) } else { right.add(value, within: 2) }
    }
    parts.add(left)
    parts.add(right)
    parts.add(SampleMoments())
    let mean = values.reduce(0, +) / 500
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 499
    for moments in [whole, parts] {
      #expect(abs(moments.mean - mean) < 1e-9)
      #expect(abs(moments.varianceBetween - variance) < 1e-8)
      #expect(abs(moments.varianceWithin - 2) < 1e-9)
    }
  }

  @Test(arguments: [(5.0, 2.5706), (10, 2.2281), (30, 2.0423), (1e9, 1.95996)])
  func `have Student's quantiles`(freedom: Double, expected: Double) {
    #expect(abs(studentQuantile(0.975, freedom: freedom) - expected) < 0.002)
  }
}
