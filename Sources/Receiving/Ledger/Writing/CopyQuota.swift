/// How many bytes of further copies are kept; copies beyond are counted.
///
/// Only a holder of a genuine postback can make copies of it, but any number of them.
public struct CopyQuota: Equatable, Sendable {
  /// Bytes of the copies of one conversion that disagree with it, and as many of those that don't.
  public let perConversion: Int
  /// Bytes of conflicting copies of one sender and UTC day.
  ///
  /// A file that an operator reads in has no such limit.
  public let perSender: Int

  /// Sets the quota; the defaults keep any conversion's first conflict of any sender that is not flooding.
  public init(perConversion: Int = 131_072, perSender: Int = 16 << 20) {
    self.perConversion = perConversion
    self.perSender = perSender
  }
}
