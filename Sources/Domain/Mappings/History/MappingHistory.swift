public import Postbacks
public import Values

/// The versions of one app's mapping, and which of them a postback's device can have followed.
///
/// A device follows the version that was in force when the app was launched first. Of that moment only an interval is
/// known: the arrival less what Apple's timers allow. The value shows more: a version that can't send it was not
/// followed, where another one that is possible can.
public struct MappingHistory: Sendable {
  /// The versions, oldest first; no two begin at the same moment.
  public let versions: [Mapping]

  private let learned: [FinalHours?]
  private let frequencies: ValueFrequencies

  /// Which versions a postback can have been sent under.
  public enum Dating: Equatable, Sendable {
    /// None: the app was launched before the first version.
    case before
    /// One, by its index: no other is possible, or own users show of all that are possible that this one is at least as
    /// likely as ``certainShare``.
    case certain(Int)
    case mixed([Candidate])
    /// One of several, of which the newest is taken, because the postback is of a device on which mappings are tried.
    case newest(Int)
  }

  /// A version that a postback can have been sent under.
  public struct Candidate: Equatable, Sendable {
    /// The version's index; `nil` stands for the time before the first one.
    public let version: Int?
    /// How likely it is, where users install at an even rate; the candidates' probabilities sum to one.
    public let probability: Double
  }

  /// From which probability on a version is certain, where own users show the delay of each that is possible.
  static let certainShare = 0.99

  /// Puts versions in order; of those that begin at the same moment the first counts.
  ///
  /// - Parameters:
  ///   - finalHours: When values of own users were final, by the moment at which their version began.
  public init(_ versions: [Mapping], finalHours: [Instant: FinalHours] = [:]) {
    var sorted: [Mapping] = []
    for version in versions.ordered(by: { $0.effectiveFrom < $1.effectiveFrom })
    where sorted.last?.effectiveFrom != version.effectiveFrom { sorted.append(version) }
    self.versions = sorted
    learned = sorted.map { finalHours[$0.effectiveFrom] }
    frequencies = ValueFrequencies(learned)
  }

  /// Which versions postbacks with a value can have been sent under.
  ///
  /// - Parameters:
  ///   - timers: The timers that their devices can run by.
  ///   - type: The type of their conversions; with `nil`, they can be of any.
  public func dating(
    of value: ConversionValue, version: ProtocolVersion, window: ConversionWindow, timers: DeviceTimers,
    arrival: Range<Instant>, type: ConversionType? = nil
  ) -> Dating {
    guard let first = versions.first else { return .before }
    // Before the first version it is unknown what the app did, so the delays are the first version's.
    var delays = [
      first.sendingDelays(of: value, version: version, window: window, timers: timers, type: type)
    ]
    delays += versions.indices.map {
      sendingDelays(ofVersion: $0, of: value, version: version, window: window, timers: timers, type: type)
    }
    var possible = eras(delays, arrival)
    if possible.isEmpty {
      // No version alone explains the moment; a device that mixes them up, or that fetched a mapping late, does.
      let widest = [widestDelay(version: version, window: window, timers: timers)]
      delays = delays.map { _ in widest }
      possible = eras(delays, arrival)
    }
    var candidates = able(possible, value, version, window, type)
    if candidates.count > 1, window == .first, case .fine(let value) = value {
      candidates = zip(candidates, frequencies.factors(of: Int(value.number), in: candidates.map(\.version)))
        .map {
          ($0.version, $0.weight * $1)
        }
    }
    let total = candidates.reduce(0) { $0 + $1.weight }
    if candidates.count > 1, timers == .development, let newest = candidates.last?.version {
      return .newest(newest)
    }
    guard candidates.count > 1, total > 0 else {
      return candidates.first?.version.map { .certain($0) } ?? .before
    }
    // An assumed law may not decide by itself; own users' laws can, each as far as they show it.
    if let likely = candidates.first(where: { $0.weight >= Self.certainShare * total })?.version,
      candidates.allSatisfy({ $0.version.map { delays[$0 + 1].allSatisfy(\.isLearned) } ?? false })
    {
      return .certain(likely)
    }
    return .mixed(candidates.map { Candidate(version: $0.version, probability: $0.weight / total) })
  }

