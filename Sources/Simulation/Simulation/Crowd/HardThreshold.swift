/// A crowd that is large enough from one number of installs on: the marketers' rule of thumb.
public struct HardThreshold: Hashable, Sendable {
  /// The installs of a campaign on a day from which values are shown.
  public let installsPerDay: Int

  /// Whether a crowd is shown.
  public func isReached(by installs: Int) -> Bool { installs >= installsPerDay }
}
