public import Mappings
public import Values

public struct SimulationConfiguration: Sendable {
  public private(set) var mapping: Mapping
  /// When Apple shows a value.
  public var crowd: CrowdModel = .none
  /// The share of all users that the population is, drawn by chance; above 0 and at most 1.
  public var share = 1.0
  /// Decides every random draw; the same number gives the same result.
  public var seed: UInt64 = 0
  /// The currency that revenue is measured in; other currencies only count in
  /// ``SimulationOutcome/otherRevenue``.
  public var currency: CurrencyCode
  /// The days since install whose revenue is the truth to compare with, half-open at the end; 0 through 36,500.
  public var horizonDays = 35
  /// The probability that a winning install's postback has a non-winning one of another network beside it, 0 through 1.
  public var nonWinnerShare = 0.0
  /// The probability that an update of a value never reaches the system, 0 through 1.
  public var lostUpdateShare = 0.0
  /// The names of the events at which the app is open; empty where it is at all of them.
  ///
  /// Every other event happens while the app is shut, such as a renewal. The app counts it at the next one of these,
  /// which is when it can change a value.
  public var appOpens: Set<String> = []
  /// How AdAttributionKit makes several conversions of one user.
  public var attributionKit = AttributionKitRules()

  /// Joins a mapping with the device it runs on.
  ///
  /// - Parameters:
  ///   - device: The device; `nil` for the mapping's own. A mapping of SKAdNetwork 3 loses its raise-only on a device
  ///     with windows, because it was the old device that asked for it; rules stay as they are otherwise.
  public init(_ mapping: Mapping, device: Mapping.Device? = nil) {
    self.mapping = mapping.moved(to: device ?? mapping.device)
    currency = mapping.currency
  }

  /// The seconds of ``horizonDays``, held within its range.
  var horizonSeconds: Int64 { Int64(min(max(0, horizonDays), 36_500)) * Day.seconds }
}
