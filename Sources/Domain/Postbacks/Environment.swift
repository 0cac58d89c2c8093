/// Whose word a postback is, by the key that signed it.
///
/// Figures of different environments are never added up.
public enum Environment: String, Hashable, Sendable, CaseIterable {
  /// Signed by Apple's production key.
  case production
  /// Signed by one of Apple's development keys, or marked as a test by Apple's rules (`source-app-id` 0).
  case development
  /// Signed by a key that the operator trusts for tests.
  case test
  /// Unsigned: the claim of a partner that does not forward Apple's signature.
  case claimed
  /// Stored by an import that was taken back; it counts nowhere else.
  case withdrawn

  public var timers: DeviceTimers { self == .development ? .development : .full }
}
