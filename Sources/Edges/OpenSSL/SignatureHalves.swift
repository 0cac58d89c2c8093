/// The two numbers of a signature of 256 bits, as they are spelled; nothing is known of their range.
struct SignatureHalves {
  /// `r || s`, the most significant bytes first.
  private(set) var bytes = InlineArray<64, UInt8>(repeating: 0)

  /// Takes `r || s`; `nil` where it is not 64 bytes long.
  init?(raw: [UInt8]) {
    guard raw.count == 64 else { return nil }
    for index in raw.indices { bytes[index] = raw[index] }
  }

  /// Reads the one DER spelling of two numbers that are not negative and have at most 32 bytes.
  ///
  /// `nil` for everything else, of which OpenSSL decides. Source: ITU-T X.690, sections 8.3 and 10.1.
  init?(der: [UInt8]) {
    guard (8...72).contains(der.count), der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
    guard let behind = read(der, at: 2, endingAt: 32), read(der, at: behind, endingAt: 64) == der.count else {
      return nil
    }
  }

  /// Copies the number at `start` so that it ends before a place, and returns what is behind it.
  private mutating func read(_ der: [UInt8], at start: Int, endingAt end: Int) -> Int? {
    guard start + 2 < der.count, der[start] == 0x02 else { return nil }
    var (first, behind) = (start + 2, start + 2 + Int(der[start + 1]))
    guard first < behind, behind <= der.count, der[first] < 0x80 else { return nil }
    if der[first] == 0, behind - first > 1 {
      // A zero comes before a set bit only.
      guard der[first + 1] >= 0x80 else { return nil }
      first += 1
    }
    guard behind - first <= 32 else { return nil }
    for index in first..<behind { bytes[end - behind + index] = der[index] }
    return behind
  }
}
