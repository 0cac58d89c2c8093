package import Postbacks
internal import Values

/// How many days after the first postback that of a later window arrives.
///
/// Both are sent a random time after their windows end, which Apple publishes the ends of; it is taken for uniform. A
/// window that the app locks ends earlier, which nothing in a postback shows.
/// Source: Apple, "Receiving postbacks in multiple conversion windows".
package struct LaterWindowDelay: Equatable, Sendable {
  /// The fewest days.
  package let first: Int
  /// The probability of each number of days from ``first`` on.
  package let probabilities: [Double]

  /// Works it out by the hour: the first postback's hour of its day and both random delays.
  package init(_ window: ConversionWindow) {
    let hour = Hour.seconds
    let (own, later) = (Self.arrival(.first), Self.arrival(window))
    var counts: [Int: Double] = [:]
    for start in own.lowerBound / hour..<own.upperBound / hour {
      for end in later.lowerBound / hour..<later.upperBound / hour {
        for clock in 0..<Int64(24) {
          counts[Int((clock + end - start) / 24), default: 0] += 1
        }
      }
    }
    first = counts.keys.min() ?? 0
    let all = counts.values.reduce(0, +)
    probabilities = (first...(counts.keys.max() ?? first)).map { (counts[$0] ?? 0) / all }
  }

  /// The number of days that is most likely.
  package var likeliest: Int {
    first + (probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0)
  }

  /// The share that has arrived so many days after the day of the first postback, those days included.
  package func arrived(within days: Int) -> Double {
    guard days >= first else { return 0 }
    return probabilities.prefix(days - first + 1).reduce(0, +)
  }

  private static func arrival(_ window: ConversionWindow) -> Range<Int64> {
    let departure = AppleTimers.departure(version: .v4_0, window: window)
    return window.seconds.upperBound + departure.lowerBound..<window.seconds.upperBound + departure.upperBound
  }
}
