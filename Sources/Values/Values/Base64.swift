/// Strict base64: a text has exactly one reading and a reading exactly one text.
///
/// Rejected are white space, missing or superfluous padding, letters of the other alphabet and non-zero leftover bits.
/// Source: RFC 4648, sections 3.5, 4 and 5.
public enum Base64 {
  /// Reads the standard alphabet with padding; `nil` when the text is not strict base64.
  public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let letters = Array(text)
    let padding = letters.suffix(2).count { $0 == UInt8(ascii: "=") }
    return bytes(of: letters, count: letters.count - padding, values: Alphabet.standard.values)
  }

  /// Reads the URL alphabet without padding, as JWS uses it; `nil` when the text is not strict base64url.
  ///
  /// Source: RFC 7515, section 2 (Base64url Encoding).
  public static func decodeURL(_ text: some Collection<UInt8>) -> [UInt8]? {
    // An array, because the generic loop is not specialised across modules and costs ten times as much.
    let letters = Array(text)
    return bytes(of: letters, count: letters.count, values: Alphabet.url.values)
  }

  /// Writes the standard alphabet with padding.
  public static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text = letters(of: bytes, Alphabet.standard.letters)
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return text
  }

  /// Writes the URL alphabet without padding.
  public static func encodeURL(_ bytes: [UInt8]) -> [UInt8] { letters(of: bytes, Alphabet.url.letters) }

  /// Reads the first `count` letters, each of which has to stand for six bits.
  private static func bytes(of letters: [UInt8], count: Int, values: [UInt8]) -> [UInt8]? {
    guard count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 3 / 4)
    var (bits, width): (UInt32, UInt32) = (0, 0)
    for letter in letters.prefix(count) {
      let value = values[Int(letter)]
      guard value < 64 else { return nil }
      bits = bits << 6 | UInt32(value)
      width += 6
      guard width >= 8 else { continue }
      width -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> width))
    }
    // Bits that no byte needs have to be zero, or a second text would have the same reading.
    return bits & ((1 << width) - 1) == 0 ? bytes : nil
  }

  private static func letters(of bytes: [UInt8], _ alphabet: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (bits, width): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      width += 8
      while width >= 6 {
        width -= 6
        text.append(alphabet[Int(bits >> width & 63)])
      }
    }
    if width > 0 { text.append(alphabet[Int(bits << (6 - width) & 63)]) }
    return text
  }

  /// The 64 letters, and what each byte stands for; 255 where it is no letter.
  private struct Alphabet {
    static let standard = Alphabet("+", "/")
    static let url = Alphabet("-", "_")

    let letters: [UInt8]
    let values: [UInt8]

    private init(_ next: Unicode.Scalar, _ last: Unicode.Scalar) {
      letters =
        Array(UInt8(ascii: "A")...UInt8(ascii: "Z")) + Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
        + Array(UInt8(ascii: "0")...UInt8(ascii: "9")) + [UInt8(ascii: next), UInt8(ascii: last)]
      var values = [UInt8](repeating: 255, count: 256)
      for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
      self.values = values
    }
  }
}
