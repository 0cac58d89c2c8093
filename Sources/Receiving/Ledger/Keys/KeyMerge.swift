import SQLite

/// Writes one run: takes sorted entries one after the other and fills block after block.
struct KeyRunBuilder {
  let id: Int64
  private let level: Int
  private var pending: [KeyEntry] = []
  private var fences: [UInt64] = []
  private var filter: KeyFilter
  private var keys = 0

  init(id: Int64, level: Int, capacity: Int) {
    self.id = id
    self.level = level
    // There are many small runs and few large ones: a better filter is cheap where it is asked most.
    filter = KeyFilter(capacity: capacity, bitsPerKey: level < 3 ? 20 : level < 4 ? 16 : 12)
    pending.reserveCapacity(KeyBlock.capacity)
  }

  mutating func append(_ entry: KeyEntry, to store: KeyStore) throws(SQLiteError) {
    pending.append(entry)
    filter.insert(entry.fingerprint)
    keys += 1
    if pending.count == KeyBlock.capacity { try flush(to: store) }
  }

  /// Writes the last block and gives the run, whose digest is still to be written.
  mutating func finish(lastPostback: Int64, to store: KeyStore) throws(SQLiteError) -> KeyRun {
    try flush(to: store)
    return KeyRun(
      id: id, level: level, keys: keys, lastPostback: lastPostback, fences: fences, filter: filter)
  }

  private mutating func flush(to store: KeyStore) throws(SQLiteError) {
    guard let first = pending.first else { return }
    try store.append(KeyBlock.encode(pending), run: id, block: fences.count)
    fences.append(first.fingerprint)
    pending.removeAll(keepingCapacity: true)
  }
}

/// Merges the runs of one level into one run of the next, a bounded step in each transaction.
struct KeyMerge {
  /// Walks one input from its first entry to its last.
  private struct Cursor {
    let run: KeyRun
    var block = 0
    var entries: ArraySlice<KeyEntry> = []

    mutating func refill(from store: KeyStore) throws(SQLiteError) {
      while entries.isEmpty, block < run.fences.count {
        entries = KeyBlock.decode(try store.block(run: run.id, number: block))[...]
        block += 1
      }
    }
  }

  /// The runs that the merged one replaces.
  let inputs: [KeyRun]
  /// The level of the inputs.
  let level: Int
  private var cursors: [Cursor]
  private var builder: KeyRunBuilder
  private var merged: KeyRun?
  private var digest: [UInt8] = []
  private var digestParts = 0

  /// The run that is being written.
  var outputID: Int64 { builder.id }

  /// Starts a merge.
  init(_ inputs: [KeyRun], level: Int, store: KeyStore, on connection: borrowing Connection)
    throws(SQLiteError)
  {
    self.inputs = inputs
    self.level = level
    let id = try store.beginRun(level: level + 1, on: connection)
    builder = KeyRunBuilder(id: id, level: level + 1, capacity: inputs.reduce(0) { $0 + $1.keys })
    cursors = []
    for run in inputs {
      var cursor = Cursor(run: run)
      try cursor.refill(from: store)
      cursors.append(cursor)
    }
  }

  /// Does one step.
  ///
  /// - Parameters:
  ///   - budget: How many keys it may move.
  ///   - store: The key tables.
  /// - Returns: The merged run when it is complete; the inputs are still live then.
  /// - Throws: ``SQLiteError``.
  mutating func advance(_ budget: Int, store: KeyStore) throws(SQLiteError) -> KeyRun? {
    guard let merged else {
      try moveKeys(budget, store: store)
      return nil
    }
    let start = digestParts * KeyDigest.partSize
    guard start < digest.count else {
      try store.finish(merged)
      return merged
    }
    let part = Array(digest[start..<min(start + KeyDigest.partSize, digest.count)])
    try store.appendDigest(part, run: merged.id, number: digestParts)
    digestParts += 1
    return nil
  }

  private mutating func moveKeys(_ budget: Int, store: KeyStore) throws(SQLiteError) {
    for _ in 0..<budget {
      var least: (cursor: Int, entry: KeyEntry)?
      for index in cursors.indices {
        guard let entry = cursors[index].entries.first else { continue }
        if let found = least, found.entry < entry { continue }
        least = (index, entry)
      }
      guard let least else {
        let run = try builder.finish(lastPostback: inputs.map(\.lastPostback).max() ?? 0, to: store)
        digest = KeyDigest.encode(fences: run.fences, filter: run.filter)
        merged = run
        return
      }
      try builder.append(least.entry, to: store)
      cursors[least.cursor].entries.removeFirst()
      if cursors[least.cursor].entries.isEmpty { try cursors[least.cursor].refill(from: store) }
    }
  }
}
