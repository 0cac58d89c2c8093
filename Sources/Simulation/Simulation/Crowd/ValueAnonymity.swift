/// A group of users who share a value: it is shown when enough users of a campaign and week end with the same one.
///
/// A week runs from Monday to Sunday, UTC, and is the install's.
public struct ValueAnonymity: Hashable, Sendable {
  /// The users with the same value from which it is shown.
  public let users: Int

  /// Whether a value is shown.
  public func isReached(by count: Int) -> Bool { count >= users }

  /// The week of a day, counted from the one of 1970-01-01.
  static func week(ofDay day: Int32) -> Int32 {
    // 1970-01-01 was a Thursday.
    let shifted = Int64(day) + 3
    return Int32(shifted >= 0 ? shifted / 7 : (shifted - 6) / 7)
  }
}
