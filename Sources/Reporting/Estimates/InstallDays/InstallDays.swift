internal import Numerics

/// Daily installs, or whatever is counted by arrival, inferred from the hours in which their postbacks arrived.
///
/// Arrivals of a bin are Poisson with mean μ_a = Σ_d λ_d K[a − d]; a round of expectation and maximisation is
/// λ_d ← λ_d / s_d · Σ_a K[a − d] y_a / μ_a, with s_d = Σ_a K[a − d] over the bins that are over. Few rounds are the
/// regulariser: about 3 up to a hundred installs a day, 5 to 10 above.
/// Source: Richardson, 1972; Lucy, 1974; Shepp and Vardi, "Maximum likelihood reconstruction for emission tomography",
/// 1982; Becker, Watson and Carlin, "A method of non-parametric back-projection", 1991.
package struct InstallDays: Equatable, Sendable {
  /// The day of the first number, relative to the day that the first bin begins.
  package let firstDay: Int
  /// What is inferred for each day, with what has still to arrive; 0 or the start's for days of which nothing can have.
  package let daily: [Double]
  /// The share of each day's postbacks expected within the observed bins.
  package let completeness: [Double]
  /// The arrivals that no day explains, for instance of installs before the first day.
  package let unexplained: Double
  private let kernel: DelayKernel

  /// How many rounds suit a number of installs a day.
  package static func rounds(forDaily installs: Double) -> Int {
    installs <= 100 ? 3 : installs < 1000 ? 5 : 10
  }

  /// Infers days.
  ///
  /// - Parameters:
  ///   - arrivals: The arrivals by bin of three hours, from a day's start to now.
  ///   - kernel: How one day's installs arrive.
  ///   - days: The install days to look for, 0 being the day of the first bin.
  ///   - rounds: How many rounds to run.
  ///   - start: Where to begin, by day, such as own users' installs on any scale; nil for evenly.
  ///   - lastBinShare: How much of the last bin is over, above 0 through 1.
  package init(
    arrivals: [Double], kernel: DelayKernel, days: Range<Int>, rounds: Int, start: [Double]? = nil,
    lastBinShare: Double = 1
  ) {
    firstDay = days.lowerBound
    self.kernel = kernel
    let observed = ObservedBins(kernel: kernel, bins: arrivals.count, lastBinShare: lastBinShare)
    let seen = days.map { observed.day($0) }
    let total = arrivals.reduce(0, +)
    let given = start.flatMap { $0.count == days.count ? $0 : nil }
    let shape: [Double] = given ?? [Double](repeating: 1, count: days.count)
    var reach = 0.0
    for (weight, day) in zip(shape, seen) { reach += weight * day.share }
    // A day at 0 would stay there; a start gives the likelier days, not the days without installs.
    let floor = 1e-9 * total / Double(max(1, days.count))
    var daily: [Double] = shape.map { max(floor, reach > 0 ? $0 * total / reach : 0) }
    if given == nil {
      for (index, day) in seen.enumerated() where day.share == 0 { daily[index] = 0 }
    }
    for _ in 0..<max(0, rounds) {
      let expected = observed.expected(daily, days: seen)
      for (index, day) in seen.enumerated() where day.share > 0 {
        var sum = 0.0
        for bin in day.bins where arrivals[bin] > 0 && expected[bin] > 0 {
          sum += observed.probability(bin, of: day) * arrivals[bin] / expected[bin]
        }
        daily[index] *= sum / day.share
      }
    }
    self.daily = daily
    completeness = seen.map(\.share)
    let expected = observed.expected(daily, days: seen)
    unexplained = zip(arrivals, expected).reduce(0) { $0 + ($1.1 > 0 ? 0 : $1.0) }
  }

  /// Returns the install days that a postback of some bin can have, with their probabilities, which sum to one.
  ///
  /// P(d | a) = λ_d K[a − d] / μ_a; money that arrives in the bin is shared out by it.
  ///
  /// - Returns: Nothing for a bin that no day explains.
  package func origins(ofBin bin: Int) -> [(day: Int, probability: Double)] {
    var origins: [(day: Int, probability: Double)] = []
    for (index, amount) in daily.enumerated() {
      let day = firstDay + index
      let offset = bin - day * DelayKernel.binsPerDay
      guard kernel.probabilities.indices.contains(offset) else { continue }
      let weight = amount * kernel.probabilities[offset]
      if weight > 0 { origins.append((day, weight)) }
    }
    let total = origins.reduce(0) { $0 + $1.probability }
    return origins.map { ($0.day, $0.probability / total) }
  }

  /// The days, relative to that of the first bin, before and behind which less than half an install has arrived; `nil`
  /// where that little has arrived at all.
  ///
  /// Installs are spread out over the days that they can be of, so that traces of some are on days without any.
  package var knownDays: ClosedRange<Int>? {
    func first(_ places: some Sequence<Int>) -> Int? {
      var sum = 0.0
      for place in places {
        sum += daily[place] * completeness[place]
        if sum >= 0.5 { return firstDay + place }
      }
      return nil
    }
    guard let low = first(daily.indices), let high = first(daily.indices.reversed()) else { return nil }
    return min(low, high)...max(low, high)
  }
}

/// What can be seen of days from the bins that are over.
private struct ObservedBins {
  /// One day's view: its first bin, the bins observed of it, and their share.
  typealias Day = (bins: Range<Int>, share: Double, first: Int)

  let kernel: DelayKernel
  let bins: Int
  let lastBinShare: Double

  func day(_ day: Int) -> Day {
    let first = day * DelayKernel.binsPerDay
    let from = min(bins, max(0, first))
    let to = max(from, min(bins, first + kernel.probabilities.count))
    let view: Day = (from..<to, 0, first)
    return (from..<to, (from..<to).reduce(0) { $0 + probability($1, of: view) }, first)
  }

  /// How likely a postback of a day is to come in a bin, as far as the bin is over.
  func probability(_ bin: Int, of day: Day) -> Double {
    kernel.probabilities[bin - day.first] * (bin == bins - 1 ? lastBinShare : 1)
  }

  func expected(_ daily: [Double], days: [Day]) -> [Double] {
    var expected = [Double](repeating: 0, count: bins)
    for (amount, day) in zip(daily, days) where amount > 0 {
      for bin in day.bins { expected[bin] += amount * probability(bin, of: day) }
    }
    return expected
  }
}
