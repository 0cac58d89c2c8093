/// The name of a node: one process at a time uses it, and every restart of that process.
package struct NodeName: Hashable, Sendable {
  package let text: String

  /// Takes a name over; `nil` unless it has 1 to 63 lower-case letters, digits, `.`, `-` and `_`, the first of them a
  /// letter or digit.
  package init?(_ text: String) {
    func isWordLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard (1...63).contains(text.utf8.count), let first = text.utf8.first, isWordLetter(first),
      text.utf8.allSatisfy({ isWordLetter($0) || [0x2d, 0x2e, 0x5f].contains($0) })
    else { return nil }
    self.text = text
  }
}

extension NodeName: CustomStringConvertible {
  package var description: String { text }
}
