@testable import Estimates
import Testing
import Values

struct `Sums of estimated days` {
  /// Values 0 and 1 are worth 0 and 10.
  private let worth = CodeWorth(
    buckets: (0..<64).map { code in
      BucketWorth(
        mean: code == 1 ? 10 : 0, spread: code == 1 ? 2 : 0, low: code == 1 ? 8 : 0, high: code == 1 ? 16 : 0,
        users: 0)
    })

  private func day(_ zeroes: Double, _ ones: Double, nulls: Double, coarse: Double = 0) -> DayCounts {
    var counts = DayCounts()
    counts.revealed[0] = zeroes
    counts.revealed[1] = ones
    counts.nulls = nulls
    counts.coarse = coarse
    counts.coarseWorth = coarse * 3
    return counts
  }

  private func crowds(by estimator: Estimator, _ campaigns: [[Day: DayCounts]]) throws -> [[EstimatedCrowd]] {
    try EstimatedCrowd.estimated(
      campaigns.enumerated().map { ("c\($0.offset)", $0.element) }, worth: worth, users: nil, by: estimator,
      seed: 1)
  }

  private let monday = Day(number: 4)

  @Test
  func `Sums of estimated days add decoded and estimated parts, and vary the worth of nulls by 30 per cent`()
    throws
  {
    let days = [monday: day(30, 10, nulls: 20, coarse: 5), monday.next: day(10, 10, nulls: 0)]
    let crowd = try #require(try crowds(by: .tree, [days]).first?.first)
    let sum = try #require(
      EstimatedSum([.init(crowd, day: 0), .init(crowd, day: 1)], isOfOneCampaign: true))
    #expect(sum.installs == 85)
    #expect(sum.nullShare == 0.25)
    #expect(sum.decoded == 215)
    // A third of the shown values is worth 10.
    let imputed = 20.0 * 200 / 60
    #expect(abs(try #require(sum.estimate) - 215 - imputed) < 1e-9)
    #expect(abs(try #require(sum.imputedShare) - imputed / (215 + imputed)) < 1e-12)
    let range = try #require(sum.sensitivity)
    #expect(abs(range.low - 215 - 0.7 * imputed) < 1e-9 && abs(range.high - 215 - 1.3 * imputed) < 1e-9)
    // The same users, 20 shown and a third of 20 withheld, at the ends of the range from 8 to 16.
    let ends = try #require(sum.rangeEnds)
    let ones = 20 + 20.0 * 20 / 60
    #expect(abs(ends.low - 15 - 8 * ones) < 1e-9 && abs(ends.high - 15 - 16 * ones) < 1e-9)
    #expect(sum.worstCase == Interval(low: 20 * 8 + 15, high: 20 * 16 + 15 + 20 * 16))
    let interval = try #require(sum.interval)
    #expect(interval.contains(try #require(sum.estimate)))
    #expect(sum.flags == [.amountsFromMapping])
  }

  @Test func `Sums of estimated days drop flags of one campaign in sums of several`() throws {
    let shown = [monday: day(30, 10, nulls: 1)]
    let withheld = [monday: day(0, 0, nulls: 8)]
    let crowds = try crowds(by: .tree, [shown, withheld]).flatMap(\.self)
    let alone = try #require(EstimatedSum([.init(crowds[1], day: 0)], isOfOneCampaign: true))
    #expect(alone.estimate == nil)
    #expect(alone.interval != nil)
    #expect(alone.flags == [.amountsFromMapping, .mostlyHidden, .nothingRevealed])
    let both = try #require(EstimatedSum(crowds.map { .init($0, day: 0) }, isOfOneCampaign: false))
    #expect(both.flags.isEmpty)
    #expect(try #require(both.estimate) > both.decoded)
  }

  @Test(arguments: Estimator.all)
  func `Sums of estimated days are between the ends of the ranges, and without them by own users`(
    estimator: Estimator
  ) throws {
    let days = [[monday: day(30, 10, nulls: 20, coarse: 5)], [monday: day(40, 3, nulls: 2)]]
    for crowd in try crowds(by: estimator, days).flatMap(\.self) {
      let sum = try #require(EstimatedSum([.init(crowd, day: 0)], isOfOneCampaign: true))
      let (estimate, ends) = (try #require(sum.estimate), try #require(sum.rangeEnds))
      #expect(ends.low < estimate && estimate < ends.high, "\(ends) \(estimate)")
    }
    let known = CodeWorth(
      buckets: worth.buckets.map {
        BucketWorth(mean: $0.mean, spread: $0.spread, low: $0.low, high: $0.high, users: 20)
      })
    let learned = try EstimatedCrowd.estimated(
      [("c", days[0])], worth: known, users: nil, by: estimator, seed: 1)
    let sum = EstimatedSum([.init(learned[0][0], day: 0)], isOfOneCampaign: true)
    #expect(sum != nil && sum?.rangeEnds == nil)
  }

  @Test func `Sums of estimated days have no high end where a value that is shown has none`() throws {
    let open = CodeWorth(
      buckets: worth.buckets.enumerated().map { code, bucket in
        BucketWorth(
          mean: bucket.mean, spread: bucket.spread, low: bucket.low,
          high: code == 1 ? .infinity : bucket.high, users: 0)
      })
    func ends(_ counts: DayCounts) throws -> Interval? {
      let crowds = try EstimatedCrowd.estimated(
        [("c", [monday: counts])], worth: open, users: nil, by: .tree, seed: 1)
      return EstimatedSum([.init(crowds[0][0], day: 0)], isOfOneCampaign: true)?.rangeEnds
    }
    #expect(try ends(day(30, 10, nulls: 4))?.high == .infinity)
    #expect(try ends(day(30, 0, nulls: 0)) == Interval(low: 0, high: 0))
  }

  @Test(arguments: Estimator.all)
  func `Sums of estimated days include that postbacks near their ends can be of other days`(
    estimator: Estimator
  ) throws {
    // Twelve users of 10 may be of the second day instead, or the other way round, with even odds: a deviation of 17.3.
    var edge = DayEdge()
    edge.add(12, probability: 0.5, worth: 10)
    func days(_ edge: DayEdge) -> [Day: DayCounts] {
      var (first, second) = (day(30, 10, nulls: 0), day(20, 12, nulls: 0))
      first.add(edge, to: monday.next)
      second.add(edge, to: monday)
      return [monday: first, monday.next: second]
    }
    func parts(_ edge: DayEdge, scale: Double = 1) throws -> [EstimatedSum.Part] {
      let crowds = try crowds(by: estimator, [days(edge), [monday: day(30, 11, nulls: 3)]])
      return [.init(crowds[0][0], day: 0), .init(crowds[0][0], day: 1, scale: scale)]
    }
    func draws(_ parts: [EstimatedSum.Part]) throws -> [Double] {
      try #require(EstimatedSum(parts, isOfOneCampaign: true)?.draws)
    }
    let (unsure, sure) = (try parts(edge), try parts(DayEdge()))
    // What one day has, the other has not: together they are sure.
    #expect(try draws(unsure) == draws(sure))
    var offs: [[Double]] = []
    for day in 0...1 {
      offs.append(zip(try draws([unsure[day]]), try draws([sure[day]])).map(-))
      #expect(abs(offs[day].variance.squareRoot() - 17.3) < 2)
      let wide = try #require(EstimatedSum([unsure[day]], isOfOneCampaign: true)?.interval)
      let narrow = try #require(EstimatedSum([sure[day]], isOfOneCampaign: true)?.interval)
      #expect(wide.width > narrow.width)
    }
    #expect(zip(offs[0], offs[1]).allSatisfy { abs($0 + $1) < 1e-9 })
    // At a rate of 3 on the second day, of the first it loses twice what the second has too little.
    let scaled = zip(try draws(try parts(edge, scale: 3)), try draws(try parts(DayEdge(), scale: 3))).map(-)
    #expect(zip(scaled, offs[1]).allSatisfy { abs($0 - 2 * $1) < 1e-6 })
  }

  @Test func `Sums of estimated days without installs are none`() throws {
    let crowd = try #require(try crowds(by: .tree, [[monday: day(0, 0, nulls: 0)]]).first?.first)
    #expect(EstimatedSum([.init(crowd, day: 0)], isOfOneCampaign: true) == nil)
  }

  @Test
  func `Sums of estimated days have a privacy threshold cell for each week if values are withheld singly`()
    throws
  {
    let days = Dictionary(uniqueKeysWithValues: (-1..<8).map { (Day(number: 4 + $0), day(8, 8, nulls: 1)) })
    let weeks = try crowds(by: .threshold(smallest: 5), [days])
    #expect(weeks.first?.map(\.days.count) == [1, 7, 1])
    #expect(weeks.first?[1].days.first == monday)
    #expect(try crowds(by: .tree, [days]).first?.map(\.days.count) == [9])
  }
}
