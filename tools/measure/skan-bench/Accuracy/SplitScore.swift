import Estimates

/// How often intervals held, how wide they were, and how far estimates were off, over campaigns and seeds.
struct SplitScore: Sendable {
  /// How much of a campaign is shown.
  enum Share: String, CaseIterable, Sendable {
    case full
    case part
    case none
  }

  /// One campaign.
  struct Case {
    let truth: Double
    let estimate: Double
    let ratio: Double
    /// The model's interval, and the recalibrated one.
    let raw: Interval
    let interval: Interval
    /// The interval if the worth of values is known.
    let known: Interval
    let share: Share
    /// The revenue that a verdict compares with.
    let target: Double
    /// The fifth of the campaigns that it is in by size and by share of withheld values, from 0 through 4.
    let sizeFifth: Int
    let nullFifth: Int
  }

  /// Verdicts on whether a campaign's revenue reaches what its installs are worth at the mean of all.
  struct Verdicts: Sendable {
    private(set) var count = 0.0
    private(set) var decided = 0.0
    private(set) var wrong = 0.0

    mutating func add(_ some: Case) {
      count += 1
      if some.interval.low >= some.target {
        decided += 1
        if some.truth < some.target { wrong += 1 }
      } else if some.interval.high < some.target {
        decided += 1
        if some.truth >= some.target { wrong += 1 }
      }
    }

    mutating func merge(_ other: Self) {
      count += other.count
      decided += other.decided
      wrong += other.wrong
    }

    var json: String {
      """
      {"count":\(Int(count)),"decided":\(fourDigits(decided / max(1, count))),\
      "wrong":\(fourDigits(wrong / max(1, count))),"wrong_of_decided":\(fourDigits(wrong / max(1, decided)))}
      """
    }
  }

  /// Counts of intervals.
  struct Tally: Sendable {
    var count = 0.0
    var below = 0.0
    var above = 0.0
    var width = 0.0
    var knownWidth = 0.0

    mutating func add(_ truth: Double, _ interval: Interval, _ known: Interval) {
      // Sums of the same amounts in another order differ in the last digits.
      let slack = 1e-9 * abs(truth)
      count += 1
      if truth < interval.low - slack { below += 1 }
      if truth > interval.high + slack { above += 1 }
      width += interval.width
      knownWidth += known.width
    }

    mutating func merge(_ other: Self) {
      count += other.count
      below += other.below
      above += other.above
      width += other.width
      knownWidth += other.knownWidth
    }

    var json: String {
      """
      {"count":\(Int(count)),"below":\(fourDigits(below / max(1, count))),"above":\(fourDigits(above / max(1, count))),\
      "width":\(fourDigits(knownWidth > 0 ? width / knownWidth : 0))}
      """
    }
  }

  private var all = Tally()
  private var raw = Tally()
  private var verdicts = Verdicts()
  /// Campaigns once they are bound to what all are worth together; widths beside those before.
  private var bound = Tally()
  private var worstBoundTotal = 0.0
  private var shares: [Share: Tally] = [:]
  private var sizeFifths = [Tally](repeating: Tally(), count: 5)
  private var nullFifths = [Tally](repeating: Tally(), count: 5)
  private var totals = Tally()
  private var (truth, error, squares, ratioSquares, shown) = (0.0, 0.0, 0.0, 0.0, 0.0)
  private var totalErrors: [Double] = []
  private var (floor, knownFloor) = (0.0, 0.0)
  private var (totalFloor, knownTotalFloor) = (0.0, 0.0)

  mutating func add(_ some: Case) {
    all.add(some.truth, some.interval, some.known)
    raw.add(some.truth, some.raw, some.known)
    verdicts.add(some)
    sizeFifths[some.sizeFifth].add(some.truth, some.interval, some.known)
    nullFifths[some.nullFifth].add(some.truth, some.interval, some.known)
    shares[some.share, default: Tally()].add(some.truth, some.interval, some.known)
    truth += some.truth
    error += some.estimate - some.truth
    // Where nothing is shown there is no ratio to compare with.
    guard some.share != .none else { return }
    shown += 1
    squares += (some.estimate - some.truth) * (some.estimate - some.truth)
    ratioSquares += (some.ratio - some.truth) * (some.ratio - some.truth)
  }

