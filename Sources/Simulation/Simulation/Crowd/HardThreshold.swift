/// A group that is large enough from a fixed number of installs on: the marketers' rule of thumb.
public struct HardThreshold: Equatable, Sendable {
  /// The installs of a campaign on a day from which values are shown.
  public let installsPerDay: Int

  /// Whether a group is shown.
  public func isReached(by installs: Int) -> Bool { installs >= installsPerDay }
}
