import System

/// How long a stream has been silent, and how long that can be by chance.
///
/// The stream's own gaps decide. Beyond their median, gaps are assumed to end at a constant rate, as those of any stream
/// that no clock drives do; so the gap that is exceeded a stated number of times in a year follows from their mean
/// excess. The mean is raised by its standard error, because it is known from few gaps. The bound is never below one
/// and a half times the longest gap that there was, for streams that a clock does drive, and never above three times.
/// Source: Davison and Smith, "Models for exceedances over high thresholds", 1990.
package struct Silence {
  /// When the last hour in which something came had its end, in hours since 1970-01-01T00:00:00Z.
  package let since: Int64
  /// Hours since then; 0 at least.
  package let hours: Int64
  /// Hours that chance alone can take.
  package let bound: Double
  /// Days before the silence on which something came.
  package let activeDays: Int

  /// Measures a stream.
  ///
  /// - Parameters:
  ///   - active: The hours in which something came, in order, none twice.
  ///   - baselineDays: Days before the silence whose gaps count.
  ///   - falseAlarms: How often in a year chance alone may reach the bound.
  package init?(
    _ active: [Int64], now: Int64, baselineDays: Int, falseAlarmsAYear falseAlarms: Double, leastHours: Int
  ) {
    guard let last = active.last else { return nil }
    let start = last - Int64(baselineDays) * 24
    let recent = active.filter { $0 > start }
    let gaps = zip(recent, recent.dropFirst()).map { $1 - $0 }.sorted()
    guard let longest = gaps.last else { return nil }
    since = last + 1
    hours = max(0, now - since)
    activeDays = Set(recent.map { $0 / 24 }).count
    let median = gaps[gaps.count / 2]
    let excesses = gaps.filter { $0 > median }.map { Double($0 - median) }
    let years = Double(recent[recent.count - 1] - recent[0] + 1) / (365 * 24)
    var reach = Double(median)
    if !excesses.isEmpty {
      let number = Double(excesses.count)
      let mean = excesses.reduce(0, +) / number * (1 + 1 / number.squareRoot())
      reach += mean * max(0, naturalLogarithm(number / years / falseAlarms))
    }
    bound = max(Double(leastHours), min(3 * Double(longest), max(1.5 * Double(longest), reach)))
  }
}
