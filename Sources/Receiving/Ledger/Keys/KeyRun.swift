/// A sorted sequence of keys on disk that is written once and never changed.
///
/// Only its digest is in memory: the first fingerprint of each block, and a filter.
struct KeyRun {
  /// What becomes of a run; the raw value is the word in the database.
  enum State: String, CaseIterable {
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
  let lastPostback: Int64
  /// The first fingerprint of each block.
  let fences: [UInt64]
  let filter: KeyFilter

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

/// The digest of a run as bytes: the fences, then the filter, in parts that keep each row, and so each step of writing,
/// small.
enum KeyDigest {
  /// Words of a part, but for the last one, which may have fewer.
  private static let wordsPerPart = 1 << 15

  /// The part of that number, from 0; empty behind the last one.
  ///
  /// It is made when it is asked for, because the filters of all runs together fill much of the memory, and a copy of a
  /// large one would be noticed.
  static func part(_ number: Int, of run: KeyRun) -> [UInt8] {
    let (fences, words) = (run.fences, run.filter.words)
    let start = number * wordsPerPart
    let end = min(start + wordsPerPart, fences.count + words.count)
    var bytes: [UInt8] = []
    guard start < end else { return bytes }
    bytes.reserveCapacity((end - start) * 8)
    for place in start..<end {
      KeyBlock.append(place < fences.count ? fences[place] : words[place - fences.count], to: &bytes)
    }
    return bytes
  }

  /// Takes the parts of a digest one after the other.
  struct Reading {
    private var fences: [UInt64] = []
    private var words: [UInt64] = []
    private let blocks: Int

    /// Begins to read the digest of a run of so many blocks.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of all parts.
    init(blocks: Int, bytes: Int) {
      self.blocks = blocks
      fences.reserveCapacity(blocks)
      words.reserveCapacity(max(0, bytes / 8 - blocks))
    }

    mutating func take(_ part: [UInt8]) {
      for offset in stride(from: 0, to: part.count / 8 * 8, by: 8) {
        let word = KeyBlock.word(at: offset, in: part)
        if fences.count < blocks { fences.append(word) } else { words.append(word) }
      }
    }

    /// What was read; `nil` where it has not that many blocks and the lines of a filter.
    func finish() -> (fences: [UInt64], filter: KeyFilter)? {
      KeyFilter(words: words).map { (fences, $0) }
    }
  }
}
