/// A sorted sequence of keys on disk that is written once and never changed.
///
/// Only its digest is in memory: the first fingerprint of each block, and a filter.
struct KeyRun {
  /// What becomes of a run; the raw value is the word in the database.
  enum State: String {
    /// Its rows are no use to anyone until it is finished.
    case building
    case live
    /// Its rows are removed, a few at a time.
    case dead
  }

  let id: Int64
  /// How often its keys were merged; runs of one level are of about one size.
  let level: Int
  let keys: Int
  /// No key of a later conversion is in this run.
  let lastPostback: Int64
  /// The first fingerprint of each block.
  let fences: [UInt64]
  let filter: KeyFilter

  /// The numbers of the blocks that can hold fingerprints of a range.
  func blocks(for range: ClosedRange<UInt64>) -> Range<Int> {
    // A fingerprint may begin at the end of the block before the first fence that equals it.
    let first = max(0, partition { $0 < range.lowerBound } - 1)
    return first..<max(first, partition { $0 <= range.upperBound })
  }

  /// How many fences fulfil a condition that holds for a leading part of them.
  private func partition(_ isBefore: (UInt64) -> Bool) -> Int {
    var low = 0
    var high = fences.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(fences[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The digest of a run as bytes: the fences, then the filter.
enum KeyDigest {
  /// Parts keep each row, and so each step of writing, small.
  static let partSize = 1 << 18

  static func encode(fences: [UInt64], filter: KeyFilter) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity((fences.count + filter.words.count) * 8)
    for word in fences { KeyBlock.append(word, to: &bytes) }
    for word in filter.words { KeyBlock.append(word, to: &bytes) }
    return bytes
  }

  /// Reads a digest; `nil` when it is too short for that many blocks and a filter.
  static func decode(_ bytes: [UInt8], blocks: Int) -> (fences: [UInt64], filter: KeyFilter)? {
    let words = (0..<bytes.count / 8).map { KeyBlock.word(at: $0 * 8, in: bytes) }
    guard words.count > blocks else { return nil }
    return (Array(words[..<blocks]), KeyFilter(words: Array(words[blocks...])))
  }
}
