package import Mappings
import Postbacks
import Values

/// How large an experiment has to be, and how long it takes.
package struct ExperimentDesign: Sendable {
  package let measure: ExperimentMeasure
  package let mapping: Mapping
  /// How much higher B is to be found, relative to A.
  package let lift: Double
  /// The share of installs without a value.
  package let nulls: Double
  package let mean: Double
  /// The part of the variance that values hide; `nil` if it is not separated.
  package let within: Double?
  /// The cause of B's higher mean; `nil` where it is unknown.
  package let cause: UserValues.Lift?
  package let otherSizes: [(cause: UserValues.Lift, size: ExperimentSize)]
  package let request: ExperimentSize.Request
  package let size: ExperimentSize
  package let looksDaily: Bool
  package let installsPerDay: Int?

  package init(
    measure: ExperimentMeasure, mapping: Mapping, lift: Double, nulls: Double, mean: Double,
    within: Double?, cause: UserValues.Lift?,
    otherSizes: [(cause: UserValues.Lift, size: ExperimentSize)], request: ExperimentSize.Request,
    size: ExperimentSize, looksDaily: Bool,
    installsPerDay: Int?
  ) {
    self.measure = measure
    self.mapping = mapping
    self.lift = lift
    self.nulls = nulls
    self.mean = mean
    self.within = within
    self.cause = cause
    self.otherSizes = otherSizes
    self.request = request
    self.size = size
    self.looksDaily = looksDaily
    self.installsPerDay = installsPerDay
  }

  /// Installs of both arms for so many shown values, of A and of B.
  package func installs(_ shown: Double) -> (a: Double, b: Double) {
    let installs = shown / (1 - nulls)
    return ((installs * (1 - request.shareB)).rounded(.up), (installs * request.shareB).rounded(.up))
  }

  /// How many hours after an install its first postback comes.
  package var delay: SendingDelay {
    mapping.sendingDelay(of: .absent, version: mapping.device.hasWindows ? .v4_0 : .v3_0, window: .first)
  }

  /// Days of installs, and days until the last first postback of these.
  package func days(_ shown: Double) -> (installs: Double, whole: Double)? {
    guard let installsPerDay else { return nil }
    let arms = installs(shown)
    let days = ((arms.a + arms.b) / Double(installsPerDay)).rounded(.up)
    return (days, days + (delay.longest / 24).rounded(.up))
  }
}
