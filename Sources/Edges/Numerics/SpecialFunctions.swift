internal import CBoost
internal import Glibc

/// Returns the natural logarithm of the gamma function; infinity at 0, where the function has its pole.
///
/// - Parameter value: 0 or more.
public func logGamma(_ value: Double) -> Double {
  precondition(value >= 0, "The gamma function is asked for below 0.")
  return lgamma(value).0
}

/// Returns the probability that a chi-square variable is at least as large.
///
/// - Parameters:
///   - statistic: 0 or more.
///   - freedom: The degrees of freedom, more than 0.
/// - Returns: A number from 0 through 1.
public func chiSquareTail(_ statistic: Double, freedom: Double) -> Double {
  precondition(freedom > 0, "A chi-square variable without degrees of freedom.")
  return skan_chi_square_tail(max(0, statistic), freedom)
}

/// Returns the value that a standard normal variable stays below with a probability strictly between 0 and 1.
public func normalQuantile(_ probability: Double) -> Double {
  precondition(probability > 0 && probability < 1, "A quantile of a probability that is not inside 0 to 1.")
  return skan_normal_quantile(probability)
}

/// Returns the probability that a variable with Student's t distribution is larger.
///
/// - Parameter freedom: The degrees of freedom, more than 0.
public func studentTail(_ statistic: Double, freedom: Double) -> Double {
  precondition(freedom > 0, "Student's t distribution without degrees of freedom.")
  return skan_student_tail(statistic, freedom)
}
