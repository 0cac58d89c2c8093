/// A stored body that is not as it came, or does not belong where it is.
public struct BodyFault: Equatable, Sendable {
  /// What is wrong; the raw value is the word in output.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// The body, or what is guarded with it, is not what the digest was made of.
    case digest
    /// No key that may have signed the body did.
    case signature
    /// Another key signed the body than the environment of the row states.
    case environment
    /// The row's fingerprint is not the body's, or the copy is not one of that postback.
    case identity
    /// The copy disagrees with the first one in other fields than are noted.
    case conflict
    /// The body is no postback any more.
    case unreadable
  }

  /// The table, with the table of the body where it is `network_form`.
  public let table: String
  /// The number of the row.
  public let row: Int64
  public let parts: [Part]
}

/// What an examination of all stored bodies found.
///
/// What could not be verified is counted as such, and never as sound.
public struct BodyFindings: Equatable, Sendable {
  /// Faults that are listed at most; all are counted.
  public static let listed = 1000

  /// The first faults.
  public private(set) var faults: [BodyFault] = []
  public private(set) var faulty = 0
  /// Bodies that agree with their digest.
  public internal(set) var digested = 0
  /// Bodies whose signature is valid.
  public internal(set) var verified = 0
  /// Bodies that a key signed which was not given, such as one for tests.
  public internal(set) var withoutKey = 0
  /// Bodies that came without a signature, as a partner's claim.
  public internal(set) var withoutSignature = 0
  /// Postbacks of a node that only receives, of which a digest is stored.
  public internal(set) var withoutBody = 0

  public init() {}

  /// Whether no fault was found.
  public var areSound: Bool { faulty == 0 }

  mutating func note(_ parts: [BodyFault.Part], table: String, row: Int64) {
    guard !parts.isEmpty else { return }
    faulty += 1
    if faults.count < Self.listed { faults.append(BodyFault(table: table, row: row, parts: parts)) }
  }

  static func += (sum: inout Self, more: Self) {
    sum.faults += more.faults.prefix(listed - sum.faults.count)
    sum.faulty += more.faulty
    sum.digested += more.digested
    sum.verified += more.verified
    sum.withoutKey += more.withoutKey
    sum.withoutSignature += more.withoutSignature
    sum.withoutBody += more.withoutBody
  }
}
