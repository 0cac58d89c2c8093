import SQLite

enum KeyAudit {
  /// What does not agree, a sentence each; call it inside a transaction.
  static func contradictions(on connection: borrowing LedgerDatabase) throws(LedgerError) -> [String] {
    let store = try KeyStore(connection)
    var found: [String] = []
    var indexed = Tally()
    found += try connection.prepare(
      "SELECT id FROM key_run WHERE state NOT IN (\(KeyRun.State.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
    ).rows { "run \($0.count(0)) of the index of conversions has a state that is none" }
    var sealed: Int64 = 0
    for row in try store.runs() where row.state == .live {
      sealed = max(sealed, row.lastPostback)
      do throws(LedgerError) {
        let run = try store.load(row)
        let (isSound, keys) = try examine(run, row, store)
        if !isSound { found.append("run \(row.id) of the index of conversions is damaged") }
        indexed.add(keys)
      } catch {
        guard let damage = error.damage else { throw error }
        found.append(damage)
      }
    }
    var stored = Tally()
    try store.forEachKey(after: Int64.min) { entry in if entry.postback <= sealed { stored.add(entry) } }
    if indexed != stored {
      found.append("the index has \(indexed.keys) conversions instead of \(stored.keys)")
    }
    return found
  }

  /// Whether a run is sorted, and its digest is the one of its blocks; and what it holds.
  private static func examine(
    _ run: KeyRun, _ row: KeyStore.RunRow, _ store: KeyStore
  ) throws(LedgerError) -> (Bool, Tally) {
    var tally = Tally()
    var isSound = true
    var filter = run.filter.emptied
    var last: KeyEntry?
    for number in 0..<row.blocks {
      let entries = KeyBlock.decode(try store.block(run: row.id, number: number))
      isSound = isSound && entries.first?.fingerprint == run.fences[number]
      for entry in entries {
        if let last { isSound = isSound && last < entry }
        filter.insert(entry.fingerprint)
        tally.add(entry)
        last = entry
      }
    }
    return (isSound && filter == run.filter && tally.keys == row.keys, tally)
  }

  /// A set of keys in two numbers, whatever their order; different sets differ in them, but for one in 2^64.
  private struct Tally: Equatable {
    private(set) var keys = 0
    private var sum: UInt64 = 0

    mutating func add(_ entry: KeyEntry) {
      keys += 1
      var word = entry.fingerprint ^ (UInt64(bitPattern: entry.postback) &* 0x9E37_79B9_7F4A_7C15)
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      sum &+= word ^ (word >> 31)
    }

    mutating func add(_ other: Tally) {
      keys += other.keys
      sum &+= other.sum
    }
  }
}
