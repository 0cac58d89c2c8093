/// The second to fourth central moments of a user's value in an arm.
///
/// The third and fourth moments give the variance of the sample variance and its covariance with the sample mean: a
/// sample with more of the few users of high value has a higher mean and a higher variance.
package struct CentralMoments: Equatable, Sendable {
  package let variance: Double
  package let third: Double
  package let fourth: Double

  package init(variance: Double, third: Double, fourth: Double) {
    self.variance = variance
    self.third = third
    self.fourth = fourth
  }

  /// A known variance, which does not vary by sample.
  package init(variance: Double) { self.init(variance: variance, third: 0, fourth: variance * variance) }

  /// The moments of a share of users, from 0 to 1.
  package init(ofShare share: Double) {
    let variance = share * (1 - share)
    self.init(
      variance: variance, third: variance * (1 - 2 * share), fourth: variance * (1 - 3 * variance))
  }

  /// The moments of the gamma distribution; the mean is above 0.
  package init(gammaOfMean mean: Double, variance: Double) {
    let scale = variance / mean
    self.init(
      variance: variance, third: 2 * scale * variance,
      fourth: 3 * variance * variance + 6 * scale * scale * variance)
  }

  /// The variance of a user's squared distance from the mean.
  var ofSquares: Double { max(0, fourth - variance * variance) }
}
