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

  /// Takes in a block that is written already.
  mutating func takeWritten(_ entries: [KeyEntry]) {
    guard let first = entries.first else { return }
    fences.append(first.fingerprint)
    for entry in entries { filter.insert(entry.fingerprint) }
    keys += entries.count
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
///
/// What is written so far is in the database, so that a merge that was interrupted can go on: its output is read back,
/// which is quick beside writing it, and each input has one place behind the last entry of the output.
struct KeyMerge {
  /// Walks one input from its first entry to its last.
  private struct Cursor {
    let run: KeyRun
    /// The block behind that of the entries.
    var block = 0
    var entries: ArraySlice<KeyEntry> = []

    init(_ run: KeyRun, store: KeyStore) throws(SQLiteError) {
      self.run = run
      try refill(from: store)
    }

    /// Begins behind an entry.
    init(_ run: KeyRun, after last: KeyEntry, store: KeyStore) throws(SQLiteError) {
      self.run = run
      block = run.blocks(for: last.fingerprint...last.fingerprint).lowerBound
      repeat {
        entries = []
        try refill(from: store)
        entries = entries.drop { !(last < $0) }
      } while entries.isEmpty && block < run.fences.count
    }

    /// Entries before the present one.
    var passed: Int {
      entries.isEmpty ? run.keys : (block - 1) * KeyBlock.capacity + entries.startIndex
    }

    mutating func refill(from store: KeyStore) throws(SQLiteError) {
      while entries.isEmpty, block < run.fences.count {
        entries = KeyBlock.decode(try store.block(run: run.id, number: block))[...]
        block += 1
      }
    }
  }

  private enum Stage {
    /// Blocks of the output that an earlier process wrote are read back, from that one on.
    case readingBack(Int)
    case movingKeys
    /// Parts of the digest are written, from that one on.
    case writingDigest(Int, of: KeyRun)
  }

  /// Blocks that a step reads back at most; some ten microseconds each.
  private static let blocksReadBack = 512

  /// The runs that the merged one replaces.
  let inputs: [KeyRun]
  /// The level of the inputs.
  let level: Int
  private var cursors: [Cursor] = []
  private var builder: KeyRunBuilder
  private var stage: Stage
  /// Blocks of the output that an earlier process wrote.
  private let blocksFound: Int

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
    for run in inputs { cursors.append(try Cursor(run, store: store)) }
    blocksFound = 0
    stage = .movingKeys
  }

  /// Goes on with a merge that was interrupted, or returns nil where its output is not the beginning of what comes of
  /// these inputs.
  init?(resuming row: KeyStore.RunRow, of inputs: [KeyRun], store: KeyStore) throws(SQLiteError) {
    self.inputs = inputs
    level = row.level - 1
    builder = KeyRunBuilder(id: row.id, level: row.level, capacity: inputs.reduce(0) { $0 + $1.keys })
    blocksFound = try store.blocks(of: row.id)
    stage = .readingBack(0)
    var written = 0
    if blocksFound > 0 {
      let entries = KeyBlock.decode(try store.block(run: row.id, number: blocksFound - 1))
      guard let last = entries.last else { return nil }
      for run in inputs { cursors.append(try Cursor(run, after: last, store: store)) }
      written = (blocksFound - 1) * KeyBlock.capacity + entries.count
    } else {
      for run in inputs { cursors.append(try Cursor(run, store: store)) }
    }
    guard cursors.reduce(0, { $0 + $1.passed }) == written else { return nil }
    // Another version of the program may have written it, with a filter of another size.
    try store.removeDigest(of: row.id)
  }

  /// Does one step.
  ///
  /// - Parameters:
  ///   - budget: How many keys it may move.
  ///   - store: The key tables.
  /// - Returns: The merged run when it is complete; the inputs are still live then.
  /// - Throws: ``SQLiteError``.
  mutating func advance(_ budget: Int, store: KeyStore) throws(SQLiteError) -> KeyRun? {
    if case .readingBack(let first) = stage {
      let end = min(blocksFound, first + Self.blocksReadBack)
      for number in first..<end {
        builder.takeWritten(KeyBlock.decode(try store.block(run: outputID, number: number)))
      }
      stage = end < blocksFound ? .readingBack(end) : .movingKeys
    }
    if case .movingKeys = stage, try moveKeys(budget, store: store) {
      let last = inputs.map(\.lastPostback).max() ?? 0
      stage = .writingDigest(0, of: try builder.finish(lastPostback: last, to: store))
    }
    guard case .writingDigest(let number, let merged) = stage else { return nil }
    if try store.appendDigest(number, of: merged) {
      stage = .writingDigest(number + 1, of: merged)
      return nil
    }
    try store.finish(merged)
    return merged
  }

  /// Moves so many keys at most, and returns whether none is left.
  private mutating func moveKeys(_ budget: Int, store: KeyStore) throws(SQLiteError) -> Bool {
    for _ in 0..<budget {
      var least: (cursor: Int, entry: KeyEntry)?
      for index in cursors.indices {
        guard let entry = cursors[index].entries.first else { continue }
        if let found = least, found.entry < entry { continue }
        least = (index, entry)
      }
      guard let least else { return true }
      try builder.append(least.entry, to: store)
      cursors[least.cursor].entries.removeFirst()
      if cursors[least.cursor].entries.isEmpty { try cursors[least.cursor].refill(from: store) }
    }
    return false
  }
}
