public import Values

/// When a device prepares a postback and when it sends it, by Apple's rules; all times are in seconds.
///
/// What a device does is the sum of two parts: the value becomes final, at its last rise or at the end or lock of its
/// window, and the postback leaves after ``departure(version:window:)``. A device that gets no answer tries again for up
/// to nine days, which is not looked at here.
/// Source: Apple, "Receiving ad attributions and postbacks" and "Receiving postbacks in multiple conversion windows".
public enum AppleTimers {
  /// The timer of SKAdNetwork 3 and below, which each rise of the value starts again.
  ///
  /// Source: Apple, "updateConversionValue(_:)".
  public static let riseTimer: Int64 = Day.seconds
  /// When the last rise can come at the latest: each of 63 rises just before the timer runs out.
  public static let longestChain: Int64 = 63 * riseTimer
  /// The longest time from a re-engagement to the first update.
  ///
  /// Source: Apple, "Receiving ad attributions and postbacks" of AdAttributionKit.
  public static let reengagementDeadline: Int64 = 2 * Day.seconds
  /// The three windows of Developer Mode together, from the first update.
  ///
  /// Source: Apple, "Testing AdAttributionKit with Developer Mode".
  public static let developmentWindows: Int64 = 3 * 180
  /// The longest delay of Developer Mode.
  public static let developmentDelay: Int64 = 600

  /// The random time from a postback's preparation until it leaves.
  ///
  /// Up to SKAdNetwork 3 a postback is prepared when the timer runs out, from 4.0 on when its window ends or is locked.
  /// Apple states the ends of the range and not how the delay is spread over it.
  public static func randomDelay(version: ProtocolVersion, window: ConversionWindow) -> ClosedRange<Int64> {
    guard version.hasWindows else { return 0...Day.seconds }
    return Day.seconds...(window == .first ? 2 : 6) * Day.seconds
  }

  /// The time from a value that is final until its postback leaves: the random delay, after ``riseTimer`` where there is
  /// one.
  public static func departure(version: ProtocolVersion, window: ConversionWindow) -> ClosedRange<Int64> {
    let random = randomDelay(version: version, window: window)
    let timer = version.hasWindows ? 0 : riseTimer
    return timer + random.lowerBound...timer + random.upperBound
  }

  /// When a value can be final, after first launch: a window can be locked from its first second on.
  public static func finality(version: ProtocolVersion, window: ConversionWindow) -> ClosedRange<Int64> {
    guard version.hasWindows else { return 0...longestChain }
    return window.seconds.lowerBound...window.seconds.upperBound
  }

  /// When the app can have been launched first, given when a postback came; for a re-engagement, when the user came back.
  ///
  /// It is what the rules allow, not where the truth is likely to be. A development postback can come at once, because
  /// Developer Mode shortens all of it to minutes.
  public static func firstLaunch(
    version: ProtocolVersion, window: ConversionWindow, timers: DeviceTimers, receivedAt: Instant
  ) -> (earliest: Instant, latest: Instant) {
    let finality = finality(version: version, window: window)
    let departure = departure(version: version, window: window)
    let shortest = timers == .development ? 0 : finality.lowerBound + departure.lowerBound
    return (
      receivedAt + -1000 * (finality.upperBound + departure.upperBound), receivedAt + -1000 * shortest
    )
  }
}

/// Which of Apple's timers the device of a postback can have run by.
public enum DeviceTimers: Hashable, Sendable {
  /// Windows of days and delays of hours.
  case full
  /// Those of Developer Mode, three windows of three minutes and a delay of 5 to 10 minutes, or the full ones: the mode
  /// can be off, and nothing in a postback states it. A postback that Developer Settings make leaves at once.
  ///
  /// Source: Apple, "Testing AdAttributionKit with Developer Mode" and "Creating postbacks in Developer Settings".
  case development
}

extension ConversionWindow {
  /// The seconds since first launch that belong to the window.
  ///
  /// Source: Apple, "Receiving postbacks in multiple conversion windows".
  public var seconds: Range<Int64> {
    switch self {
    case .first: 0..<2 * Day.seconds
    case .second: 2 * Day.seconds..<7 * Day.seconds
    case .third: 7 * Day.seconds..<35 * Day.seconds
    }
  }

  /// The hour after first launch that the window ends with.
  public var endHour: Int { Int(seconds.upperBound / Hour.seconds) }

  /// The window a moment falls into; `nil` behind the last.
  public init?(secondsSinceInstall seconds: Int64) {
    guard let window = Self.allCases.first(where: { $0.seconds.contains(seconds) }) else { return nil }
    self = window
  }
}
