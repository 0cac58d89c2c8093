internal import CGSL

/// A lowest point of a function of one variable.
public struct Minimum: Equatable, Sendable {
  public let place: Double
  /// The function's value there.
  public let value: Double
  /// Whether it lies at an end of the interval, so that the function may fall further outside.
  public let isAtEnd: Bool

  /// Finds the lowest point of a function on an interval.
  ///
  /// A grid finds the neighbourhood, so that of several valleys the lowest that the grid sees is taken; Brent's method
  /// then refines it. Source: Brent, "Algorithms for minimization without derivatives", chapter 5, as in GSL.
  ///
  /// - Parameters:
  ///   - interval: Where to look.
  ///   - steps: How many steps the grid has, at least 2.
  ///   - precision: The largest error of the place.
  ///   - function: What to minimise; finite on the interval.
  /// - Returns: The place and the value.
  public static func find(
    on interval: ClosedRange<Double>, steps: Int = 28, precision: Double = 1e-7,
    of function: (Double) -> Double
  ) throws(NumericError) -> Self {
    let width = interval.upperBound - interval.lowerBound
    guard width > 0, width.isFinite, steps >= 2 else { throw .badInterval }
    var best = 0
    var grid: [Double] = []
    for step in 0...steps {
      let value = function(interval.lowerBound + width * Double(step) / Double(steps))
      guard value.isFinite else { throw .notFinite }
      grid.append(value)
      if value < grid[best] { best = step }
    }
    func place(_ step: Int) -> Double { interval.lowerBound + width * Double(step) / Double(steps) }
    guard best > 0, best < steps else {
      // The valley may still lie between an end and its neighbour.
      let inside = place(best) + (best == 0 ? 1 : -1) * 1e-4 * width
      let value = function(inside)
      guard value < grid[best] else { return Self(place: place(best), value: grid[best], isAtEnd: true) }
      let ends = best == 0 ? (place(0), place(1)) : (place(steps - 1), place(steps))
      return try refine(inside, value, between: ends, precision: precision, of: function)
    }
    // A flat floor has no inner point that is lower than both ends; then the grid's answer is used.
    guard grid[best] < grid[best - 1], grid[best] < grid[best + 1] else {
      return Self(place: place(best), value: grid[best], isAtEnd: false)
    }
    return try refine(
      place(best), grid[best], between: (place(best - 1), place(best + 1)), precision: precision, of: function
    )
  }

  private static func refine(
    _ guess: Double, _ value: Double, between ends: (Double, Double), precision: Double,
    of function: (Double) -> Double
  ) throws(NumericError) -> Self {
    _ = silence
    guard let minimizer = unsafe skan_brent_minimizer() else {
      preconditionFailure("There is no memory for a minimiser.")
    }
    defer { unsafe gsl_min_fminimizer_free(minimizer) }
    let outcome: Result<Self, NumericError> = withoutActuallyEscaping(function) { function in
      var callee = Callee(function: function)
      return unsafe withUnsafeMutablePointer(to: &callee) { callee in
        var target = unsafe gsl_function(
          function: { x, context in
            guard let context = unsafe context else { return .nan }
            return unsafe context.assumingMemoryBound(to: Callee.self).pointee.function(x)
          },
          params: UnsafeMutableRawPointer(callee))
        return unsafe withUnsafeMutablePointer(to: &target) { target in
          if let error = unsafe NumericError(
            status: gsl_min_fminimizer_set_with_values(
              minimizer, target, guess, value, ends.0, function(ends.0), ends.1, function(ends.1)))
          {
            return .failure(error)
          }
          for _ in 0..<200 {
            if let error = unsafe NumericError(status: gsl_min_fminimizer_iterate(minimizer)) {
              return .failure(error)
            }
            let low = unsafe gsl_min_fminimizer_x_lower(minimizer)
            let high = unsafe gsl_min_fminimizer_x_upper(minimizer)
            if high - low <= precision {
              return .success(
                unsafe Self(
                  place: gsl_min_fminimizer_x_minimum(minimizer),
                  value: gsl_min_fminimizer_f_minimum(minimizer), isAtEnd: false))
            }
          }
          // Brent closes in from one side only where the floor is flat to the last digit; the place is good then.
          return .success(
            unsafe Self(
              place: gsl_min_fminimizer_x_minimum(minimizer),
              value: gsl_min_fminimizer_f_minimum(minimizer), isAtEnd: false))
        }
      }
    }
    return try outcome.get()
  }
}

/// A cell that carries a Swift function through C.
private struct Callee {
  let function: (Double) -> Double
}