  /// The days on which postbacks of a window can be of one version or of another.
  public func undecidedDays(
    version: ProtocolVersion, window: ConversionWindow, timers: DeviceTimers
  ) -> [Range<Int32>] {
    let widest = widestDelay(version: version, window: window, timers: timers)
    return versions.map { mapping in
      let earliest = mapping.effectiveFrom + milliseconds(widest.shortest)
      let latest = mapping.effectiveFrom + milliseconds(widest.longest)
      return earliest.day.number..<latest.day.number + 1
    }
  }

  /// The delays of which any can be that of a postback under one version, by its index, as own users show them.
  func sendingDelays(
    ofVersion index: Int, of value: ConversionValue, version: ProtocolVersion, window: ConversionWindow,
    timers: DeviceTimers, type: ConversionType?
  ) -> [SendingDelay] {
    versions[index].sendingDelays(
      of: value, version: version, window: window, timers: timers, type: type, learnedFrom: learned[index])
  }

  private func widestDelay(
    version: ProtocolVersion, window: ConversionWindow, timers: DeviceTimers
  ) -> SendingDelay {
    var widest: SendingDelay?
    let values = ConversionValue.withMeaning(in: window)
    for mapping in versions {
      for value in values {
        let delays = mapping.sendingDelays(
          of: value, version: version, window: window, timers: timers, type: nil)
        widest = delays.reduce(widest) { $0?.joined(with: $1) ?? $1 }
      }
    }
    return widest
      ?? SendingDelay(
        final: 0...0, random: AppleTimers.departure(version: version, window: window).hours)
  }

  /// A version, or the time before the first one, and how many of the launches that the delays allow fall into it.
  private typealias Era = (version: Int?, weight: Double)

  /// The periods without the versions that cannot send the value, if one can.
  ///
  /// What the app did before the first version is not known, so it can have sent anything.
  private func able(
    _ possible: [Era], _ value: ConversionValue, _ version: ProtocolVersion, _ window: ConversionWindow,
    _ type: ConversionType?
  ) -> [Era] {
    guard possible.count > 1 else { return possible }
    let able = Set(
      possible.compactMap(\.version).filter {
        versions[$0].canSend(value, version: version, window: window, type: type)
      })
    return able.isEmpty ? possible : possible.filter { $0.version.map(able.contains) ?? true }
  }

  /// The periods that contain a moment of first launch that the delays allow.
  ///
  /// - Parameters:
  ///   - delays: The possible delays in each period; the first period ends where the first version begins.
  ///   - arrival: When the postback came.
  /// - Returns: The periods, oldest first.
  private func eras(_ delays: [[SendingDelay]], _ arrival: Range<Instant>) -> [Era] {
    let starts: [Instant?] = [nil] + versions.map(\.effectiveFrom)
    var possible: [Era] = []
    for (era, delays) in delays.enumerated() {
      let start = starts[era]
      let end = era + 1 < starts.count ? starts[era + 1] : nil
      let allowed = delays.filter { delay in
        let earliest = arrival.lowerBound + -milliseconds(delay.longest)
        let latest = arrival.upperBound + -milliseconds(delay.shortest)
        return start.map { latest > $0 } ?? true && end.map { earliest < $0 } ?? true
      }
      guard !allowed.isEmpty else { continue }
      // The share of launches that fall into the period, as the mean over the ends and the middle of the arrival.
      let moments = [
        arrival.lowerBound,
        arrival.lowerBound + (arrival.upperBound.milliseconds - arrival.lowerBound.milliseconds) / 2,
        arrival.upperBound,
      ]
      let weight = moments.reduce(0.0) { sum, moment in
        allowed.reduce(sum) { sum, delay in
          let sinceStart = start.map { delay.probability(within: hours(from: $0, to: moment)) } ?? 1
          let sinceEnd = end.map { delay.probability(within: hours(from: $0, to: moment)) } ?? 0
          return sum + Swift.max(0, sinceStart - sinceEnd)
        }
      }
      possible.append((era > 0 ? era - 1 : nil, weight))
    }
    return possible
  }

  private func milliseconds(_ hours: Double) -> Int64 { Int64(nearest: hours * Double(Hour.milliseconds)) }

  private func hours(from start: Instant, to end: Instant) -> Double {
    Double(end.milliseconds - start.milliseconds) / Double(Hour.milliseconds)
  }
}

extension ConversionValue {
  static func withMeaning(in window: ConversionWindow) -> [ConversionValue] {
    let fine = window == .first ? (0...63).compactMap { FineValue($0).map { ConversionValue.fine($0) } } : []
    return fine + CoarseValue.allCases.map { .coarse($0) }
  }
}
