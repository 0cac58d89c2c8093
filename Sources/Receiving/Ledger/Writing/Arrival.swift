import OpenSSL
public import Values
public import Verification

/// The way a postback took to get here.
public enum Route: String, Hashable, Sendable, CaseIterable {
  /// A device sent it to the address that an ad network registered with Apple.
  case networkAddress = "network-address"
  /// A device sent it to the advertiser: the winning network's postback, copied.
  case advertiserCopy = "advertiser-copy"
  case forwarded
  case file
}

/// Where postbacks come from: a route, and who is at its other end where that is known.
public struct Origin: Hashable, Sendable {
  public let route: Route
  /// The forwarding network's configured name or the file's name; empty for devices.
  public let name: String

  public init(_ route: Route, name: String = "") {
    self.route = route
    self.name = name
  }
}

/// What a network sent in a form of its own, which Apple's body was read from.
public struct NetworkForm: Equatable, Sendable {
  public let profile: String
  /// The bytes that came; of a query, the parameters in their order.
  public let bytes: [UInt8]

  public init(profile: String, bytes: [UInt8]) {
    self.profile = profile
    self.bytes = bytes
  }
}

/// A body as it arrived, before anyone judged it.
public struct Arrival: Sendable {
  /// When the last byte of it was here.
  public let receivedAt: Instant
  public let origin: Origin
  /// Whose quota of rejected bodies and of conflicting copies it draws on; never an address in the clear.
  ///
  /// It is made when it is asked for: most arrivals are valid first copies and never need it.
  public var quotaSource: String { makeQuotaSource() }
  /// Its bytes: as they came, or Apple's body as it was read from a network's form.
  public let body: [UInt8]
  /// Of the body; made where it came rather than in the one thread that writes.
  let digest: SHA256Digest
  /// What came, where the body was read from it.
  public let form: NetworkForm?
  private let makeQuotaSource: @Sendable () -> String

  public init(
    receivedAt: Instant, origin: Origin, quotaSource: @autoclosure @escaping @Sendable () -> String,
    body: [UInt8], form: NetworkForm? = nil
  ) {
    self.form = form
    self.receivedAt = receivedAt
    self.origin = origin
    makeQuotaSource = quotaSource
    self.body = body
    digest = SHA256Digest(of: body)
  }
}

public enum ArrivalFinding: Sendable {
  case conversion(KeyedPostback)
  /// It is kept or counted, and is in no figure.
  case rejected(Rejection)
  case inbox(InboxFinding)

  /// The finding about a postback that a trusted key signed.
  public static func valid(_ postback: VerifiedPostback) -> Self { .conversion(KeyedPostback(postback)) }

  /// The fingerprint of the conversion that is stored, where there is one.
  var fingerprint: UInt64? {
    switch self {
    case .conversion(let conversion): conversion.key.fingerprint
    case .inbox(let finding): finding.stored?.key.fingerprint
    case .rejected: nil
    }
  }
}

public struct Rejection: Hashable, Sendable {
  /// The three ways to be rejected.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The signature does not hold.
    case invalid
    /// It can't be judged: unknown version or key, or no signature.
    case unverifiable
    case malformed
  }

  public let state: State
  /// The stable code of the reason; one of a small fixed set.
  public let reason: String
  /// The identifier it claims to have, for finding it again.
  public let identifier: String?

  public init(state: State, reason: String, identifier: String?) {
    self.state = state
    self.reason = reason
    self.identifier = identifier
  }
}

/// An arrival together with what was found out about it: what the ledger stores, one case for every body.
public struct Receipt: Sendable {
  public let arrival: Arrival
  public let finding: ArrivalFinding

  public init(arrival: Arrival, finding: ArrivalFinding) {
    self.arrival = arrival
    self.finding = finding
  }
}

/// The promise that a receipt is on disk; only the ledger makes one, after its commit.
public struct Commitment: Equatable, Sendable {
  /// What the receipt added to what was known.
  public enum Effect: Equatable, Sendable {
    /// The first valid copy of a conversion: counted.
    case first
    /// A further valid copy that agrees with the first one; it is not counted again.
    case copy
    /// Another valid copy that disagrees with the first in the named fields: recorded, not counted.
    case conflict([String])
    /// Rejected; the body is kept.
    case keptRejected
    /// Rejected; over the quota, so it was counted and the body not kept.
    case countedRejected
    /// Came to a test inbox, and is only shown there.
    case inboxOnly
  }

  public let effect: Effect
  /// The row of the conversion, for a valid copy; of the rejected body, where it was kept.
  public let row: Int64?

  init(_ effect: Effect, row: Int64?) {
    self.effect = effect
    self.row = row
  }
}
