package import Mappings
import Postbacks
import Values

/// How postbacks of one day's installs arrive: the probability of each three-hour bin after the day's start.
package struct DelayKernel: Equatable, Sendable {
  /// The probabilities, from the bin that begins with the install day; they sum to one.
  package let probabilities: [Double]

  package static let binHours = 3
  package static let binsPerDay = 8

  /// Makes a kernel from the law of the delay between install and arrival.
  ///
  /// - Parameters:
  ///   - longest: The longest delay, in hours, up to 180 days.
  ///   - hours: How installs spread over the bins of a day, on any scale; nil for evenly.
  ///   - probability: The probability that a postback has arrived by so many hours after its install.
  package init(longest: Double, hours: [Double]? = nil, within probability: (Double) -> Double) {
    let weights = hours.flatMap { $0.count == Self.binsPerDay && $0.reduce(0, +) > 0 ? $0 : nil }
    // No delay of Apple's reaches half a year; a mistake may not ask for a list without end.
    let longest = longest.isFinite ? min(Double(24 * 180), max(0, longest)) : 0
    let bins = Int(((longest + 24) / Double(Self.binHours)).rounded(.up))
    // Quarters of an hour: Apple's delays begin and end on whole ones, so their slopes never change inside a step.
    let steps = Self.binHours * 4
    var sums = [Double](repeating: 0, count: max(1, bins))
    for bin in 0..<Self.binsPerDay {
      for step in 0..<steps {
        let hour = Double(bin * Self.binHours) + (Double(step) + 0.5) / 4
        let weight = weights?[bin] ?? 1
        var before = probability(-hour)
        for arrival in sums.indices {
          let by = probability(Double((arrival + 1) * Self.binHours) - hour)
          sums[arrival] += weight * (by - before)
          before = by
        }
      }
    }
    self.init(weights: sums)
  }

  init(weights: [Double]) {
    let total = weights.reduce(0, +)
    probabilities = total > 0 ? weights.map { $0 / total } : [1]
  }

  /// Makes the kernel of postbacks whose value defines when it was final.
  package init(_ delay: SendingDelay, hours: [Double]? = nil) {
    self.init(longest: delay.longest, hours: hours) { delay.probability(within: $0) }
  }

  /// Makes the kernel of a SKAdNetwork version that sends some time after the value's last rise.
  ///
  /// - Parameters:
  ///   - lastRises: The probability that the last rise comes in each hour after install, on any scale.
  ///   - hours: How installs spread over the bins of a day.
  package init(lastRises: [Double], hours: [Double]? = nil) {
    let total = lastRises.reduce(0, +)
    let weights = total > 0 ? lastRises.map { $0 / total } : [1]
    let departure = AppleTimers.departure(version: .v3_0, window: .first)
    let earliest = Double(departure.lowerBound / Hour.seconds)
    let latest = Double(departure.upperBound / Hour.seconds)
    self.init(longest: Double(weights.count) + latest, hours: hours) { time in
      var sum = 0.0
      for (hour, weight) in weights.enumerated() where weight > 0 {
        sum += weight * min(1, max(0, (time - Double(hour) - 0.5 - earliest) / (latest - earliest)))
      }
      return sum
    }
  }

  /// Makes the kernel of postbacks of which it is not known which kernel is theirs, as of withheld values.
  ///
  /// - Parameter parts: Kernels with their weights on any scale.
  package static func mixture(_ parts: [(kernel: Self, weight: Double)]) -> Self {
    var sums = [Double](repeating: 0, count: parts.map(\.kernel.probabilities.count).max() ?? 1)
    for part in parts {
      for (bin, probability) in part.kernel.probabilities.enumerated() {
        sums[bin] += part.weight * probability
      }
    }
    return Self(weights: sums)
  }

  /// The probability of arriving on each day after the install day, from day 0.
  package var byDay: [Double] {
    stride(from: 0, to: probabilities.count, by: Self.binsPerDay).map { first in
      probabilities[first..<min(first + Self.binsPerDay, probabilities.count)].reduce(0, +)
    }
  }

  /// The share of a day's postbacks that arrive within some bins of the day's start: its completeness.
  ///
  /// - Parameters:
  ///   - bins: How many bins have begun since the day did.
  ///   - lastBinShare: How much of the last one is over.
  /// - Returns: A number from 0 through 1.
  package func completeness(after bins: Int, lastBinShare: Double = 1) -> Double {
    guard bins > 0 else { return 0 }
    let running = bins <= probabilities.count ? probabilities[bins - 1] * (1 - lastBinShare) : 0
    return min(1, probabilities.prefix(bins).reduce(0, +) - running)
  }
}
