import Simulation

/// Texts with a number each, found by their bytes.
struct ByteTable: Sendable {
  /// The texts, one behind the other.
  private var letters: [UInt8] = []
  /// Where each text starts, and where the last one ends.
  private var starts: [Int] = [0]
  private var hashes: [UInt64] = []
  /// Numbers by hash, -1 where free; a power of two of them, at most half taken.
  private var table = [Int32](repeating: -1, count: 64)

  var texts: [String] {
    hashes.indices.map { String(decoding: letters[starts[$0]..<starts[$0 + 1]], as: UTF8.self) }
  }

  /// Returns the number of a text, a new one where it has none.
  mutating func number(of text: Span<UInt8>) -> UInt32 { number(of: text, hash: Cohort.key(of: text)) }

  /// Returns the numbers of another table's texts, by their numbers there.
  mutating func numbers(of other: ByteTable) -> [UInt32] {
    let letters = other.letters.span
    return other.hashes.indices.map { index in
      number(
        of: letters.extracting(other.starts[index]..<other.starts[index + 1]), hash: other.hashes[index])
    }
  }

  private mutating func number(of text: Span<UInt8>, hash: UInt64) -> UInt32 {
    var slot = Self.slot(hash, in: table.count)
    while table[slot] >= 0 {
      let number = Int(table[slot])
      if hashes[number] == hash, isEqual(number, text) { return UInt32(number) }
      slot = (slot + 1) & (table.count - 1)
    }
    table[slot] = Int32(hashes.count)
    for index in text.indices { letters.append(text[index]) }
    starts.append(letters.count)
    hashes.append(hash)
    if hashes.count * 2 > table.count { grow() }
    return UInt32(hashes.count - 1)
  }

  private mutating func grow() {
    table = [Int32](repeating: -1, count: table.count * 2)
    for (number, hash) in hashes.enumerated() {
      var slot = Self.slot(hash, in: table.count)
      while table[slot] >= 0 { slot = (slot + 1) & (table.count - 1) }
      table[slot] = Int32(number)
    }
  }

  /// Names that differ in the last letter differ little in the low bits of the hash's upper half, but in all of these.
  private static func slot(_ hash: UInt64, in count: Int) -> Int {
    Int(truncatingIfNeeded: hash) & (count - 1)
  }

  private func isEqual(_ number: Int, _ text: Span<UInt8>) -> Bool {
    let start = starts[number]
    guard starts[number + 1] - start == text.count else { return false }
    for index in text.indices where letters[start + index] != text[index] { return false }
    return true
  }
}
