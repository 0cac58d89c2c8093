/// Which installs show in a coarse value whether another source attributes them too.
public enum OverlapShare {
  /// The event of a user that another source attributes too.
  static let attributed = "overlap-yes"
  /// The event of a user that no other source attributes.
  static let notAttributed = "overlap-no"

  /// Whether an install is in the share: decided by the millisecond of its begin, so that it stays what it is.
  ///
  /// - Parameters:
  ///   - start: Milliseconds since 1970.
  ///   - share: 0 for no install, 1 for all.
  public static func includes(start: Int64, share: Double) -> Bool {
    // Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014: the mixing of SplitMix64.
    var bits = UInt64(bitPattern: start) &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) < share * Double(1 << 53)
  }
}
