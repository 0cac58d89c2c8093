import Values

internal import System

/// How a publisher's users rank by their values among those of the campaign's other publishers.
///
/// Ridits, the mean rank between 0 and 1 (Bross, "How to use ridit analysis", 1958), which take from values their order alone.
enum PublisherMix {
  private static let fewest = 30.0

  /// The mean rank of a publisher less that of the others, for each that has enough users; below 0 for lower values.
  static func ranks(_ publishers: [String: [Double]]) -> [String: PatternEffect] {
    let length = publishers.values.map(\.count).max() ?? 0
    var all = [Double](repeating: 0, count: length)
    for values in publishers.values {
      for (value, count) in values.enumerated() { all[value] += count }
    }
    let total = all.reduce(0, +)
    guard total >= 2 * fewest else { return [:] }
    var (ranks, below) = ([Double](), 0.0)
    for count in all {
      ranks.append((below + count / 2) / total)
      below += count
    }
    let sum = zip(all, ranks).reduce(0) { $0 + $1.0 * $1.1 }
    let scatter = zip(all, ranks).reduce(0) { $0 + $1.0 * ($1.1 - sum / total) * ($1.1 - sum / total) }
    let variance = scatter / (total - 1)
    guard variance > 0 else { return [:] }
    let squares = publishers.values.reduce(0) { $0 + $1.reduce(0, +) * $1.reduce(0, +) }
    var found: [String: PatternEffect] = [:]
    for (publisher, values) in publishers {
      let count = values.reduce(0, +)
      let rest = total - count
      guard count >= fewest, rest >= fewest else { continue }
      let own = zip(values, ranks).reduce(0) { $0 + $1.0 * $1.1 }
      found[publisher] = PatternEffect(
        value: own / count - (sum - own) / rest, variance: variance * (1 / count + 1 / rest),
        freedom: total - 2, spreadFactor: 1 + (squares - count * count) / (rest * rest))
    }
    return found
  }
}

/// How few publishers a campaign's postbacks come from.
package struct PublisherConcentration: Equatable, Sendable {
  /// The publisher with the most postbacks, and their share of all.
  package let largest: String
  package let largestShare: Double
  /// As many publishers with equal shares have the same entropy (Hill, "Diversity and evenness", 1973, of order 1).
  package let effectiveNumber: Double

  /// - Returns: nil without postbacks.
  package init?(_ counts: [String: Double]) {
    let total = counts.values.reduce(0, +)
    let sorted = counts.ordered { ($1.value, $0.key) < ($0.value, $1.key) }
    guard total > 0, let first = sorted.first else { return nil }
    largest = first.key
    largestShare = first.value / total
    var entropy = 0.0
    for (_, count) in sorted where count > 0 { entropy -= count / total * naturalLogarithm(count / total) }
    effectiveNumber = exponential(entropy)
  }
}
