import SQLite

/// Writes one run: takes sorted entries one after the other and fills block after block.
struct KeyRunBuilder {
  let id: Int64
  private let level: Int
  private var pending: [KeyEntry] = []
  private var fences: [UInt64] = []
  private var filter: KeyFilter
  private var keys: Int

  /// - Parameters:
  ///   - level: How often its keys were merged.
  ///   - written: Blocks that are written already, which ``takeWritten(_:number:)`` gets, and the keys in them.
  init(id: Int64, level: Int, capacity: Int, written: (blocks: Int, keys: Int) = (0, 0)) {
    self.id = id
    self.level = level
    fences = [UInt64](repeating: 0, count: written.blocks)
    keys = written.keys
    // There are many small runs and few large ones: a better filter is cheap where it is asked most.
    filter = KeyFilter(capacity: capacity, bitsPerKey: level < 3 ? 20 : level < 4 ? 16 : 12)
    pending.reserveCapacity(KeyBlock.capacity)
  }

  mutating func append(_ entry: KeyEntry, to store: KeyStore) throws(LedgerError) {
    pending.append(entry)
    filter.insert(entry.fingerprint)
    keys += 1
    if pending.count == KeyBlock.capacity { try flush(to: store) }
  }

  mutating func takeWritten(_ entries: [KeyEntry], number: Int) {
    guard let first = entries.first else { return }
    fences[number] = first.fingerprint
    for entry in entries { filter.insert(entry.fingerprint) }
  }

  /// Writes the last block and gives the run, whose digest is still to be written.
  mutating func finish(lastPostback: Int64, to store: KeyStore) throws(LedgerError) -> KeyRun {
    try flush(to: store)
    return KeyRun(
      id: id, level: level, keys: keys, lastPostback: lastPostback, fences: fences, filter: filter)
  }

  private mutating func flush(to store: KeyStore) throws(LedgerError) {
    guard let first = pending.first else { return }
    try store.append(KeyBlock.encode(pending), run: id, block: fences.count)
    fences.append(first.fingerprint)
    pending.removeAll(keepingCapacity: true)
  }
}

/// Merges the runs of one level into one run of the next, a bounded step in each transaction.
///
/// What is written so far is in the database, so that a merge that was interrupted can go on: each input has one place
/// behind the last entry of the output. What an earlier process wrote is read back at the end, for the digest, so that
/// processes that commit only once move keys too.
struct KeyMerge {
  /// Walks one input from its first entry to its last.
  private struct Cursor {
    let run: KeyRun
    var block = 0
    var entries: ArraySlice<KeyEntry> = []

    init(_ run: KeyRun, store: KeyStore) throws(LedgerError) {
      self.run = run
      try refill(from: store)
    }

    init(_ run: KeyRun, after last: KeyEntry, store: KeyStore) throws(LedgerError) {
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

    mutating func refill(from store: KeyStore) throws(LedgerError) {
      while entries.isEmpty, block < run.fences.count {
        entries = KeyBlock.decode(try store.block(run: run.id, number: block))[...]
        block += 1
      }
    }
  }

  private enum Stage {
    case movingKeys
    /// Blocks of the output that an earlier process wrote are read back, from that one on.
    case readingBack(Int)
    case writingDigest(Int, of: KeyRun)
  }

  /// Blocks that a step reads back at most, some ten microseconds each, and parts of the digest that a step writes then:
  /// as many as a merge of half a million keys has, which a process that commits only once is to finish.
  private static let (blocksReadBack, partsWritten) = (2560, 8)

  let inputs: [KeyRun]
  let level: Int
  private var cursors: [Cursor] = []
  private var builder: KeyRunBuilder
  private var stage: Stage
  /// Blocks of the output that an earlier process wrote.
  private let blocksFound: Int

  var outputID: Int64 { builder.id }

  init(_ inputs: [KeyRun], level: Int, store: KeyStore, on connection: borrowing LedgerDatabase)
    throws(LedgerError)
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
  init?(resuming row: KeyStore.RunRow, of inputs: [KeyRun], store: KeyStore) throws(LedgerError) {
    self.inputs = inputs
    level = row.level - 1
    blocksFound = try store.blocks(of: row.id)
    stage = .movingKeys
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
    builder = KeyRunBuilder(
      id: row.id, level: row.level, capacity: inputs.reduce(0) { $0 + $1.keys },
      written: (blocksFound, written))
    // Another version of the program may have written it, with a filter of another size.
    try store.removeDigest(of: row.id)
  }

  /// Does one step.
  ///
  /// - Parameters:
  ///   - budget: How many keys it may move.
  ///   - most: How many blocks that an earlier process wrote it may read back.
  /// - Returns: The merged run when it is complete; the inputs are still live then.
  mutating func advance(
    _ budget: Int, store: KeyStore, readingBack most: Int = blocksReadBack
  ) throws(LedgerError) -> KeyRun? {
    if case .movingKeys = stage, try moveKeys(budget, store: store) { stage = .readingBack(0) }
    if case .readingBack(let first) = stage {
      let end = min(blocksFound, first + most)
      for number in first..<end {
        builder.takeWritten(KeyBlock.decode(try store.block(run: outputID, number: number)), number: number)
      }
      let last = inputs.map(\.lastPostback).max() ?? 0
      stage =
        end < blocksFound
        ? .readingBack(end) : .writingDigest(0, of: try builder.finish(lastPostback: last, to: store))
    }
    guard case .writingDigest(let first, let merged) = stage else { return nil }
    let end = first + (blocksFound > 0 ? Self.partsWritten : 1)
    for number in first..<end {
      if try store.appendDigest(number, of: merged) { continue }
      try store.finish(merged)
      return merged
    }
    stage = .writingDigest(end, of: merged)
    return nil
  }

  /// Moves so many keys at most, and returns whether none is left.
  private mutating func moveKeys(_ budget: Int, store: KeyStore) throws(LedgerError) -> Bool {
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
