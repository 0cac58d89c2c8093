import SQLite

/// Looks keys up in the file alone, for the rare question about one conversion.
final class KeySearch {
  private let store: KeyStore

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) { store = try KeyStore(connection) }

  /// The conversions whose fingerprints lie in a range.
  func find(_ range: ClosedRange<UInt64>) throws(LedgerError) -> [Int64] {
    var found: [Int64] = []
    var lastPostback: Int64 = 0
    for row in try store.runs() where row.state == .live {
      lastPostback = max(lastPostback, row.lastPostback)
      var number = try firstBlock(of: row, for: range.lowerBound)
      while number < row.blocks {
        let block = try store.block(run: row.id, number: number)
        guard block.count >= KeyBlock.entrySize, KeyBlock.word(at: 0, in: block) <= range.upperBound else {
          break
        }
        found += KeyBlock.find(range, in: block)
        number += 1
      }
    }
    try store.forEachKey(after: lastPostback) { entry in
      if range.contains(entry.fingerprint) { found.append(entry.postback) }
    }
    return found
  }

  /// The last block that begins before the fingerprint: it or one of the next can hold it.
  private func firstBlock(of row: KeyStore.RunRow, for fingerprint: UInt64) throws(LedgerError) -> Int {
    var low = 0
    var high = row.blocks
    while low < high {
      let middle = (low + high) / 2
      let block = try store.block(run: row.id, number: middle)
      guard block.count >= KeyBlock.entrySize else { break }
      if KeyBlock.word(at: 0, in: block) < fingerprint { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}
