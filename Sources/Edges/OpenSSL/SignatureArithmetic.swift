/// How signatures of one key are checked; the answers are the same.
public enum SignatureArithmetic: String, Hashable, Sendable {
  /// With multiples of the key computed beforehand, which takes less than half the time.
  case fixedKey = "fixed-key"
  /// With OpenSSL's `EVP_PKEY_verify` alone.
  case evp
}

/// What the multiples of a fixed key show about one signature.
package enum FixedKeyVerdict: Hashable, Sendable {
  case valid
  /// The signature is well formed and does not hold.
  case invalid
  /// `EVP_PKEY_verify` has to report.
  case undecided(Reason)

  /// Why a signature is left to `EVP_PKEY_verify`.
  package enum Reason: Hashable, Sendable, CaseIterable {
    /// Not DER, or not of the curve's length.
    case malformed
    /// A half is below 1 or above the group's order less 1.
    case outOfRange
    /// The sum of both products is the point at infinity.
    case infinity
    /// `r` does not match, but `r` plus the order is another possible coordinate.
    case secondCoordinate
    /// An OpenSSL function failed.
    case failure
  }
}
