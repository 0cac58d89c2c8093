package import Simulation

/// Under what a draft is tried.
package struct TrialSettings: Hashable, Sendable {
  /// When Apple shows a value.
  package var threshold: CrowdModel
  /// Decides every random draw; the same number gives the same answer.
  package var seed: UInt64
  /// The days since install whose revenue is the truth to compare with.
  package var horizonDays: Int

  package init(threshold: CrowdModel = .usual, seed: UInt64 = 1, horizonDays: Int = 35) {
    self.threshold = threshold
    self.seed = seed
    self.horizonDays = horizonDays
  }
}

extension CrowdModel {
  /// The preset that is called `default`.
  package static var usual: CrowdModel { presets.first { $0.name == "default" }?.model ?? .none }
}
