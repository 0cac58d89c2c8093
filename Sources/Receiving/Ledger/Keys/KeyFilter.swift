/// A Bloom filter that looks at one cache line a question.
///
/// It never rejects a key it was given, and accepts fewer than one in a hundred others.
/// Source: Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient Bloom Filters" (blocked filters).
struct KeyFilter: Equatable {
  /// 512 bits: one cache line.
  private static let wordsPerLine = 8
  /// Bits that a key sets; nine bits of a hash each.
  private static let probes = 6

  /// The filter's bits, eight words a line.
  private(set) var words: [UInt64]

  /// Makes an empty filter for that many keys.
  ///
  /// - Parameters:
  ///   - capacity: Keys that will be inserted.
  ///   - bitsPerKey: Bits of memory for each; 12 give about 0.7 % false answers, 20 about 0.1 %.
  init(capacity: Int, bitsPerKey: Int = 12) {
    let lines = max(1, (capacity * bitsPerKey + 511) / 512)
    words = [UInt64](repeating: 0, count: lines * Self.wordsPerLine)
  }

  init(words: [UInt64]) { self.words = words }

  /// Remembers a key.
  mutating func insert(_ fingerprint: UInt64) {
    let line = firstWord(of: fingerprint)
    var bits = Self.mixed(fingerprint)
    for _ in 0..<Self.probes {
      words[line + Int(bits >> 6 & 7)] |= 1 &<< (bits & 63)
      bits &>>= 9
    }
  }

  /// Whether the key may have been inserted; `false` is certain.
  func mayContain(_ fingerprint: UInt64) -> Bool {
    let line = firstWord(of: fingerprint)
    var bits = Self.mixed(fingerprint)
    // All probes, without a branch between them: whether one is set is as good as random.
    var missing: UInt64 = 0
    for _ in 0..<Self.probes {
      missing |= ~words[line + Int(bits >> 6 & 7)] & (1 &<< (bits & 63))
      bits &>>= 9
    }
    return missing == 0
  }

  /// Fingerprints come from SHA-256, so their high bits are as good as random.
  private func firstWord(of fingerprint: UInt64) -> Int {
    let lines = UInt64(words.count / Self.wordsPerLine)
    return Int(lines.multipliedFullWidth(by: fingerprint).high) * Self.wordsPerLine
  }

  /// Spreads the low bits, which a line's keys do not share, over six probes of nine bits.
  private static func mixed(_ fingerprint: UInt64) -> UInt64 {
    var bits = fingerprint &* 0x9E37_79B9_7F4A_7C15
    bits ^= bits >> 32
    return bits &* 0xD6E8_FEB8_6659_FD93
  }
}
