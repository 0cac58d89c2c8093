/// Apple's timers, in seconds since the begin of a conversion.
enum AppTimers {
  /// When the three windows end; each begins where the one before ends.
  ///
  /// Source: Apple, "Receiving postbacks in multiple conversion windows".
  static let windowEnds: [Int64] = [2 * 86_400, 7 * 86_400, 35 * 86_400]
  /// The timer of SKAdNetwork 3 and below, which each rise of the value starts again.
  ///
  /// Source: Apple, "updateConversionValue(_:)".
  static let riseTimer: Int64 = 86_400
  /// The hours until the last timer can run out: 63 rises, each just before the timer ends, and the timer after them.
  static let longestHours: Int64 = 64 * 24

  /// The window of a moment, from 0; 3 behind the last.
  static func window(at seconds: Int64) -> Int { windowEnds.firstIndex { seconds < $0 } ?? 3 }
}
