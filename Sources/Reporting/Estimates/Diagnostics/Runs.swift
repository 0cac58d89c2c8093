import System

/// Whether so many events in a row, each with a probability, are less likely than a level.
///
/// - Parameters:
///   - length: How many events in a row; it may be fractional.
///   - probability: The probability of each, above 0 and below 1.
///   - level: The probability that the run has to stay below.
/// - Returns: Whether the run is that unlikely.
package func isRunUnlikely(_ length: Double, eachWith probability: Double, below level: Double) -> Bool {
  length * naturalLogarithm(probability) < naturalLogarithm(level)
}
