import Values

/// Secrets that another side got, and that nothing people read may show where it sends them back.
package struct SecretTexts: Equatable, Sendable {
  private static let mask = "***"
  /// So many letters and digits of a secret in a row give it away; a shorter one does as a whole.
  private static let window = 6
  /// A shorter secret is also an ordinary word.
  private static let shortest = 4

  /// The longest first.
  private var texts: [String] = []
  /// All that gives one away, by ``Letters``, and how long they are.
  private var parts: Set<UInt64> = []
  private var lengths: Set<Int> = []

  package init() {}

  /// Adds a secret: as it is, as it is in addresses and in JSON, and in base64.
  package mutating func add(_ text: String) {
    let forms = [text, percentEncoded(text), String(JSONOutput.string(text).text().dropFirst().dropLast())]
    texts = Set(texts + forms.filter { $0.utf8.count >= Self.shortest })
      .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    for bytes in [Array(text.utf8), Base64.encode(Array(text.utf8))] { addParts(of: bytes) }
  }

  private mutating func addParts(of bytes: [UInt8]) {
    let letters = bytes.compactMap(Letters.letter)
    guard letters.count >= Self.shortest else { return }
    let length = min(Self.window, letters.count)
    lengths.insert(length)
    var last = Letters()
    for letter in letters {
      last.add(letter)
      if let part = last.part(length) { parts.insert(part) }
    }
  }

  /// A text with a mask in the place of each secret that is in it as it is, in an address or in JSON.
  package func redacted(_ text: String) -> String {
    texts.reduce(text) { $0.replacing($1, with: Self.mask) }
  }

  /// Whether bytes of another side give a secret away: also where it is cut, in capitals, escaped, or has other marks
  /// between its letters and digits.
  package func areRepeated(in bytes: some Sequence<UInt8>) -> Bool {
    guard !parts.isEmpty else { return false }
    let bytes = Array(bytes)
    return hasPart(bytes) || hasPart(Self.unescaped(bytes))
  }

  private func hasPart(_ bytes: [UInt8]) -> Bool {
    var last = Letters()
    for byte in bytes {
      guard let letter = Letters.letter(byte) else { continue }
      last.add(letter)
      for length in lengths where last.part(length).map(parts.contains) == true { return true }
    }
    return false
  }

  /// The beginning of what another side sent, on one line, with a mask in the place of each secret; empty where it still gives
  /// one away.
  package func shown(_ bytes: some Sequence<UInt8>, atMost letters: Int) -> String {
    let text = redacted(String(decoding: Array(bytes), as: UTF8.self))
    guard !areRepeated(in: text.utf8) else { return "" }
    return String(
      printable(text.split(whereSeparator: \.isWhitespace).joined(separator: " ")).prefix(letters))
  }

  /// Bytes with what `%5A` and `\u005A` stand for.
  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let rest = bytes[place...]
      if rest.first == UInt8(ascii: "%"), let byte = hexByte(rest.dropFirst().prefix(2)) {
        plain.append(byte)
        place += 3
      } else if rest.starts(with: "\\u00".utf8), let byte = hexByte(rest.dropFirst(4).prefix(2)) {
        plain.append(byte)
        place += 6
      } else {
        plain.append(bytes[place])
        place += 1
      }
    }
    return plain
  }

  private static func hexByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
    digits.count == 2 ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}

/// The last letters and digits of a text, of which the last six can be compared in one step.
private struct Letters {
  private var last: UInt64 = 0
  private var count = 0

  /// A letter in lower case or a digit; `nil` for any other byte.
  static func letter(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39, 0x61...0x7A: byte
    case 0x41...0x5A: byte + 0x20
    default: nil
    }
  }

  mutating func add(_ letter: UInt8) {
    last = (last << 8) | UInt64(letter)
    count += 1
  }

  /// The last ones as a number; `nil` where there are fewer.
  func part(_ length: Int) -> UInt64? {
    count >= length ? (UInt64(length) << 56) | (last & ((1 << UInt64(length * 8)) - 1)) : nil
  }
}