  mutating func addBound(_ truth: Double, _ before: Interval, _ after: Interval) {
    bound.add(truth, after, before)
  }

  /// - Parameter error: By how much bound parts miss their total, as a part of it.
  mutating func addBoundTotal(error: Double) { worstBoundTotal = max(worstBoundTotal, abs(error)) }

  mutating func addTotal(truth: Double, estimate: Double, _ interval: Interval, _ known: Interval) {
    totals.add(truth, interval, known)
    totalErrors.append(truth > 0 ? estimate / truth - 1 : 0)
  }

  /// Adds the widths that no honest method can go below: sqrt(n s² + n² s² / c) for n users of a value known from c.
  mutating func addFloor(_ set: CampaignSet, _ ideal: CampaignSet) {
    let known = set.worth.buckets.map { Double(max(1, $0.users)) }
    let variances = ideal.worth.buckets.map { $0.spread * $0.spread }
    var sums = [Double](repeating: 0, count: known.count)
    for campaign in set.campaigns {
      var (sampling, worth) = (0.0, 0.0)
      for (code, count) in campaign.revealed.enumerated() {
        sampling += count * variances[code]
        worth += count * count * variances[code] / known[code]
        sums[code] += count
      }
      floor += (sampling + worth).squareRoot()
      knownFloor += sampling.squareRoot()
    }
    let sampling = zip(sums, variances).reduce(0) { $0 + $1.0 * $1.1 }
    let worth = zip(sums, zip(variances, known)).reduce(0) { $0 + $1.0 * $1.0 * $1.1.0 / $1.1.1 }
    totalFloor += (sampling + worth).squareRoot()
    knownTotalFloor += sampling.squareRoot()
  }

  mutating func merge(_ other: Self) {
    all.merge(other.all)
    raw.merge(other.raw)
    verdicts.merge(other.verdicts)
    bound.merge(other.bound)
    worstBoundTotal = max(worstBoundTotal, other.worstBoundTotal)
    for fifth in 0..<5 {
      sizeFifths[fifth].merge(other.sizeFifths[fifth])
      nullFifths[fifth].merge(other.nullFifths[fifth])
    }
    totals.merge(other.totals)
    for (share, tally) in other.shares { shares[share, default: Tally()].merge(tally) }
    truth += other.truth
    error += other.error
    squares += other.squares
    ratioSquares += other.ratioSquares
    shown += other.shown
    totalErrors += other.totalErrors
    floor += other.floor
    knownFloor += other.knownFloor
    totalFloor += other.totalFloor
    knownTotalFloor += other.knownTotalFloor
  }

  /// The figures as members of a JSON object; errors in parts of the mean truth, widths in parts of the known law's.
  var json: String {
    let mean = truth / max(1, all.count)
    func root(_ sum: Double) -> String {
      fourDigits(mean > 0 ? (sum / max(1, shown)).squareRoot() / mean : 0)
    }
    let spread = totalErrors.reduce(0) { $0 + $1 * $1 } / Double(max(1, totalErrors.count))
    let shares = Share.allCases.map { "\"\($0.rawValue)\":\((self.shares[$0] ?? Tally()).json)" }
    return """
      "all":\(all.json),"raw":\(raw.json),\(shares.joined(separator: ",")),"totals":\(totals.json),\
      "bound":\(bound.json),"bound_total":\(fourDigits(worstBoundTotal)),"verdicts":\(verdicts.json),"size_fifths":[\(sizeFifths.map(\.json).joined(separator: ","))],\
      "null_fifths":[\(nullFifths.map(\.json).joined(separator: ","))],"bias":\(fourDigits(truth > 0 ? error / truth : 0)),"rmse":\(root(squares)),"rmse_ratio":\(root(ratioSquares)),\
      "total_rmse":\(fourDigits(spread.squareRoot())),\
      "floor":\(fourDigits(knownFloor > 0 ? floor / knownFloor : 0)),\
      "total_floor":\(fourDigits(knownTotalFloor > 0 ? totalFloor / knownTotalFloor : 0))
      """
  }
}
