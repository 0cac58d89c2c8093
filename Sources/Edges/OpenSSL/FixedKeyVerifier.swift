import COpenSSL
import System

/// A checker of ECDSA signatures of one P-256 key, with multiples of the key computed beforehand.
///
/// OpenSSL keeps a table of multiples of a group's generator. Here a second group has the public key Q as its
/// generator, so both products of u1 * G + u2 * Q come from tables. The arithmetic is OpenSSL's, but for 1/s, which GMP
/// finds in an eighth of the time and which is multiplied with s before it is used; whatever is out of the ordinary is
/// left undecided. Costs about 152 kB and 26 ms to make. Source: SEC 1, section 4.1.4.
///
/// `@unchecked Sendable`: after `init` checks only read the groups and moduli (openssl-threads(7)), and
/// the workspaces that they change are handed out under a lock.
@safe package final class FixedKeyVerifier: @unchecked Sendable {
  private static let size: Int32 = 32

  /// The curve's ordinary group, with generator G.
  let group: Owned
  private let keyGroup: Owned
  private let fieldModulus: Owned
  private let orderModulus: Owned
  /// The field's prime less the order.
  private let excess: Owned
  private let idle = Guarded<[Workspace]>([])

  /// Computes the multiples of the key that `point`, the encoded public point, names.
  ///
  /// `nil` when this OpenSSL cannot.
  package init?(point: [UInt8]) {
    defer { ERR_clear_error() }
    guard let context = unsafe Owned(BN_CTX_new(), free: BN_CTX_free),
      let group = unsafe Owned(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), free: EC_GROUP_free),
      let keyGroup = unsafe Owned(EC_GROUP_dup(group.pointer), free: EC_GROUP_free),
      let key = unsafe Owned(EC_POINT_new(group.pointer), free: EC_POINT_free),
      let order = unsafe EC_GROUP_get0_order(group.pointer),
      let field = unsafe EC_GROUP_get0_field(group.pointer),
      let fieldModulus = unsafe Owned(BN_MONT_CTX_new(), free: BN_MONT_CTX_free),
      let orderModulus = unsafe Owned(BN_MONT_CTX_new(), free: BN_MONT_CTX_free),
      let excess = unsafe Owned(BN_new(), free: BN_free)
    else { return nil }
    guard unsafe BN_MONT_CTX_set(fieldModulus.pointer, field, context.pointer) == 1,
      unsafe BN_MONT_CTX_set(orderModulus.pointer, order, context.pointer) == 1,
      unsafe BN_sub(excess.pointer, field, order) == 1,
      unsafe EC_POINT_oct2point(group.pointer, key.pointer, point, point.count, context.pointer) == 1,
      unsafe EC_POINT_is_at_infinity(group.pointer, key.pointer) == 0,
      unsafe EC_GROUP_set_generator(
        keyGroup.pointer, key.pointer, order, EC_GROUP_get0_cofactor(group.pointer)) == 1,
      unsafe skan_group_precompute(keyGroup.pointer, context.pointer) == 1
    else { return nil }
    self.group = group
    self.keyGroup = keyGroup
    self.fieldModulus = fieldModulus
    self.orderModulus = orderModulus
    self.excess = excess
  }

  /// Checks a signature in DER form of a SHA-256 digest.
  package func verdict(der: [UInt8], digest: [UInt8]) -> FixedKeyVerdict {
    guard let halves = SignatureHalves(der: der) else { return .undecided(.malformed) }
    return verdict(halves, digest: digest)
  }

  /// Checks a signature in the form `r || s` of a SHA-256 digest.
  package func verdict(raw: [UInt8], digest: [UInt8]) -> FixedKeyVerdict {
    guard let halves = SignatureHalves(raw: raw) else { return .undecided(.malformed) }
    return verdict(halves, digest: digest)
  }

  private func verdict(_ halves: SignatureHalves, digest: [UInt8]) -> FixedKeyVerdict {
    withWorkspace { work in
      unsafe halves.bytes.span.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress, let r = unsafe BN_CTX_get(work.context.pointer),
          let s = unsafe BN_CTX_get(work.context.pointer), unsafe BN_bin2bn(start, Self.size, r) != nil,
          unsafe BN_bin2bn(start + Int(Self.size), Self.size, s) != nil
        else { return .undecided(.failure) }
        return unsafe verdict(r: r, s: s, digest: digest, work)
      }
    }
  }

  /// Lends out a workspace, with a frame for temporary numbers open in it.
  private func withWorkspace(_ body: (Workspace) -> FixedKeyVerdict) -> FixedKeyVerdict {
    guard let work = idle.withLock({ $0.popLast() }) ?? Workspace(group: group) else {
      ERR_clear_error()
      return .undecided(.failure)
    }
    unsafe BN_CTX_start(work.context.pointer)
    let verdict = body(work)
    unsafe BN_CTX_end(work.context.pointer)
    idle.withLock { $0.append(work) }
    if verdict == .undecided(.failure) { ERR_clear_error() }
    return verdict
  }

  private func verdict(
    r: OpaquePointer?, s: OpaquePointer?, digest: [UInt8], _ work: Workspace
  ) -> FixedKeyVerdict {
    let context = unsafe work.context.pointer
    let modulus = unsafe orderModulus.pointer
    guard unsafe isInRange(r), unsafe isInRange(s) else { return .undecided(.outOfRange) }
    guard let inverse = unsafe work.inverse(of: s, into: BN_CTX_get(context)),
      let u1 = unsafe BN_CTX_get(context), let u2 = unsafe BN_CTX_get(context),
      let e = unsafe number(digest: digest, into: BN_CTX_get(context)),
      // A product of which one factor is in Montgomery's form is in ordinary form.
      unsafe BN_to_montgomery(inverse, inverse, modulus, context) == 1,
      unsafe BN_mod_mul_montgomery(u1, s, inverse, modulus, context) == 1, unsafe BN_is_one(u1) == 1,
      unsafe BN_mod_mul_montgomery(u1, e, inverse, modulus, context) == 1,
      unsafe BN_mod_mul_montgomery(u2, r, inverse, modulus, context) == 1,
      unsafe EC_POINT_mul(group.pointer, work.sum.pointer, u1, nil, nil, context) == 1,
      unsafe EC_POINT_mul(keyGroup.pointer, work.product.pointer, u2, nil, nil, context) == 1,
      unsafe EC_POINT_add(
        group.pointer, work.sum.pointer, work.sum.pointer, work.product.pointer, context) == 1
    else { return .undecided(.failure) }
    return unsafe compare(work.sum.pointer, with: r, context)
  }

  /// Compares the x of `point` with `r`: whether X = r * Z^2, because dividing costs more.
  private func compare(
    _ point: OpaquePointer, with r: OpaquePointer?, _ context: OpaquePointer
  ) -> FixedKeyVerdict {
    let modulus = unsafe fieldModulus.pointer
    guard let x = unsafe BN_CTX_get(context), let z = unsafe BN_CTX_get(context),
      let scaled = unsafe BN_CTX_get(context),
      unsafe skan_point_get_x_z(group.pointer, point, x, z, context) == 1
    else { return .undecided(.failure) }
    guard unsafe BN_is_zero(z) == 0 else { return .undecided(.infinity) }
    guard unsafe BN_to_montgomery(scaled, z, modulus, context) == 1,
      unsafe BN_mod_mul_montgomery(z, scaled, z, modulus, context) == 1,
      unsafe BN_to_montgomery(scaled, r, modulus, context) == 1,
      unsafe BN_mod_mul_montgomery(scaled, scaled, z, modulus, context) == 1
    else { return .undecided(.failure) }
    if unsafe BN_cmp(scaled, x) == 0 { return .valid }
    // x is only known modulo the order, and the field is larger than the order.
    return unsafe BN_cmp(r, excess.pointer) < 0 ? .undecided(.secondCoordinate) : .invalid
  }

  /// Whether a half of a signature is at least 1 and below the order.
  private func isInRange(_ half: OpaquePointer?) -> Bool {
    guard let half = unsafe half else { return false }
    return unsafe BN_is_negative(half) == 0 && BN_is_zero(half) == 0
      && BN_cmp(half, EC_GROUP_get0_order(group.pointer)) < 0
  }

  /// Reads a digest as a number below the order.
  private func number(digest: [UInt8], into number: OpaquePointer?) -> OpaquePointer? {
    guard digest.count == Int(Self.size), unsafe number != nil,
      let number = unsafe BN_bin2bn(digest, Self.size, number)
    else { return nil }
    let order = unsafe EC_GROUP_get0_order(group.pointer)
    // Once is enough: twice the order has 257 bits.
    guard unsafe BN_cmp(number, order) < 0 || BN_sub(number, number, order) == 1 else { return nil }
    return unsafe number
  }
}

