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
  ///   - bitsPerKey: Bits of memory for each; 12 give about 0.7 % false answers, 20 about 0.1 %.
  init(capacity: Int, bitsPerKey: Int = 12) {
    let lines = max(1, (capacity * bitsPerKey + 511) / 512)
    words = [UInt64](repeating: 0, count: lines * Self.wordsPerLine)
  }

  /// Takes the bits over; `nil` unless they are whole lines.
  init?(words: [UInt64]) {
    guard !words.isEmpty, words.count.isMultiple(of: Self.wordsPerLine) else { return nil }
    self.words = words
  }

  /// The filter of the same size without a key.
  var emptied: KeyFilter {
    var filter = self
    filter.words = [UInt64](repeating: 0, count: words.count)
    return filter
  }

  mutating func insert(_ fingerprint: UInt64) {
    let line = Self.firstWord(of: fingerprint, lines: UInt64(words.count / Self.wordsPerLine))
    var bits = Self.mixed(fingerprint)
    for _ in 0..<Self.probes {
      words[line + Int(bits >> 6 & 7)] |= 1 &<< (bits & 63)
      bits &>>= 9
    }
  }

  /// Those of the keys that may have been inserted; that the others were not is certain.
  ///
  /// A key's first probe waits for memory, so nothing is between those of all keys, and no branch depends on what they
  /// find: the processor waits for many at once. The other probes are of the half that is left, in lines that came.
  func suspects(among fingerprints: [UInt64]) -> [UInt64] {
    let words = words.span
    let lines = UInt64(words.count / Self.wordsPerLine)
    var places = [Int](repeating: 0, count: fingerprints.count)
    var count = 0
    for (place, fingerprint) in fingerprints.enumerated() {
      let bits = Self.mixed(fingerprint)
      places[count] = place
      count &+= Int(
        truncatingIfNeeded: Self.bit(bits, of: words, line: Self.firstWord(of: fingerprint, lines: lines)))
    }
    var found: [UInt64] = []
    for place in places[..<count] {
      let fingerprint = fingerprints[place]
      let line = Self.firstWord(of: fingerprint, lines: lines)
      var bits = Self.mixed(fingerprint)
      var isSet: UInt64 = 1
      for _ in 1..<Self.probes {
        bits &>>= 9
        isSet &= Self.bit(bits, of: words, line: line)
      }
      if isSet == 1 { found.append(fingerprint) }
    }
    return found
  }

  /// The bit, 0 or 1, that the lowest nine bits of a hash choose from a line.
  @inline(__always)
  private static func bit(_ bits: UInt64, of words: Span<UInt64>, line: Int) -> UInt64 {
    words[line &+ Int(truncatingIfNeeded: bits &>> 6 & 7)] &>> (bits & 63) & 1
  }

  /// Fingerprints come from SHA-256, so their high bits are as good as random.
  @inline(__always)
  private static func firstWord(of fingerprint: UInt64, lines: UInt64) -> Int {
    Int(truncatingIfNeeded: lines.multipliedFullWidth(by: fingerprint).high) &* wordsPerLine
  }

  /// Spreads the low bits, which a line's keys do not share, over six probes of nine bits.
  @inline(__always)
  private static func mixed(_ fingerprint: UInt64) -> UInt64 {
    var bits = fingerprint &* 0x9E37_79B9_7F4A_7C15
    bits ^= bits >> 32
    return bits &* 0xD6E8_FEB8_6659_FD93
  }
}
