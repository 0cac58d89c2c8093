public import Postbacks

/// The random time between a postback's preparation and its departure, in milliseconds.
///
/// Every millisecond that ``AppleTimers`` allows is as likely as any other, but for the very last.
public enum PostbackDelay {
  public static func range(version: ProtocolVersion, window: ConversionWindow) -> Range<Int64> {
    let seconds = AppleTimers.randomDelay(version: version, window: window)
    return 1000 * seconds.lowerBound..<1000 * seconds.upperBound
  }

  /// Returns the delay in milliseconds that 64 random bits stand for; the same bits stand for the same place in
  /// every range.
  public static func milliseconds(version: ProtocolVersion, window: ConversionWindow, bits: UInt64) -> Int64 {
    let range = range(version: version, window: window)
    let length = UInt64(range.upperBound - range.lowerBound)
    return range.lowerBound + Int64(bits.multipliedFullWidth(by: length).high)
  }
}
