/// A group of users who share a value: it is shown when enough users of a campaign and week end with the same one.
///
/// A week runs from Monday to Sunday, UTC, and is the install's.
public struct ValueAnonymity: Equatable, Sendable {
  /// The users with the same value from which it is shown.
  public let users: Int

  /// Whether a value is shown.
  public func isReached(by count: Int) -> Bool { count >= users }
}
