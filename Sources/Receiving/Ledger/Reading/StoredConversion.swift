public import Postbacks
public import Values

/// A conversion as the ledger keeps it: its first valid copy, and the copies that came later.
public struct StoredConversion: Sendable {
  public let row: Int64
  /// When the first copy came.
  public let receivedAt: Instant
  /// Where the first copy came from.
  public let origin: Origin
  /// Whose key signed it.
  public let environment: Environment
  public let version: ProtocolVersion
  /// `transaction-id` or `postback-identifier`.
  public let identifier: String
  /// The first copy's bytes, as they came.
  public let body: [UInt8]
  /// The copies that came later, in order.
  public let copies: [StoredCopy]
}

public struct StoredCopy: Sendable {
  /// When it came first.
  public let receivedAt: Instant
  public let lastReceivedAt: Instant
  public let times: Int64
  public let origin: Origin
  /// The fields that disagree with the first copy; `nil` for none.
  public let conflict: [String]?
  /// Its bytes, or `nil` where they are the first copy's or are not kept.
  public let body: [UInt8]?
  /// Whether it stands for all copies with the same origin and fields that came beyond the quota.
  public let isCountedOnly: Bool
}

/// A kept body that is rejected.
public struct StoredRejection: Sendable {
  /// Its row in the table of rejected bodies.
  public let row: Int64
  public let receivedAt: Instant
  public let origin: Origin
  public let state: Rejection.State
  public let reason: String
  /// Its bytes, as they came.
  public let body: [UInt8]
}

/// How often bodies were rejected for one reason.
public struct RejectionCount: Equatable, Sendable {
  /// In which way they were rejected.
  public let state: Rejection.State
  public let reason: String
  public let seen: Int64
  /// Those whose bodies were kept.
  public let kept: Int64
}
