internal import CBoost

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
  /// then refines it. Source: Brent, "Algorithms for minimization without derivatives", chapter 5, as in Boost.
  ///
  /// - Parameters:
  ///   - interval: Where to look.
  ///   - steps: How many steps the grid has, at least 2.
  ///   - function: What to minimise; finite on the interval.
  /// - Returns: The place, right to about 1e-7 of its size, and the value.
  public static func find(
    on interval: ClosedRange<Double>, steps: Int = 28, of function: (Double) -> Double
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
      return try refine(Self(place: inside, value: value, isAtEnd: false), between: ends, of: function)
    }
    // A flat floor has no inner point that is lower than both ends; then the grid's answer is used.
    let guess = Self(place: place(best), value: grid[best], isAtEnd: false)
    guard grid[best] < grid[best - 1], grid[best] < grid[best + 1] else { return guess }
    return try refine(guess, between: (place(best - 1), place(best + 1)), of: function)
  }

  private static func refine(
    _ guess: Self, between ends: (Double, Double), of function: (Double) -> Double
  ) throws(NumericError) -> Self {
    let found: Self? = withoutActuallyEscaping(function) { function in
      var callee = Callee(function: function)
      var lowest = 0.0
      let place = unsafe withUnsafeMutablePointer(to: &callee) { callee in
        unsafe skan_minimum(
          ends.0, ends.1,
          { place, context in
            unsafe context.assumingMemoryBound(to: Callee.self).pointee.value(at: place)
          }, UnsafeMutableRawPointer(callee), &lowest)
      }
      return callee.isFinite ? Self(place: place, value: lowest, isAtEnd: false) : nil
    }
    guard let found else { throw .notFinite }
    // Of several valleys between the ends, the method may have found another.
    return found.value < guess.value ? found : guess
  }
}

/// A cell that carries a Swift function through C, and notes whether all its values were finite.
private struct Callee {
  let function: (Double) -> Double
  private(set) var isFinite = true

  init(function: @escaping (Double) -> Double) { self.function = function }

  mutating func value(at place: Double) -> Double {
    let value = function(place)
    if !value.isFinite { isFinite = false }
    return value
  }
}
