internal import System

/// By how much a share rose from some weeks to the weeks after them.
struct ShareRise: Equatable, Sendable {
  /// The change of the share's logit.
  let effect: PatternEffect
  /// The share of the later weeks, and all that it is of.
  let share: Double
  let all: Double

  private static let fewest = 50.0
  private static let fewestMarked = 10.0
  private static let week = 7

  /// Compares the last days with those before; nil where either has too few.
  ///
  /// Chance is binomial, and more where the weeks of one side differ by more (Pearson's χ² by its degrees of freedom;
  /// McCullagh and Nelder, "Generalized Linear Models", section 4.5).
  init?(_ days: [(marked: Double, all: Double)], recent: Int) {
    guard days.count > recent, recent > 0 else { return nil }
    let start = days.count - recent
    let sides = [Self.weeks(days[..<start]), Self.weeks(days[start...])]
    let sums = sides.map { weeks in
      weeks.reduce((marked: 0.0, all: 0.0)) { ($0.marked + $1.marked, $0.all + $1.all) }
    }
    let marked = sums[0].marked + sums[1].marked
    let plain = sums[0].all + sums[1].all - marked
    guard sums.allSatisfy({ $0.all >= Self.fewest }), min(marked, plain) >= Self.fewestMarked else {
      return nil
    }
    var (scatter, freedom) = (0.0, 0.0)
    for (weeks, sum) in zip(sides, sums) {
      let share = sum.marked / sum.all
      guard share > 0, share < 1 else { continue }
      for week in weeks where week.all > 0 {
        let distance = week.marked - week.all * share
        scatter += distance * distance / (week.all * share * (1 - share))
        freedom += 1
      }
      freedom -= 1
    }
    guard freedom >= 3 else { return nil }
    func part(_ count: Double) -> Double { 1 / (count + 0.5) }
    func logit(_ sum: (marked: Double, all: Double)) -> Double {
      naturalLogarithm((sum.marked + 0.5) / (sum.all - sum.marked + 0.5))
    }
    let chance = sums.reduce(0) { $0 + part($1.marked) + part($1.all - $1.marked) }
    effect = PatternEffect(
      value: logit(sums[1]) - logit(sums[0]), variance: max(1, scatter / freedom) * chance, freedom: freedom)
    (share, all) = (sums[1].marked / sums[1].all, sums[1].all)
  }

  /// Sums of seven days each, the last one of the last days.
  private static func weeks(_ days: ArraySlice<(marked: Double, all: Double)>) -> [(
    marked: Double, all: Double
  )] {
    stride(from: days.endIndex, to: days.startIndex, by: -week).map { end in
      days[max(days.startIndex, end - week)..<end].reduce((0, 0)) { ($0.0 + $1.marked, $0.1 + $1.all) }
    }
  }
}
