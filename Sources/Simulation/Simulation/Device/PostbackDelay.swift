public import Postbacks

/// The random time between a postback's preparation and its departure.
///
/// Apple states the ranges, not how the delay is spread over them; here every millisecond is as likely as any other.
/// Source: Apple, "Receiving ad attributions and postbacks" and "Receiving postbacks in multiple conversion windows".
public enum PostbackDelay {
  private static let hour: Int64 = 3_600_000

  /// The milliseconds from a postback's preparation that it can leave in, half-open.
  ///
  /// Up to SKAdNetwork 3 a postback is prepared when the timer runs out and leaves within 24 hours. From 4.0 on it is
  /// prepared when its window ends or is locked, and leaves 24 to 48 hours later after the first window, 24 to 144
  /// after the others.
  public static func range(version: ProtocolVersion, window: ConversionWindow) -> Range<Int64> {
    guard version.hasWindows else { return 0..<24 * hour }
    return 24 * hour..<(window == .first ? 48 : 144) * hour
  }

  /// Returns the delay in milliseconds that 64 random bits stand for; the same bits stand for the same place in
  /// every range.
  public static func milliseconds(version: ProtocolVersion, window: ConversionWindow, bits: UInt64) -> Int64 {
    let range = range(version: version, window: window)
    let length = UInt64(range.upperBound - range.lowerBound)
    return range.lowerBound + Int64(bits.multipliedFullWidth(by: length).high)
  }
}
