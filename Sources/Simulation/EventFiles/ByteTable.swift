import Simulation

/// Texts with a number each, found by their bytes.
struct ByteTable {
  /// The texts by number.
  private(set) var texts: [[UInt8]] = []
  private var hashes: [UInt64] = []
  /// Numbers by hash, -1 where free; a power of two of them, at most half taken.
  private var table = [Int32](repeating: -1, count: 64)

  /// Returns the number of a text, a new one where it has none.
  mutating func number(of text: Span<UInt8>) -> UInt32 {
    let hash = Cohort.key(of: text)
    var slot = Self.slot(hash, in: table.count)
    while table[slot] >= 0 {
      let number = Int(table[slot])
      if hashes[number] == hash, isEqual(texts[number], text) { return UInt32(number) }
      slot = (slot + 1) & (table.count - 1)
    }
    table[slot] = Int32(texts.count)
    texts.append(text.indices.map { text[$0] })
    hashes.append(hash)
    if texts.count * 2 > table.count { grow() }
    return UInt32(texts.count - 1)
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

  private func isEqual(_ known: [UInt8], _ text: Span<UInt8>) -> Bool {
    guard known.count == text.count else { return false }
    for index in known.indices where known[index] != text[index] { return false }
    return true
  }
}
