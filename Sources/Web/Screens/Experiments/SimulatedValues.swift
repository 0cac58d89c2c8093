import MappingLibrary
import Mappings
package import Pages
package import Values

/// What a simulation of stored samples shows, for the map of values.
package enum SimulatedValues {
  package static func samples(_ context: ScreenContext) -> [String] {
    TrialDesk.shared(context.samples).sampleNames
  }

  /// How often reports would show each of the 64 values under the usual privacy threshold model; pages of a minute share
  /// it.
  ///
  /// - Parameters:
  ///   - version: The date of the mapping's version.
  /// - Returns: The 64 counts; `nil` where there is no such sample or version.
  /// - Throws: What reading versions and samples throws.
  package static func counts(
    _ context: ScreenContext, app: Int64, version: Instant, sample: String
  ) throws -> [Int]? {
    let shelf = try DraftShelf(context.reader, app: app)
    guard let document = shelf.versions.first(where: { $0.effectiveFrom == version })?.document else {
      return nil
    }
    let question = ["simulated-values", sample, shelf.state, "\(app)", "\(version)"]
    return try context.remembered(question.joined(separator: "\n")) {
      let answer = try TrialDesk.shared(context.samples).answer(
        document, of: nil, inForce: nil, sample: sample, threshold: "default", seed: 1, now: context.now)
      guard answer?.result != nil else { return nil }
      return answer?.cells.prefix(64).map { $0.users?.shown ?? 0 }
    }
  }
}