/// What one check needs to itself.
///
/// `@unchecked Sendable`: the pool hands it to one check at a time.
@safe private final class Workspace: @unchecked Sendable {
  let context: Owned
  let sum: Owned
  let product: Owned
  private var inverter: ModularInverter

  init?(group: borrowing Owned) {
    guard let context = unsafe Owned(BN_CTX_new(), free: BN_CTX_free),
      let sum = unsafe Owned(EC_POINT_new(group.pointer), free: EC_POINT_free),
      let product = unsafe Owned(EC_POINT_new(group.pointer), free: EC_POINT_free),
      let order = unsafe bytes(of: EC_GROUP_get0_order(group.pointer))
    else { return nil }
    self.context = context
    self.sum = sum
    self.product = product
    inverter = ModularInverter(modulus: order)
  }

  /// Writes 1 / `number` modulo the order into `inverse` and returns that; `nil` where it fails.
  func inverse(of number: OpaquePointer?, into inverse: OpaquePointer?) -> OpaquePointer? {
    guard unsafe inverse != nil, let number = unsafe bytes(of: number),
      let found = inverter.inverse(of: number)
    else { return nil }
    return unsafe found.span.withUnsafeBufferPointer {
      unsafe BN_bin2bn($0.baseAddress, Int32($0.count), inverse)
    }
  }
}

/// The 32 bytes of a number; `nil` where it has more.
private func bytes(of number: OpaquePointer?) -> ModularInverter.Number? {
  var bytes = ModularInverter.Number(repeating: 0)
  var span = bytes.mutableSpan
  let count = unsafe span.withUnsafeMutableBufferPointer {
    unsafe BN_bn2binpad(number, $0.baseAddress, Int32($0.count))
  }
  return count == 32 ? bytes : nil
}
