import Values

/// Secrets that another side got, and that nothing people read may show where it sends them back.
package struct SecretTexts: Equatable, Sendable {
  private static let mask = "***"
  /// So many letters and digits of a secret in a row give it away; a shorter one does as a whole.
  private static let window = 6
  /// A shorter secret is also an ordinary word.
  private static let shortest = 4
  /// How often a text is unescaped at most.
  private static let mostEscapes = 3

  /// The longest first.
  private var texts: [String] = []
  /// All that gives one away, by ``Letters``, and how long they are.
  private var parts: Set<UInt64> = []
  private var lengths: Set<Int> = []

  package init() {}

  /// Adds a secret: as it is, as it is in addresses, JSON and HTML, in hexadecimal, and in base64, alone or behind something else.
  package mutating func add(_ text: String) {
    let forms = [
      text, percentEncoded(text), String(JSONOutput.string(text).text().dropFirst().dropLast()),
      SecretEscapes.ofMarkup.reduce(text) { $0.replacing($1.mark, with: $1.escape) },
    ]
    texts = Set(texts + forms.filter { $0.utf8.count >= Self.shortest })
      .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    let bytes = Array(text.utf8)
    addParts(of: bytes)
    addParts(of: hexText(bytes).utf8)
    // Three bytes are four letters, and what is before a secret decides where its threes begin. The first letters are of both,
    // and the last one is of what follows, too.
    for before in 0..<3 {
      let letters = Base64.encode([UInt8](repeating: 0, count: before) + bytes).filter {
        $0 != UInt8(ascii: "=")
      }
      let isOpen = (before + bytes.count) % 3 != 0
      addParts(of: letters.dropFirst(before == 0 ? 0 : before + 1).dropLast(isOpen ? 1 : 0))
    }
  }

  private mutating func addParts(of bytes: some Sequence<UInt8>) {
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
    guard !texts.isEmpty || !parts.isEmpty else { return false }
    var bytes = Array(bytes)
    // What was escaped can be escaped again.
    for _ in 0...Self.mostEscapes {
      if hasPart(bytes) || hasText(bytes) { return true }
      let plain = SecretEscapes.plain(bytes)
      if plain == bytes { break }
      bytes = plain
    }
    return false
  }

  /// A secret without letters and digits has no parts.
  private func hasText(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return texts.contains { text.contains($0) }
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
