struct KeyEntry: Equatable, Comparable {
  let fingerprint: UInt64
  let postback: Int64

  static func < (a: Self, b: Self) -> Bool {
    a.fingerprint == b.fingerprint ? a.postback < b.postback : a.fingerprint < b.fingerprint
  }
}

/// A piece of a run that fills one page of the database: sorted entries, 16 bytes each, little-endian.
enum KeyBlock {
  /// As many entries as fit beside SQLite's own bytes on a page of 4096; see "Database File Format", section 1.5.
  static let capacity = 253
  static let entrySize = 16

  static func row(run: Int64, number: Int) -> Int64 { run << 24 | Int64(number) }

  /// The number of a run's block or digest part by its row.
  static func number(ofRow row: Int64) -> Int { Int(row & (1 << 24 - 1)) }

  static func encode(_ entries: some Collection<KeyEntry>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * entrySize)
    for entry in entries {
      append(entry.fingerprint, to: &bytes)
      append(UInt64(bitPattern: entry.postback), to: &bytes)
    }
    return bytes
  }

  static func decode(_ bytes: [UInt8]) -> [KeyEntry] {
    (0..<bytes.count / entrySize).map { entry($0, in: bytes) }
  }

  /// The conversions in a block whose fingerprints lie in a range.
  static func find(_ range: ClosedRange<UInt64>, in bytes: [UInt8]) -> [Int64] {
    var low = 0
    var high = bytes.count / entrySize
    while low < high {
      let middle = (low + high) / 2
      if word(at: middle * entrySize, in: bytes) < range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var found: [Int64] = []
    while low < bytes.count / entrySize {
      let entry = entry(low, in: bytes)
      guard entry.fingerprint <= range.upperBound else { break }
      found.append(entry.postback)
      low += 1
    }
    return found
  }

  static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  static func word(at offset: Int, in bytes: [UInt8]) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  private static func entry(_ index: Int, in bytes: [UInt8]) -> KeyEntry {
    KeyEntry(
      fingerprint: word(at: index * entrySize, in: bytes),
      postback: Int64(bitPattern: word(at: index * entrySize + 8, in: bytes)))
  }
}
