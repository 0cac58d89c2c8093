import Values

/// How many bytes of further copies are kept; copies beyond are counted.
///
/// Only a holder of a genuine postback can make copies of it, but any number of them.
public struct CopyQuota: Hashable, Sendable {
  /// Bytes of the copies of one conversion that disagree with it, and as many of those that don't.
  public let perConversion: Int
  /// Bytes of conflicting copies of one sender and UTC day; a restart begins anew.
  ///
  /// A file that an operator reads in has no such limit.
  public let perSender: Int

  /// Sets the quota; the defaults keep any conversion's first conflict of any sender that is not flooding.
  public init(perConversion: Int = 131_072, perSender: Int = 16 << 20) {
    self.perConversion = perConversion
    self.perSender = perSender
  }

  /// What was kept in a day.
  struct Account {
    /// Senders that are distinguished in one day; later ones share one account.
    private static let senders = 10_000
    private static let everyoneElse = "*"

    private let quota: CopyQuota
    private var day = Day(number: .min)
    private var bytesBySender: [String: Int] = [:]

    init(_ quota: CopyQuota) { self.quota = quota }

    /// Takes a copy into account where it may be kept.
    ///
    /// - Parameters:
    ///   - kept: Bytes of the same conversion's copies that are kept.
    ///   - sender: Whose account it goes on; `nil` for none.
    ///   - today: The UTC day.
    /// - Returns: Whether it is within the quota.
    mutating func takes(_ bytes: Int, besides kept: Int, from sender: String?, on today: Day) -> Bool {
      guard bytes > 0 else { return true }
      guard bytes <= quota.perConversion - kept else { return false }
      guard var sender else { return true }
      if today != day {
        bytesBySender = [:]
        day = today
      }
      if bytesBySender[sender] == nil, bytesBySender.count >= Self.senders { sender = Self.everyoneElse }
      guard bytes <= quota.perSender - bytesBySender[sender, default: 0] else { return false }
      bytesBySender[sender, default: 0] += bytes
      return true
    }
  }
}
