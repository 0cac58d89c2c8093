import System
package import Values

/// When Apple shows a conversion's value: a guess, because Apple publishes no numbers.
public enum CrowdModel: Equatable, Sendable {
  /// Everything is shown.
  case none
  /// Everything from a number of installs per campaign and day on, nothing below.
  case hard(HardThreshold)
  /// The likelier, the more installs a campaign has on a day.
  case logistic(LogisticReveal)
  /// By Apple's tiers of the source identifier's forms.
  case tiers(TierRule)
  /// Each value by itself, by how many users share it.
  case value(ValueAnonymity)

  /// The caveat wherever a model's result is shown.
  package static let caveat = Sentence(
    "Apple publishes no numbers for its crowd anonymity; this privacy threshold model is an "
      + "assumption. Compare several models.")

  public struct Preset: Equatable, Sendable {
    /// The name, as `--threshold` takes it.
    public let name: String
    public let model: CrowdModel
    /// Where its numbers come from.
    public let source: String
  }

  /// The models that have names, in the order to show them in.
  public static let presets = [
    Preset(
      name: "practitioner", model: .hard(HardThreshold(installsPerDay: 120)),
      source: "a practitioner's rule: at least 120 installs per campaign and day"),
    Preset(
      name: "unity", model: .logistic(LogisticReveal(median: 30)),
      source:
        "Unity's recommendation, as cited in Airbridge's help: at least 30 installs per campaign and day"),
    Preset(
      name: "default", model: .logistic(LogisticReveal(median: 45)),
      source: "fitted to recommendations of 30, 88 (Meta) and 90 (TikTok) installs per campaign and day"),
    Preset(
      name: "strict", model: .logistic(LogisticReveal(median: 90)),
      source:
        "TikTok's recommendation, as cited in Airbridge's help, as the middle: 90 installs per campaign "
        + "and day"),
  ]

  /// When it shows values, without a full stop.
  package var sentence: Sentence {
    switch self {
    case .none: Sentence("every value is shown")
    case .hard(let rule):
      Sentence("values are shown from \(rule.installsPerDay) installs per campaign and day")
    case .logistic(let rule):
      Sentence(
        "half of the values are shown at \(number: plain(rule.median)) installs per campaign and day, more at "
          + "larger campaigns")
    case .tiers(let rule):
      Sentence(
        "Apple's tiers: 1 from \(rule.first), 2 from \(rule.second), 3 from \(rule.third) installs per day")
    case .value(let rule):
      Sentence("a value is shown if \(rule.users) users of a campaign and week share it")
    }
  }
}

/// A group that is large enough from a fixed number of installs on: the marketers' rule of thumb.
public struct HardThreshold: Equatable, Sendable {
  /// The installs of a campaign on a day from which values are shown.
  public let installsPerDay: Int

  /// Whether a group is shown.
  public func isReached(by installs: Int) -> Bool { installs >= installsPerDay }
}

/// A group that is more likely to be shown the larger it is: a logistic curve over the logarithm of the installs.
public struct LogisticReveal: Equatable, Sendable {
  /// The installs of a campaign on a day at which half of the values are shown.
  public let median: Double
  /// How flat the curve is, in units of the natural logarithm of installs.
  public let slope: Double

  /// How much larger the group has to be for the source app than for the value.
  ///
  /// A guess: the source app is seen missing more often.
  static let sourceFactor = 2.0

  /// Joins the two numbers, both above 0.
  public init(median: Double, slope: Double = 0.35) {
    self.median = median
    self.slope = slope
  }

  /// The probability that a value is shown, 0 through 1.
  public func probability(installs: Int) -> Double {
    guard installs > 0 else { return 0 }
    let distance = (naturalLogarithm(Double(installs)) - naturalLogarithm(median)) / slope
    return 1 / (1 + exponential(-distance))
  }

  /// The curve of the source app.
  public var ofSource: LogisticReveal { LogisticReveal(median: median * Self.sourceFactor, slope: slope) }
}

/// A group of users who share a value: it is shown when enough users of a campaign and week end with the same one.
///
/// A week runs from Monday to Sunday, UTC, and is the install's.
public struct ValueAnonymity: Equatable, Sendable {
  /// The users with the same value from which it is shown.
  public let users: Int

  /// Whether a value is shown.
  public func isReached(by count: Int) -> Bool { count >= users }
}

extension CrowdModel: CustomStringConvertible {
  /// The model as ``init(_:)`` reads it.
  public var description: String {
    switch self {
    case .none: "none"
    case .hard(let rule): "hard:\(rule.installsPerDay)"
    case .logistic(let rule): "logistic:\(plain(rule.median)),\(plain(rule.slope))"
    case .tiers(let rule): "tiers:\(rule.first),\(rule.second),\(rule.third)"
    case .value(let rule): "value:\(rule.users)"
    }
  }
}

/// A number without a decimal point where it needs none.
private func plain(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? "\(number)"
}
