import System

/// How the edges between ranges are found; the raw value is the word on the command line.
package enum EdgeScheme: String, Hashable, Sendable, CaseIterable {
  /// The least squared error of the square roots: between whales and pennies.
  case sqrt
  /// The least squared error of the cube roots: closer to equal ratios.
  case cbrt
  /// The least squared error, which is the error of a campaign's sum squared.
  case sse
  /// The least squared error of the users seen and of one more in each range who was not.
  case smooth
  /// The least absolute error.
  case l1
  /// Edges in equal ratios.
  case geometric
  /// As many users in each range.
  case quantile
  /// As much revenue in each range.
  case equalRevenue = "equal-revenue"
  /// Ranges of one width of the square root.
  case equalRoot = "equal-root"
  /// Ranges of one width: what many people start with.
  case equalWidth = "equal-width"

  /// The schemes that make an error small, and so can share values out to days of activity.
  package static let optimal: [EdgeScheme] = allCases.filter { $0.cost != nil }

  /// What the scheme makes small, where it makes something small.
  var cost: Partition.Cost? {
    switch self {
    case .sqrt, .cbrt, .sse: .squared
    case .smooth: .squaredWithUnseen
    case .l1: .absolute
    case .geometric, .quantile, .equalRevenue, .equalRoot, .equalWidth: nil
    }
  }

  /// The number whose error counts.
  func transformed(_ value: Double) -> Double {
    switch self {
    case .sse, .smooth, .l1: value
    case .cbrt: value > 0 ? exponential(naturalLogarithm(value) / 3) : 0
    default: value.squareRoot()
    }
  }
}

/// Values divided by a scheme, for any number of buckets up to a limit.
package struct Quantiser: Sendable {
  package let scheme: EdgeScheme
  /// The lowest cost with each number of buckets from 1 on; of the square roots where the scheme makes nothing small.
  package var costs: [Double] { partition.costs }
  private let partition: Partition
  private let values: WeightedPoints

  /// Divides values, of which none may be negative.
  ///
  /// - Parameters:
  ///   - most: The most buckets that are tried.
  package init(_ values: WeightedPoints, _ scheme: EdgeScheme, upTo most: Int) {
    self.scheme = scheme
    self.values = values
    // The square roots of neighbours can fall together; then the values themselves are divided.
    let transformed = values.points.map { scheme.transformed(max(0, $0)) }
    let points =
      WeightedPoints(points: transformed, weights: values.weights)
      ?? WeightedPoints(points: values.points, weights: values.weights)
    partition = Partition(
      points ?? WeightedPoints(counting: []), scheme.cost ?? .squared, upTo: most)
  }

  /// Returns where each bucket begins, as indices of values; the first is 0.
  ///
  /// - Parameter buckets: How many; fewer come out where the scheme leaves some empty.
  /// - Returns: Rising indices; empty without values.
  package func starts(buckets: Int) -> [Int] {
    guard let last = values.points.last, buckets > 1 else { return partition.starts(buckets: 1) }
    switch scheme {
    case .sqrt, .cbrt, .sse, .smooth, .l1: return partition.starts(buckets: buckets)
    case .geometric:
      let least = values.points.first { $0 > 0 } ?? 1
      return starts { least * exponential(naturalLogarithm(last / least) * $0) }(buckets)
    case .equalWidth:
      let least = values.points[0]
      return starts { least + (last - least) * $0 }(buckets)
    case .equalRoot:
      let (least, most) = (values.points[0].squareRoot(), last.squareRoot())
      return starts {
        let root = least + (most - least) * $0
        return root * root
      }(buckets)
    case .equalRevenue: return even(buckets) { $0 * $1 }
    case .quantile: return even(buckets) { $1 }
    }
  }

  /// Cuts at the values that `edge` gives for the shares 1/k, 2/k...
  private func starts(_ edge: @escaping (Double) -> Double) -> (Int) -> [Int] {
    { buckets in
      var starts = [0]
      for number in 1..<buckets {
        let limit = edge(Double(number) / Double(buckets))
        let start = values.points.firstIndex { $0 > limit } ?? values.count
        if start > starts[starts.count - 1], start < values.count { starts.append(start) }
      }
      return starts
    }
  }

  /// Cuts so that points and weights come to as much in each bucket, by some measure.
  private func even(_ buckets: Int, _ measure: (Double, Double) -> Double) -> [Int] {
    let parts = zip(values.points, values.weights).map(measure)
    let total = parts.reduce(0, +)
    var starts = [0]
    var sum = 0.0
    for index in values.points.indices.dropLast() {
      sum += parts[index]
      guard starts.count < buckets, sum * Double(buckets) >= total * Double(starts.count) else { continue }
      starts.append(index + 1)
    }
    return starts
  }
}
