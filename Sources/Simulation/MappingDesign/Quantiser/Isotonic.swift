/// Later revenue of users as a function of their revenue so far, which never falls.
///
/// Neighbours against the order are pooled until none does, which is the least-squares fit.
/// Source: Barlow, Bartholomew, Bremner and Brunk, "Statistical inference under order restrictions", 1972.
struct Isotonic {
  /// A run of points that share one fitted value.
  struct Step: Hashable {
    var points: Range<Int>
    var weight: Double
    /// The weighted sum of what is fitted.
    var sum: Double

    var value: Double { sum / weight }
  }

  /// The runs, with strictly rising values.
  let steps: [Step]

  /// Fits sums over weights, point by point.
  init(sums: [Double], weights: [Double]) {
    var steps: [Step] = []
    for index in sums.indices {
      var step = Step(points: index..<index + 1, weight: weights[index], sum: sums[index])
      while let before = steps.last, before.value >= step.value {
        step = Step(
          points: before.points.lowerBound..<step.points.upperBound, weight: before.weight + step.weight,
          sum: before.sum + step.sum)
        steps.removeLast()
      }
      steps.append(step)
    }
    self.steps = steps
  }
}
