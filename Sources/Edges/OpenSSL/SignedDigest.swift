import COpenSSL

/// A genuine P-256 signature of a number, by a key whose secret is not known.
///
/// ECDSA allows that when the digest may be chosen last: R = u1 * G + u2 * Q, r is R's x, s = r / u2 and the
/// digest is u1 * s. No message with that digest is known, so it is no forgery; it tests verifiers.
package struct SignedDigest: Equatable, Sendable {
  /// The signature in the form `r || s`.
  package let rawSignature: [UInt8]
  /// The 32 bytes that are signed.
  package let digest: [UInt8]

  /// Signs for the key with the encoded public point `point`, with two big-endian factors of at most 32 bytes.
  ///
  /// `nil` when the factors lead to the point at infinity or OpenSSL fails.
  package init?(by point: [UInt8], u1: [UInt8], u2: [UInt8]) {
    defer { ERR_clear_error() }
    guard let context = unsafe Owned(BN_CTX_new(), free: BN_CTX_free),
      let group = unsafe Owned(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), free: EC_GROUP_free),
      let key = unsafe Owned(EC_POINT_new(group.pointer), free: EC_POINT_free),
      let sum = unsafe Owned(EC_POINT_new(group.pointer), free: EC_POINT_free),
      let order = unsafe EC_GROUP_get0_order(group.pointer), let u1 = number(u1), let u2 = number(u2),
      let r = number([]), let s = number([]), let digest = number([])
    else { return nil }
    guard unsafe EC_POINT_oct2point(group.pointer, key.pointer, point, point.count, context.pointer) == 1,
      unsafe EC_POINT_mul(
        group.pointer, sum.pointer, u1.pointer, key.pointer, u2.pointer, context.pointer) == 1,
      unsafe EC_POINT_get_affine_coordinates(
        group.pointer, sum.pointer, r.pointer, nil, context.pointer) == 1,
      unsafe BN_nnmod(r.pointer, r.pointer, order, context.pointer) == 1,
      unsafe BN_mod_inverse(s.pointer, u2.pointer, order, context.pointer) != nil,
      unsafe BN_mod_mul(s.pointer, s.pointer, r.pointer, order, context.pointer) == 1,
      unsafe BN_mod_mul(digest.pointer, u1.pointer, s.pointer, order, context.pointer) == 1
    else { return nil }
    rawSignature = bytes(r) + bytes(s)
    self.digest = bytes(digest)
  }
}

private func number(_ bytes: [UInt8]) -> Owned? {
  unsafe Owned(BN_bin2bn(bytes, Int32(bytes.count), nil), free: BN_free)
}

private func bytes(_ number: borrowing Owned) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: 32)
  unsafe BN_bn2binpad(number.pointer, &bytes, 32)
  return bytes
}
