import System

/// Whether so many events in a row, each with a probability, are less likely than a level.
///
/// - Parameters:
///   - length: How many events in a row; it may be fractional.
///   - probability: The probability of each, above 0 and below 1.
package func isRunUnlikely(_ length: Double, eachWith probability: Double, below level: Double) -> Bool {
  length * naturalLogarithm(probability) < naturalLogarithm(level)
}
