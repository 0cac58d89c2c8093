public import Values

/// Which of Apple's timers the device of a postback can have run by.
public enum DeviceTimers: Hashable, Sendable {
  /// Windows of days and delays of hours.
  case full
  /// Those of Developer Mode, three windows of three minutes and a delay of 5 to 10 minutes, or the full ones: the mode
  /// can be off, and nothing in a postback says so. A postback that Developer Settings make leaves at once.
  ///
  /// Source: Apple, "Testing AdAttributionKit with Developer Mode" and "Creating postbacks in Developer Settings".
  case development

  /// The three windows of Developer Mode together, in seconds from the first update.
  public static let developmentWindowSeconds: Int64 = 3 * 180
  /// The longest delay of Developer Mode in seconds.
  public static let developmentDelaySeconds: Int64 = 600
}

/// Apple's timers, read backwards: when the app can have been launched first, given when a postback came.
///
/// The interval is what the rules allow, not where the truth is likely to be. A device that gets no answer tries
/// again for up to nine days, which moves the true moment further back still.
public enum DelayLaw {
  /// A range of moments; both ends are possible.
  public struct Interval: Hashable, Sendable {
    /// The earliest moment the rules allow.
    public let earliest: Instant
    /// The latest moment the rules allow.
    public let latest: Instant
  }

  private static let hour: Int64 = 3_600_000
  private static let day: Int64 = 24 * hour

  /// When the app can have been launched first; for a re-engagement, when the user came back.
  ///
  /// Up to SKAdNetwork 3 a chain of at most 63 raises can hold the 24-hour timer off, and a random delay of up to
  /// 24 hours follows. From 4.0 on the windows end 2, 7 and 35 days after first launch, or when the app locks them,
  /// and the delay is 24 to 48 hours after the first and 24 to 144 after the others.
  /// Source: Apple, "Receiving ad attributions and postbacks" and "Receiving postbacks in multiple conversion
  /// windows".
  ///
  /// A development postback can come as soon as that, because Developer Mode shortens all of it to minutes.
  public static func firstLaunch(
    version: ProtocolVersion, window: ConversionWindow, timers: DeviceTimers, receivedAt: Instant
  ) -> Interval {
    let (shortest, longest): (Int64, Int64) =
      switch (version.hasWindows, window) {
      case (false, _): (day, 64 * day + day)
      case (true, .first): (day, 2 * day + 48 * hour)
      case (true, .second): (2 * day + day, 7 * day + 144 * hour)
      case (true, .third): (7 * day + day, 35 * day + 144 * hour)
      }
    return Interval(
      earliest: receivedAt + -longest, latest: timers == .development ? receivedAt : receivedAt + -shortest)
  }
}
