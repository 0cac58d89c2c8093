/// The second to fourth moments about the mean of what a user of an arm brings.
///
/// The third and the fourth say how much the variance that a sample shows moves, and whether it moves with the mean:
/// a sample with more of the few users who bring much has a higher mean and a higher variance.
package struct CentralMoments: Hashable, Sendable {
  package let variance: Double
  package let third: Double
  package let fourth: Double

  package init(variance: Double, third: Double, fourth: Double) {
    self.variance = variance
    self.third = third
    self.fourth = fourth
  }

  /// Takes a variance that is known, so that no sample moves it.
  package init(variance: Double) { self.init(variance: variance, third: 0, fourth: variance * variance) }

  /// The moments of a share.
  package init(ofShare share: Double) {
    let variance = share * (1 - share)
    self.init(
      variance: variance, third: variance * (1 - 2 * share), fourth: variance * (1 - 3 * variance))
  }

  /// The moments of the gamma law, which is 0 or more and the more skewed the larger its spread is to its mean.
  package init(gammaOfMean mean: Double, variance: Double) {
    let scale = variance / mean
    self.init(
      variance: variance, third: 2 * scale * variance,
      fourth: 3 * variance * variance + 6 * scale * scale * variance)
  }

  /// The variance of a user's squared distance from the mean.
  var ofSquares: Double { max(0, fourth - variance * variance) }
}
