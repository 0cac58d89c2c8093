import Values

/// Makes new inputs of known ones: turns bits, puts in words and numbers, deletes, repeats and joins; the same seed
/// gives the same inputs.
public struct Mutator: Sendable {
  /// The longest input, in bytes.
  public static let longest = 16_384

  private var random: SplitMix64
  private let seeds: [[UInt8]]
  private let words: [[UInt8]]

  /// Numbers at which programs go wrong.
  private static let numbers = [
    "0", "-0", "-1", "1e999", "1E-7", "0.0000001", "63", "64", "255", "4294967296", "2147483648",
    "9007199254740993", "9223372036854775807", "-9223372036854775808", "18446744073709551616",
    "9223372036854.775807", "253402300800", "00", "1.", "\u{FF11}",
  ]
  /// Bytes at which texts go wrong.
  private static let bytes: [UInt8] = [
    0x00, 0x0A, 0x0D, 0x1F, 0x20, 0x22, 0x2C, 0x2D, 0x2E, 0x5C, 0x7B, 0x7D, 0x7F, 0x80, 0xC0, 0xE2, 0xED,
    0xEF,
    0xF4, 0xFF,
  ]

  /// Begins with inputs that are known and words to put in.
  public init(seed: UInt64, seeds: [[UInt8]], dictionary: [String]) {
    random = SplitMix64(seed: seed)
    self.seeds = seeds.isEmpty ? [[]] : seeds
    words = (dictionary + Self.numbers).map { Array($0.utf8) }
  }

  /// Makes the next input.
  public mutating func next() -> [UInt8] {
    var input = seeds[random.number(below: seeds.count)]
    for _ in 0...random.number(below: 5) { mutate(&input) }
    return Array(input.prefix(Self.longest))
  }

  private mutating func mutate(_ input: inout [UInt8]) {
    let at = random.number(below: input.count + 1)
    let length = 1 + random.number(below: random.number(below: 4) == 0 ? 256 : 8)
    let end = min(input.count, at + length)
    switch random.number(below: 10) {
    case 0 where at < input.count: input[at] ^= 1 << UInt8(random.number(below: 8))
    case 1 where at < input.count: input[at] = Self.bytes[random.number(below: Self.bytes.count)]
    case 2 where at < input.count: input[at] = UInt8(truncatingIfNeeded: random.next())
    case 3: input.insert(Self.bytes[random.number(below: Self.bytes.count)], at: at)
    case 4: input.removeSubrange(at..<end)
    case 5: input.insert(contentsOf: Array(input[at..<end]), at: random.number(below: input.count + 1))
    case 6: input.insert(contentsOf: words[random.number(below: words.count)], at: at)
    case 7: replaceToken(&input, from: at)
    case 8:
      let other = seeds[random.number(below: seeds.count)]
      input = Array(input[..<at] + other[random.number(below: other.count + 1)...])
    default: input.replaceSubrange(at..<end, with: words[random.number(below: words.count)])
    }
  }

  /// Puts a word in the place of the run of letters and digits at or behind a byte.
  private mutating func replaceToken(_ input: inout [UInt8], from start: Int) {
    func belongs(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: ".") || (0x61...0x7A).contains(byte)
    }
    guard var first = input[start...].firstIndex(where: belongs) else { return }
    while first > 0, belongs(input[first - 1]) { first -= 1 }
    let end = input[first...].firstIndex { !belongs($0) } ?? input.count
    input.replaceSubrange(first..<end, with: words[random.number(below: words.count)])
  }
}
