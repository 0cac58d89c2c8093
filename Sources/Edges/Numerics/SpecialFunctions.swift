internal import CGSL

/// Returns the natural logarithm of the gamma function; infinity at 0, where the function has its pole.
///
/// - Parameter value: 0 or more.
public func logGamma(_ value: Double) -> Double {
  precondition(value >= 0, "The gamma function is asked for below 0.")
  guard value > 0 else { return .infinity }
  _ = silence
  var result = gsl_sf_result()
  // Arguments that are so large that the result overflows are the only failure left.
  return unsafe gsl_sf_lngamma_e(value, &result) == Int32(GSL_SUCCESS) ? result.val : .infinity
}

/// Returns the probability that a chi-square variable is at least as large.
///
/// - Parameters:
///   - statistic: 0 or more.
///   - freedom: The degrees of freedom, more than 0.
/// - Returns: A number from 0 through 1.
public func chiSquareTail(_ statistic: Double, freedom: Double) -> Double {
  precondition(freedom > 0, "A chi-square variable without degrees of freedom.")
  _ = silence
  return gsl_cdf_chisq_Q(max(0, statistic), freedom)
}

/// Returns the value that a standard normal variable stays below with a probability strictly between 0 and 1.
public func normalQuantile(_ probability: Double) -> Double {
  precondition(probability > 0 && probability < 1, "A quantile of a probability that is not inside 0 to 1.")
  _ = silence
  return gsl_cdf_ugaussian_Pinv(probability)
}

/// Returns the probability that a variable with Student's t distribution is larger.
///
/// - Parameter freedom: The degrees of freedom, more than 0.
public func studentTail(_ statistic: Double, freedom: Double) -> Double {
  precondition(freedom > 0, "Student's t distribution without degrees of freedom.")
  _ = silence
  return gsl_cdf_tdist_Q(statistic, freedom)
}
