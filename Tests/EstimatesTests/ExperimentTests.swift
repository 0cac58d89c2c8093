import Estimates
import Numerics
import System
import Testing
import Values

@Suite struct `An experiment` {
  /// A user's revenue: most have none, and few have much.
  private func revenue(_ random: inout SplitMix64, lift: Double) -> Double {
    random.happens(0.1) ? lift * (1 + Double(random.number(below: 40))) : 0
  }

  /// Thirty days of two arms whose share, size and level change from day to day.
  private func days(_ random: inout SplitMix64, lift: Double, users: Int) -> [ExperimentComparison.Day] {
    (0..<30).map { _ in
      var day = ExperimentComparison.Day(greatest: 48 * lift)
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

  @Test
  func `An experiment without a difference stops falsely in one of twenty at most, if checked every day`() {
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
    // The interval for one look does not hold under this.
    #expect(Double(peeks) / Double(runs) > 0.12, "\(peeks) of \(runs)")
  }

  @Test(arguments: [0.1, 0.5, 0.9])
  func `An experiment without a difference seldom stops falsely for rare and large amounts, at any split`(
    share: Double
  ) {
    var random = SplitMix64(seed: 13)
    var stops = 0
    let runs = 200
    for _ in 0..<runs {
      let days = (0..<30).map { _ in
        var day = ExperimentComparison.Day(greatest: 50)
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

  /// Amounts and the shares of users who pay them.
  typealias Law = [(amount: Double, share: Double)]

  @Test(
    arguments: [
      ([(10, 0.1)], [(100, 0.01)]), ([(10, 0.1)], [(200, 0.005)]), ([(10, 0.1)], [(5, 0.1), (100, 0.005)]),
      ([(5, 0.1)], [(100, 0.005)]),
    ] as [(Law, Law)])
  func `An experiment without a difference seldom stops falsely where one arm has its revenue from few users`(
    many: Law, few: Law
  ) {
    let greatest = few.reduce(0) { max($0, $1.amount) }
    for (planned, share) in [(3000.0, 0.5), (8000, 0.5), (20_000, 0.5), (8000, 0.2)] {
      var random = SplitMix64(seed: 17)
      func users(_ law: Law, _ count: Double) -> SampleMoments {
        var moments = SampleMoments()
        var (left, rest) = (random.poisson(count), 1.0)
        for (amount, part) in law {
          let some = random.binomial(left, part / rest)
          moments.add(amount, users: Double(some))
          (left, rest) = (left - some, rest - part)
        }
        moments.add(0, users: Double(left))
        return moments
      }
      let runs = 400
      let stops = (0..<runs).count { _ in
        let days = (0..<28).map { _ in
          ExperimentComparison.Day(
            a: users(many, planned * (1 - share) / 28), b: users(few, planned * share / 28),
            greatest: greatest)
        }
        return ExperimentComparison(days, level: 0.95, planned: planned).verdict != .open
      }
      // 2 %, and twice the error of so many runs.
      #expect(Double(stops) / Double(runs) <= 0.034, "\(stops) of \(runs), planned \(planned), B \(share)")
    }
  }

  @Test func `An experiment allows for unseen large payers in the arm behind alone`() throws {
    func interval(_ greatest: Double, a: Double, b: Double) throws -> Interval {
      var day = ExperimentComparison.Day(greatest: greatest)
      for index in 0..<1000 {
        day.a.add(a * Double(index % 2))
        day.b.add(b * Double(index % 2))
      }
      return try #require(
        ExperimentComparison([day], level: 0.95, planned: 2000).looks.first?.interval)
    }
    let plain = try interval(0, a: 1, b: 1)
    let rare = try interval(50, a: 1, b: 1)
    #expect(abs(plain.low + plain.high) < 1e-12 && abs(rare.low + rare.high) < 1e-12)
    // The variance of the mean of 1,000 users where 3 pay 50.
    let reach = ConfidenceSequence(level: 0.95, tightestAt: 500).standardErrors(at: 500)
    #expect(abs((rare.high * rare.high - plain.high * plain.high) / (reach * reach) - 0.0075) < 1e-9)
    // An arm that earns nothing at all is behind one that does, all the same.
    #expect(try interval(50, a: 20, b: 0).high < 0)
  }

  @Test func `An experiment needs more users where the mapping has a value that few users can have`() throws {
    var sample = UserValues()
    sample.add(0, users: 900)
    sample.add(10, users: 100)
    var request = ExperimentSize.Request(
      difference: 0.2, a: sample.moments, b: sample.moments)
    let plain = try #require(ExperimentSize(request))
    request.greatest = 200
    let rare = try #require(ExperimentSize(request))
    #expect(rare.shownAtEnd == plain.shownAtEnd)
    #expect((1.2...2).contains(rare.shownWithLooks / plain.shownWithLooks))
    request.greatest = .infinity
    #expect(ExperimentSize(request) == nil)
  }

  @Test func `An experiment with the planned size finds the planned difference`() throws {
    var random = SplitMix64(seed: 12)
    var sample = UserValues()
    sample.add(0, users: 0.9)
    for amount in 1...40 { sample.add(Double(amount), users: 0.1 / 40) }
    let raised = try #require(sample.raised(by: 0.5, from: .amounts))
    var request = ExperimentSize.Request(
      difference: 0.5 * sample.mean, a: sample.moments, b: raised.moments)
    request.greatest = 60
    let size = try #require(ExperimentSize(request))
    var (found, fixed, wrong) = (0, 0, 0)
    let runs = 300
    for _ in 0..<runs {
      var days: [ExperimentComparison.Day] = []
      for _ in 0..<20 {
        var day = ExperimentComparison.Day(greatest: 60)
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
    #expect((0.74...0.86).contains(Double(found) / Double(runs)), "\(found) of \(runs)")
    #expect((0.72...0.88).contains(Double(fixed) / Double(runs)), "\(fixed) of \(runs)")
  }

  @Test func `An experiment with rare payers in B finds the planned difference as often as planned`()
    throws
  {
    // One in a thousand pays 500 in A; B has twice as many of them, and a fifth of the users.
    var sample = UserValues()
    sample.add(0, users: 949)
    sample.add(5, users: 50)
    sample.add(500, users: 1)
    let raised = try #require(sample.raised(by: 0.6, from: .top))
    var request = ExperimentSize.Request(
      difference: 0.6 * sample.mean, a: sample.moments, b: raised.moments)
    request.shareB = 0.2
    request.greatest = 500
    let size = try #require(ExperimentSize(request))
    request.a = CentralMoments(variance: sample.moments.variance)
    request.b = CentralMoments(variance: sample.moments.variance)
    let plain = try #require(ExperimentSize(request))
    #expect(size.shownAtEnd > plain.shownAtEnd)
    var random = SplitMix64(seed: 31)
    func users(_ count: Double, top: Double) -> SampleMoments {
      let count = random.poisson(count)
      let most = random.binomial(count, top)
      let some = random.binomial(count - most, 0.05)
      var moments = SampleMoments()
      moments.add(500, users: Double(most))
      moments.add(5, users: Double(some))
      moments.add(0, users: Double(count - most - some))
      return moments
    }
    let top = 0.001 + 0.6 * sample.mean / 500
    let runs = 400
    let found = (0..<runs).count { _ in
      let days = (0..<28).map { _ in
        ExperimentComparison.Day(
          a: users(0.8 * size.shownWithLooks / 28, top: 0.001),
          b: users(0.2 * size.shownWithLooks / 28, top: top), greatest: 500)
      }
      return ExperimentComparison(days, level: 0.95, planned: size.shownAtEnd).verdict == .higher
    }
    #expect((0.74...0.86).contains(Double(found) / Double(runs)), "\(found) of \(runs)")
  }

  @Test func `An experiment has the sample size of the textbook`() throws {
    let known = CentralMoments(variance: 1)
    // A difference of half a standard deviation takes 2 × 62.79 users: 4 × 7.8489 / 0.25.
    let size = try #require(ExperimentSize(.init(difference: 0.5, a: known, b: known)))
    #expect(abs(size.shownAtEnd - 125.58) < 0.01)
    // The sequence has no result before there are a hundred users in each arm.
    #expect(size.shownWithLooks >= 200)
    let small = try #require(ExperimentSize(.init(difference: 0.05, a: known, b: known)))
    #expect(abs(small.shownAtEnd - 12_558) < 1)
    // Looks before the last one find some of what the last one misses.
    let reach = (small.shownWithLooks / 1600).squareRoot()
    #expect((0.5..<0.84).contains(reach - small.standardErrors))
    #expect((1.6...1.95).contains(small.shownWithLooks / small.shownAtEnd))
    var uneven = ExperimentSize.Request(difference: -0.5, a: known, b: known)
    uneven.shareB = 0.2
    #expect(abs(try #require(ExperimentSize(uneven)).shownAtEnd - 125.58 * 6.25 / 4) < 0.02)
  }

  @Test(arguments: [
    (0.0, 1.0, 0.5), (.nan, 1, 0.5), (1, 0, 0.5), (1, .infinity, 0.5), (1, 1, 0), (1, 1, 1), (1e-9, 1, 0.5),
  ])
  func `An experiment without a finite sample size has none`(
    difference: Double, variance: Double, share: Double
  ) {
    var request = ExperimentSize.Request(
      difference: difference, a: CentralMoments(variance: variance), b: CentralMoments(variance: variance))
    request.shareB = share
    #expect(ExperimentSize(request) == nil)
  }

  @Test func `An experiment has no result for small samples, and nothing certain for one arm`() {
    func day(_ a: Int, _ b: Int) -> ExperimentComparison.Day {
      var day = ExperimentComparison.Day(greatest: 11)
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

  @Test
  func `An experiment warns of a changing split, and hardly ever of a constant one`() {
    var random = SplitMix64(seed: 21)
    func run(from: Double, to: Double) -> ExperimentComparison {
      let days = (0..<20).map { index in
        let part = Double(index) / 19
        var day = ExperimentComparison.Day(greatest: 60)
        for _ in 0..<200 {
          let amount = (1.5 - part) * revenue(&random, lift: 1)
          if random.happens(from + (to - from) * part) { day.b.add(amount) } else { day.a.add(amount) }
        }
        return day
      }
      return ExperimentComparison(days, level: 0.95, planned: 4000)
    }
    let changing = (0..<100).map { _ in run(from: 0.2, to: 0.8) }
    #expect(changing.count { $0.isSplitChanging } == 100)
    #expect(changing.count { $0.verdict != .open } <= 5)
    #expect(changing.count { $0.fixed.map { !$0.contains(0) } ?? false } > 30)
    #expect((0..<200).count { _ in run(from: 0.4, to: 0.4).isSplitChanging } <= 8)
    #expect(ExperimentComparison([], level: 0.95, planned: 10).splitProbability == nil)
  }

  @Test func `An experiment stays stopped, whatever later days show`() {
    var up = ExperimentComparison.Day(greatest: 2)
    var down = ExperimentComparison.Day(greatest: 100)
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

@Suite struct `Users' values` {
  /// One in ten pays 2, one in a hundred 50.
  private var users: UserValues {
    var users = UserValues()
    users.add(0, users: 890)
    users.add(2, within: 0.5, users: 100)
    users.add(50, users: 10)
    return users
  }

  @Test func `Users' values have the moments of their distribution`() {
    let users = users
    #expect(abs(users.mean - 0.7) < 1e-12)
    #expect(abs(users.varianceWithin - 0.05) < 1e-12)
    // Raw moments: 25.4, 1250.8 and 62501.6 a user.
    #expect(abs(users.moments.variance - (25.4 - 0.49 + 0.05)) < 1e-9)
    #expect(abs(users.moments.third - (1250.8 - 3 * 0.7 * 25.4 + 2 * 0.343)) < 1e-8)
    #expect(abs(users.moments.fourth - (62501.6 - 4 * 0.7 * 1250.8 + 6 * 0.49 * 25.4 - 3 * 0.2401)) < 1e-6)
    var parts = UserValues()
    for _ in 0..<3 { parts.add(7, users: 2) }
    #expect(parts.count == 6 && parts.moments.variance == 0)
  }

  @Test(arguments: UserValues.Lift.allCases)
  func `Users' values have the raised mean in every way, and the largest variance through the top`(
    how: UserValues.Lift
  ) throws {
    let raised = try #require(users.raised(by: 0.3, from: how))
    #expect(abs(raised.mean - 0.91) < 1e-9)
    #expect(abs(raised.count - 1000) < 1e-9)
    let top = try #require(users.raised(by: 0.3, from: .top))
    if how == .users { #expect(raised.moments.variance < top.moments.variance) }
  }

  @Test func `Users' values cannot be raised beyond all users, nor from nothing`() {
    #expect(users.raised(by: 9, from: .users) == nil)
    #expect(users.raised(by: 9, from: .amounts) != nil)
    var idle = UserValues()
    idle.add(0, users: 5)
    #expect(idle.raised(by: 0.1, from: .top) == nil)
    #expect(UserValues().raised(by: 0.1, from: .amounts) == nil)
  }

  @Test func `Users' values of a share have the moments of two values`() {
    var values = UserValues()
    values.add(0, users: 93)
    values.add(1, users: 7)
    let moments = CentralMoments(ofShare: 0.07)
    #expect(abs(values.moments.variance - moments.variance) < 1e-12)
    #expect(abs(values.moments.third - moments.third) < 1e-12)
    #expect(abs(values.moments.fourth - moments.fourth) < 1e-12)
  }

  @Test func `Users' values of the gamma distribution have its moments`() {
    // Shape 4, scale 0.5: variance 1, skewness 1, kurtosis 3 + 1.5.
    let moments = CentralMoments(gammaOfMean: 2, variance: 1)
    #expect(abs(moments.third - 1) < 1e-12 && abs(moments.fourth - 4.5) < 1e-12)
  }
}

@Suite struct `A confidence sequence` {
  @Test(arguments: [0.5, 0.9, 0.95, 0.99])
  func `A confidence sequence is narrowest at the size that it is tuned to`(level: Double) {
    let sequence = ConfidenceSequence(level: level, tightestAt: 1000)
    func reach(_ size: Double) -> Double { sequence.standardErrors(at: size) }
    #expect(reach(1000) < reach(900) && reach(1000) < reach(1100))
    #expect(reach(0) == .infinity)
  }

  @Test func `A confidence sequence has the radius of its formula`() {
    // x = ln((x + 1) / 0.0025) = 8.2112; there the reach is sqrt(x + 1).
    let sequence = ConfidenceSequence(level: 0.95, tightestAt: 100)
    #expect(abs(sequence.tuning * 100 - 8.2112) < 0.001)
    #expect(abs(sequence.standardErrors(at: 100) - 3.0350) < 0.001)
  }
}

@Suite struct `Sample moments` {
  @Test func `Sample moments of parts merge to those of the whole`() {
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
  func `Sample moments have Student's quantiles`(freedom: Double, expected: Double) {
    #expect(abs(studentQuantile(0.975, freedom: freedom) - expected) < 0.002)
  }
}
