public import Platform
public import Postbacks

/// The versions of one app's mapping, and which of them a postback's device can have followed.
///
/// A device follows the version that was in force when the app was launched first. Of that moment only an interval is
/// known: the arrival less what Apple's timers allow.
public struct MappingHistory: Sendable {
  /// The versions, oldest first; no two begin at the same moment.
  public let versions: [Mapping]

  /// Which versions a postback can have been sent under.
  public enum Dating: Hashable, Sendable {
    /// None: the app was launched before the first version.
    case before
    /// One, by its index.
    case certain(Int)
    /// One of several.
    case mixed([Candidate])
  }

  /// A version that a postback can have been sent under.
  public struct Candidate: Hashable, Sendable {
    /// The version's index; `nil` stands for the time before the first one.
    public let version: Int?
    /// How likely it is, where users install at an even rate; the candidates' probabilities sum to one.
    public let probability: Double
  }

  /// Puts versions in order; of those that begin at the same moment the first counts.
  public init(_ versions: [Mapping]) {
    var sorted: [Mapping] = []
    for version in versions.sorted(by: { $0.effectiveFrom < $1.effectiveFrom })
    where sorted.last?.effectiveFrom != version.effectiveFrom { sorted.append(version) }
    self.versions = sorted
  }

  /// Which versions postbacks with a value can have been sent under.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - version: The postbacks' version.
  ///   - window: Their window.
  ///   - arrival: When they came.
  /// - Returns: The dating.
  public func dating(
    of value: ConversionValue, version: ProtocolVersion, window: ConversionWindow, arrival: Range<Instant>
  ) -> Dating {
    guard let first = versions.first else { return .before }
    // Before the first version nobody knows what the app did, so the delays are the first version's.
    let delays =
      [first.sendingDelay(of: value, version: version, window: window)]
      + versions.map { $0.sendingDelay(of: value, version: version, window: window) }
    if let dating = dating(delays, arrival) { return dating }
    // No version alone explains the moment; a device that mixes them up, or that fetched a mapping late, does.
    let widest = widestDelay(version: version, window: window)
    return dating(delays.map { _ in widest }, arrival) ?? .before
  }

  /// The days on which postbacks of a window can be of one version or of another.
  public func undecidedDays(version: ProtocolVersion, window: ConversionWindow) -> [Range<Int32>] {
    let widest = widestDelay(version: version, window: window)
    return versions.map { mapping in
      let earliest = mapping.effectiveFrom + milliseconds(widest.shortest)
      let latest = mapping.effectiveFrom + milliseconds(widest.longest)
      return earliest.day.number..<latest.day.number + 1
    }
  }

  /// What any version and value allows.
  private func widestDelay(version: ProtocolVersion, window: ConversionWindow) -> SendingDelay {
    var widest: SendingDelay?
    let values = ConversionValue.withMeaning(in: window)
    for mapping in versions {
      for value in values {
        let delay = mapping.sendingDelay(of: value, version: version, window: window)
        widest = widest?.joined(with: delay) ?? delay
      }
    }
    return widest ?? SendingDelay(final: 0...0, random: 24...48)
  }

  /// Which eras hold moments of first launch that the delays allow; `nil` when none does.
  ///
  /// - Parameters:
  ///   - delays: The delay in each era; the first era ends where the first version begins.
  ///   - arrival: When the postback came.
  /// - Returns: The dating.
  private func dating(_ delays: [SendingDelay], _ arrival: Range<Instant>) -> Dating? {
    let starts: [Instant?] = [nil] + versions.map(\.effectiveFrom)
    var possible: [(era: Int, weight: Double)] = []
    for (era, delay) in delays.enumerated() {
      let end = era + 1 < starts.count ? starts[era + 1] : nil
      let earliest = arrival.lowerBound + -milliseconds(delay.longest)
      let latest = arrival.upperBound + -milliseconds(delay.shortest)
      if let start = starts[era], latest <= start { continue }
      if let end, earliest >= end { continue }
      // The share of launches that fall into the era, as the mean over the ends and the middle of the arrival.
      let moments = [
        arrival.lowerBound,
        arrival.lowerBound + (arrival.upperBound.milliseconds - arrival.lowerBound.milliseconds) / 2,
        arrival.upperBound,
      ]
      let weight = moments.reduce(0.0) { sum, moment in
        let sinceStart = starts[era].map { delay.probability(within: hours(from: $0, to: moment)) } ?? 1
        let sinceEnd = end.map { delay.probability(within: hours(from: $0, to: moment)) } ?? 0
        return sum + Swift.max(0, sinceStart - sinceEnd)
      }
      possible.append((era, weight))
    }
    let total = possible.reduce(0) { $0 + $1.weight }
    if possible.count > 1, total > 0 {
      return .mixed(
        possible.map { Candidate(version: $0.era > 0 ? $0.era - 1 : nil, probability: $0.weight / total) })
    }
    return possible.first.map { $0.era > 0 ? .certain($0.era - 1) : .before }
  }

  private func milliseconds(_ hours: Double) -> Int64 { Int64((hours * 3_600_000).rounded()) }

  private func hours(from start: Instant, to end: Instant) -> Double {
    Double(end.milliseconds - start.milliseconds) / 3_600_000
  }
}

extension ConversionValue {
  /// The values that can come in a window and can mean something.
  static func withMeaning(in window: ConversionWindow) -> [ConversionValue] {
    let fine = window == .first ? (0...63).compactMap { FineValue($0).map { ConversionValue.fine($0) } } : []
    return fine + CoarseValue.allCases.map { .coarse($0) }
  }
}
