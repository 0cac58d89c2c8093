package import Pages
package import Values

/// Plays the users of stored samples through a version of a mapping, for the map of values.
package struct ValueSimulation: Sendable {
  package typealias Samples = @Sendable (ScreenContext) -> [String]
  /// How often reports would show each of the 64 values of the users of a sample, under the version of an app's mapping
  /// that has this date; `nil` where there is no such sample or version.
  package typealias Counts =
    @Sendable (ScreenContext, _ app: Int64, _ version: Instant, _ sample: String) throws -> [Int]?

  let samples: Samples
  let counts: Counts

  package init(samples: @escaping Samples, counts: @escaping Counts) {
    self.samples = samples
    self.counts = counts
  }

  static let none = ValueSimulation(samples: { _ in [] }, counts: { _, _, _, _ in nil })
}
