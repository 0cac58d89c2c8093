public import Postbacks
import Values

/// How long after first launch a postback leaves the device: what Apple's rules allow, and how likely each moment is.
///
/// It is the sum of two independent parts: the moment at which the value is final, and Apple's random delay. The delay
/// is taken as uniform.
public struct SendingDelay: Hashable, Sendable {
  /// When the value is final, in hours after first launch; both ends are the same where it is known.
  public let final: ClosedRange<Double>
  /// Apple's random delay after that, with SKAdNetwork 3's timer before it, in hours.
  public let random: ClosedRange<Double>
  /// How likely each moment of ``final`` is.
  let finality: Finality

  /// Joins the two parts of a delay, with all moments as likely.
  public init(final: ClosedRange<Double>, random: ClosedRange<Double>) {
    self.init(final: final, random: random, finality: .even)
  }

  init(final: ClosedRange<Double>, random: ClosedRange<Double>, finality: Finality) {
    self.final = final
    self.random = random
    self.finality = finality
  }

  public var shortest: Double { final.lowerBound + random.lowerBound }
  public var longest: Double { final.upperBound + random.upperBound }

  /// The probability that the postback has left by then.
  ///
  /// - Parameter hours: Hours after first launch.
  /// - Returns: A number from 0 through 1.
  public func probability(within hours: Double) -> Double {
    let width = random.upperBound - random.lowerBound
    let share =
      (finality.finalHours(until: hours - random.lowerBound, in: final)
        - finality.finalHours(until: hours - random.upperBound, in: final)) / width
    return min(1, max(0, share))
  }

  /// Whether own users show when the value is final, at least as much as an assumption does.
  var isLearned: Bool {
    guard case .learned(let law) = finality else { return false }
    return law.users >= LearnedFinality.assumedUsers
  }

  /// A delay that holds what either of two allows.
  func joined(with other: Self) -> Self {
    Self(
      final: final.hull(with: other.final), random: random.hull(with: other.random),
      finality: finality == other.finality ? finality : .even)
  }

  /// The delay of a device in Developer Mode, whatever the window, and of a postback that Developer Settings make.
  static let developerMode = SendingDelay(
    final: (0...AppleTimers.developmentWindows).hours, random: (0...AppleTimers.developmentDelay).hours)
}

extension ClosedRange<Int64> {
  /// A range of seconds in hours.
  var hours: ClosedRange<Double> {
    Double(lowerBound) / Double(Hour.seconds)...Double(upperBound) / Double(Hour.seconds)
  }
}

extension ClosedRange<Double> {
  /// The smallest range that holds both.
  fileprivate func hull(with other: Self) -> Self {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}

extension Mapping {
  /// How long after first launch a postback with some value leaves a device that follows this mapping.
  ///
  /// From SKAdNetwork 4 on the window's end is what counts, or the lock where a rule of the value sets one. Before, it
  /// is the last rise of the value: at first launch for 0, in the hours of activity where the rules name them, and
  /// otherwise at any moment that a chain of rises up to the value can reach, early ones being likelier.
  /// A type of `nil` stands for a conversion that can be of any. Where own users show how late a value rises last, it is
  /// likely then.
  public func sendingDelay(
    of value: ConversionValue, version: ProtocolVersion, window: ConversionWindow,
    type: ConversionType? = nil, learnedFrom own: FinalHours? = nil
  ) -> SendingDelay {
    let rules = lastMoments(of: value, window: window, type: type)
    let random = AppleTimers.departure(version: version, window: window).hours
    let ends = AppleTimers.finality(version: version, window: window).hours
    guard version.hasWindows else {
      let chain: Double =
        switch value {
        case .fine(let value): Double(Int64(value.number) * AppleTimers.riseTimer / Hour.seconds)
        case .coarse, .absent, .rejected: ends.upperBound
        }
      let latest = Swift.min(chain, measurementWindowHours.map(Double.init) ?? chain)
      var final = 0...latest
      if chain > 0, !rules.isEmpty {
        final =
          Swift.min(
            latest, rules.map(\.hours.lowerBound).min() ?? 0)...Swift.min(
            latest, rules.map(\.hours.upperBound).max() ?? latest)
      }
      let isStated = !rules.isEmpty && rules.allSatisfy(\.isStated)
      var finality: SendingDelay.Finality = isStated ? .even : .early
      if let own, case .fine(let value) = value {
        finality = own.law(of: Int(value.number), within: final, assumed: finality)
      }
      return SendingDelay(final: final, random: random, finality: finality)
    }
    let locks = rules.filter(\.locks).map { $0.hours.clamped(to: ends) }
    guard let earliest = locks.map(\.lowerBound).min() else {
      return SendingDelay(final: ends.upperBound...ends.upperBound, random: random)
    }
    let latest =
      locks.count < rules.count ? ends.upperBound : locks.map(\.upperBound).max() ?? ends.upperBound
    return SendingDelay(final: earliest...latest, random: random)
  }

  func sendingDelays(
    of value: ConversionValue, version: ProtocolVersion, window: ConversionWindow, timers: DeviceTimers,
    type: ConversionType?, learnedFrom own: FinalHours? = nil
  ) -> [SendingDelay] {
    let full = sendingDelay(of: value, version: version, window: window, type: type, learnedFrom: own)
    return timers == .development ? [.developerMode, full] : [full]
  }

  /// Whether a device that follows this mapping can send a value.
  ///
  /// It can't where no rule has the value in that window, nor where all rules that have it ask for hours of activity
  /// in which it is too late for the window or for the end that the mapping sets.
  func canSend(
    _ value: ConversionValue, version: ProtocolVersion, window: ConversionWindow, type: ConversionType?
  ) -> Bool {
    let meaning = decode(value, window: window, type: type)
    guard case .rules(let meanings) = meaning else { return meaning != .unmapped }
    let ends =
      version.hasWindows
      ? AppleTimers.finality(version: version, window: window).hours : 0...Double(HourRange.longest)
    return meanings.contains { meaning in
      guard let hours = meaning.activeHours else { return true }
      var end = ends.upperBound
      if case .fine = meaning.rule, let stated = measurementWindowHours {
        end = Swift.min(end, Double(stated))
      }
      return Double(hours.from) < end && Double(hours.to) > ends.lowerBound
    }
  }

  /// The hours in which the rules of a value can apply, whether they name them, and whether they lock.
  private func lastMoments(of value: ConversionValue, window: ConversionWindow, type: ConversionType?)
    -> [(hours: ClosedRange<Double>, isStated: Bool, locks: Bool)]
  {
    guard case .rules(let meanings) = decode(value, window: window, type: type) else { return [] }
    return meanings.map { meaning in
      let hours = meaning.activeHours.map { Double($0.from)...Double($0.to) } ?? 0...Double(HourRange.longest)
      let locks =
        switch meaning.rule {
        case .fine(let index): fine[index].lock
        case .coarse(let window, let index): coarse[window]?.rules[index].lock ?? false
        }
      return (hours, meaning.activeHours != nil, locks)
    }
  }
}
