import System
public import Values

/// What came of one window's postbacks.
public struct WindowOutcome: Equatable, Sendable {
  /// Winning postbacks that were sent.
  public internal(set) var postbacks = 0
  /// Postbacks that the app had earned with an update and the privacy threshold suppressed.
  public internal(set) var withheld = 0
  /// Winning postbacks without a value.
  public internal(set) var nulls = 0
  /// Winning postbacks with the fine value 0.
  public internal(set) var zeroes = 0
  public internal(set) var nonWinners = 0
  /// How many conversions ended with each fine value, sent or not; empty or 64 numbers.
  public internal(set) var trueFine: [Int] = []
  /// True revenue in the window of the conversions that ended with each fine value; empty or 64 sums.
  public internal(set) var revenueByFine: [MoneySum] = []
  /// How many postbacks showed each fine value; empty or 64 numbers.
  public internal(set) var visibleFine: [Int] = []
  /// How many conversions ended with low, medium, high, sent or not.
  public internal(set) var trueCoarse = [0, 0, 0]
  /// True revenue in the window of the conversions that ended with low, medium, high.
  public internal(set) var revenueByCoarse: [MoneySum] = [.zero, .zero, .zero]
  /// How many postbacks showed low, medium, high.
  public internal(set) var visibleCoarse = [0, 0, 0]
  /// True revenue of users in the window, of conversions with a value for it.
  public internal(set) var revenue = MoneySum.zero
  /// True revenue of users in the window when its value was set last.
  public internal(set) var revenueAtUpdate = MoneySum.zero
  /// What the final values are worth by the mapping, before any is withheld.
  public internal(set) var captured = MoneySum.zero
  /// What the values shown are worth by the mapping.
  public internal(set) var visible = MoneySum.zero
  /// What the values shown are worth at least.
  public internal(set) var visibleLow = MoneySum.zero
  /// What the values shown are worth at most; a value without limit counts as what it is worth.
  public internal(set) var visibleHigh = MoneySum.zero
  /// How many values shown have no upper limit.
  public internal(set) var withoutLimit = 0
  /// From conversion to arrival, winning postbacks.
  public internal(set) var delays = DelayHistogram()
  /// By the day of arrival, UTC.
  public internal(set) var arrivals: [Day: ArrivalDay] = [:]

  public init() {}

  public var values: Int { postbacks - nulls }
  /// The share of winning postbacks without a value; `nil` without postbacks.
  public var nullShare: Double? { postbacks == 0 ? nil : Double(nulls) / Double(postbacks) }
  /// The share of winning postbacks with the fine value 0; `nil` without postbacks.
  public var zeroShare: Double? { postbacks == 0 ? nil : Double(zeroes) / Double(postbacks) }
  /// How many of the 64 fine values were shown at least once.
  public var valuesUsed: Int { visibleFine.count { $0 > 0 } }
  /// How many of the 64 fine values some conversion ended with.
  public var trueValuesUsed: Int { trueFine.count { $0 > 0 } }
  /// The bits of information in a fine value shown, 0 through 6.
  public var entropy: Double { Self.entropy(visibleFine) }
  /// The bits of information in a fine value before any is withheld, 0 through 6.
  public var trueEntropy: Double { Self.entropy(trueFine) }

  private static func entropy(_ counts: [Int]) -> Double {
    let total = Double(counts.reduce(0, +))
    return counts.filter { $0 > 0 }.reduce(0) { sum, count in
      let share = Double(count) / total
      return sum - share * naturalLogarithm(share) / naturalLogarithm(2)
    }
  }

  /// Adds what came of other users.
  public mutating func merge(_ other: WindowOutcome) {
    postbacks += other.postbacks
    withheld += other.withheld
    nulls += other.nulls
    zeroes += other.zeroes
    nonWinners += other.nonWinners
    trueFine.add(other.trueFine)
    visibleFine.add(other.visibleFine)
    if revenueByFine.isEmpty {
      revenueByFine = other.revenueByFine
    } else {
      for index in other.revenueByFine.indices { revenueByFine[index] += other.revenueByFine[index] }
    }
    trueCoarse.add(other.trueCoarse)
    for index in revenueByCoarse.indices { revenueByCoarse[index] += other.revenueByCoarse[index] }
    visibleCoarse.add(other.visibleCoarse)
    revenue += other.revenue
    revenueAtUpdate += other.revenueAtUpdate
    captured += other.captured
    visible += other.visible
    visibleLow += other.visibleLow
    visibleHigh += other.visibleHigh
    withoutLimit += other.withoutLimit
    delays.merge(other.delays)
    arrivals.merge(other.arrivals) { $0.merged(with: $1) }
  }
}

public struct ArrivalDay: Equatable, Sendable {
  public internal(set) var postbacks = 0
  /// Winning postbacks without a value.
  public internal(set) var nulls = 0
  /// Winning postbacks with the fine value 0.
  public internal(set) var zeroes = 0
  public internal(set) var nonWinners = 0
  /// What the values shown are worth by the mapping.
  public internal(set) var visible = MoneySum.zero

  /// Returns the sum of two.
  public func merged(with other: ArrivalDay) -> ArrivalDay {
    var sum = self
    sum.postbacks += other.postbacks
    sum.nulls += other.nulls
    sum.zeroes += other.zeroes
    sum.nonWinners += other.nonWinners
    sum.visible += other.visible
    return sum
  }
}

extension [Int] {
  /// Adds place by place, growing where needed.
  mutating func add(_ other: [Int]) {
    if other.count > count { self += Array(repeating: 0, count: other.count - count) }
    for index in other.indices { self[index] += other[index] }
  }
}

extension WindowOutcome {
  /// Counts what a conversion's window ended with, sent or not.
  @inline(__always)
  mutating func count(_ end: WindowEnd, worth: Worth) {
    if end.fine >= 0 {
      trueFine[Int(end.fine)] += 1
      revenueByFine[Int(end.fine)].add(end.revenue)
    }
    if end.coarse >= 0 {
      trueCoarse[Int(end.coarse)] += 1
      revenueByCoarse[Int(end.coarse)].add(end.revenue)
    }
    revenue.add(end.revenue)
    revenueAtUpdate.add(end.revenueAtUpdate)
    captured.add(worth.representative)
  }

  /// Counts a winning postback.
  @inline(__always)
  mutating func count(shown: (fine: Int8, coarse: Int8), worth: Worth, delay: Int64) {
    postbacks += 1
    if shown.fine < 0, shown.coarse < 0 { nulls += 1 }
    if shown.fine == 0 { zeroes += 1 }
    if shown.fine >= 0 { visibleFine[Int(shown.fine)] += 1 }
    if shown.coarse >= 0 { visibleCoarse[Int(shown.coarse)] += 1 }
    visible.add(worth.representative)
    visibleLow.add(worth.low)
    visibleHigh.add(worth.high)
    if worth.isOpen { withoutLimit += 1 }
    delays.add(milliseconds: delay)
  }
}

extension ArrivalDay {
  /// Counts a winning postback.
  @inline(__always)
  mutating func count(shown: (fine: Int8, coarse: Int8), worth: Worth) {
    postbacks += 1
    if shown.fine < 0, shown.coarse < 0 { nulls += 1 }
    if shown.fine == 0 { zeroes += 1 }
    visible.add(worth.representative)
  }
}
