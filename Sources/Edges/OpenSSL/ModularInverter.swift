internal import CGMP

/// Inverts numbers modulo one of up to 256 bits, by GMP's extended Euclidean algorithm.
///
/// The time it takes depends on the numbers, so they must not be secret. Not `Sendable`: it works in memory of its own.
@safe struct ModularInverter: ~Copyable {
  /// A number in 32 bytes, the most significant first.
  package typealias Number = InlineArray<32, UInt8>

  private var modulus: __mpz_struct
  private var number: __mpz_struct
  private var inverse: __mpz_struct

  /// Takes the modulus, which is not 0.
  init(modulus bytes: Number) {
    unsafe (modulus, number, inverse) = (__mpz_struct(), __mpz_struct(), __mpz_struct())
    unsafe skan_integer_init(&modulus)
    unsafe skan_integer_init(&number)
    unsafe skan_integer_init(&inverse)
    unsafe bytes.span.withUnsafeBufferPointer { unsafe skan_integer_read(&modulus, $0.baseAddress, $0.count) }
  }

  deinit {
    unsafe withUnsafePointer(to: modulus) { unsafe skan_integer_clear(UnsafeMutablePointer(mutating: $0)) }
    unsafe withUnsafePointer(to: number) { unsafe skan_integer_clear(UnsafeMutablePointer(mutating: $0)) }
    unsafe withUnsafePointer(to: inverse) { unsafe skan_integer_clear(UnsafeMutablePointer(mutating: $0)) }
  }

  /// Returns the number that gives 1 when it is multiplied with `bytes`; `nil` where there is none.
  mutating func inverse(of bytes: Number) -> Number? {
    unsafe bytes.span.withUnsafeBufferPointer { unsafe skan_integer_read(&number, $0.baseAddress, $0.count) }
    guard unsafe skan_integer_invert(&inverse, &number, &modulus) != 0 else { return nil }
    let size = unsafe skan_integer_size(&inverse)
    guard size <= 32 else { return nil }
    var result = Number(repeating: 0)
    var span = result.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { written in
      guard let start = written.baseAddress else { return }
      unsafe skan_integer_write(&inverse, start + (32 - size))
    }
    return result
  }
}
