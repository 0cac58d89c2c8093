/// Points on a line with a weight each: what is divided into buckets.
package struct WeightedPoints: Equatable, Sendable {
  /// The points, strictly rising.
  package let points: [Double]
  /// How much each counts, above 0.
  package let weights: [Double]

  /// Joins points with their weights; `nil` unless points rise strictly and every weight is above 0.
  package init?(points: [Double], weights: [Double]) {
    guard points.count == weights.count, zip(points, points.dropFirst()).allSatisfy({ $0 < $1 }),
      points.allSatisfy(\.isFinite), weights.allSatisfy({ $0 > 0 && $0.isFinite })
    else { return nil }
    self.points = points
    self.weights = weights
  }

  /// Counts how often each value is there; what is not a finite number is left out.
  package init(counting values: [Double]) {
    var points: [Double] = []
    var weights: [Double] = []
    for value in values.filter(\.isFinite).sorted() {
      if value == points.last {
        weights[weights.count - 1] += 1
      } else {
        points.append(value)
        weights.append(1)
      }
    }
    self.points = points
    self.weights = weights
  }

  /// The number of distinct points.
  package var count: Int { points.count }
}
