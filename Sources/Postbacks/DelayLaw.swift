public import Platform

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
  public static func firstLaunch(version: ProtocolVersion, window: ConversionWindow, receivedAt: Instant)
    -> Interval
  {
    let (shortest, longest): (Int64, Int64) =
      switch (version.hasWindows, window) {
      case (false, _): (day, 64 * day + day)
      case (true, .first): (day, 2 * day + 48 * hour)
      case (true, .second): (2 * day + day, 7 * day + 144 * hour)
      case (true, .third): (7 * day + day, 35 * day + 144 * hour)
      }
    return Interval(earliest: receivedAt + -longest, latest: receivedAt + -shortest)
  }
}
