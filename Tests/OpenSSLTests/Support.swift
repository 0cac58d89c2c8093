import OpenSSL
import TestSupport

/// A key that expectations can hold, which need copyable values.
final class KeyBox: Sendable {
  private let key: PublicKey

  init(_ key: consuming PublicKey) { self.key = key }

  func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    key.isValid(signature: signature, for: message)
  }

  func isValid(rawSignature: [UInt8], for message: [UInt8]) -> Bool {
    key.isValid(rawSignature: rawSignature, for: message)
  }

  func isValid(signature: [UInt8], digest: [UInt8]) -> Bool {
    key.isValid(signature: signature, digest: digest)
  }

  func isValid(rawSignature: [UInt8], digest: [UInt8]) -> Bool {
    key.isValid(rawSignature: rawSignature, digest: digest)
  }

  func prepare() -> SignatureArithmetic { key.prepare() }
}

/// The order of P-256.
///
/// Source: FIPS 186-4, D.1.2.3.
let order: [UInt8] = bytes(hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

func bytes(hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// A small number in 32 bytes.
func small(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 31) + [number] }

/// `left - right` of two big-endian numbers of equal length, modulo their range.
func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
  var result = left
  var borrow = 0
  for index in left.indices.reversed() {
    let digit = Int(left[index]) - Int(right[index]) - borrow
    borrow = digit < 0 ? 1 : 0
    result[index] = UInt8(truncatingIfNeeded: digit)
  }
  return result
}

/// `left + right`, likewise.
func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
  difference(left, difference([UInt8](repeating: 0, count: right.count), right))
}

/// A DER INTEGER of a number that is not negative, in its shortest form.
func derInteger(_ number: [UInt8]) -> [UInt8] {
  var body = Array(number.drop { $0 == 0 })
  if body.first.map({ $0 >= 0x80 }) ?? true { body.insert(0, at: 0) }
  return [0x02, UInt8(body.count)] + body
}

/// A DER SEQUENCE of at most 127 bytes.
func derSequence(_ body: [UInt8]) -> [UInt8] { [0x30, UInt8(body.count)] + body }

/// The public key of a secret number, in SubjectPublicKeyInfo DER form.
func spki(scalar: [UInt8]) throws -> [UInt8] { try PrivateKey(scalar: scalar, on: .p256).spki() }
