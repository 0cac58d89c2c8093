import SQLite

/// Finds earlier copies of a conversion, at a cost that does not grow with the number of conversions.
///
/// A plain unique index over random identifiers touches a random page for each insert, and decays once it outgrows
/// the cache. Here the postback table is the truth, written in order of arrival. The newest keys are in memory;
/// older ones are in sorted runs that are written once, each behind a filter in memory, and runs of one level are
/// merged into one of the next, a bounded step in each transaction. (A log-structured merge tree; source: O'Neil,
/// Cheng, Gawlick, O'Neil, "The Log-Structured Merge-Tree".)
///
/// All of it happens inside the ledger's transactions. After a rollback the memory is ahead of the file, so the
/// caller has to call ``reset()`` before the next batch.
final class KeyIndex {
  /// Keys in memory before they become a run; a start reads them back from the rows of their postbacks.
  private let recentCapacity: Int
  /// Runs of a level before they are merged.
  private static let fanOut = 8
  /// Keys inserted for each block of a dead run that is removed; merging leaves one for some hundred keys.
  private static let keysPerSweptBlock = 16

  private let store: KeyStore
  /// Whether this process merges and sweeps; one process at a time does, all may seal.
  private let isMaintainer: Bool

  private var recent: [UInt64: Int64] = [:]
  /// Keys whose fingerprint is taken by another key; next to never.
  private var collisions: [KeyEntry] = []
  private var lastPostback: Int64 = 0
  private var runs: [KeyRun] = []
  private var merges: [KeyMerge] = []
  private var deadRuns: [Int64] = []

  init(_ connection: borrowing LedgerDatabase, isMaintainer: Bool, recentCapacity: Int) throws(LedgerError) {
    store = try KeyStore(connection)
    self.isMaintainer = isMaintainer
    self.recentCapacity = recentCapacity
  }

  /// Forgets everything, so that the next ``synchronise()`` reads it from the file.
  func reset() {
    recent.removeAll()
    collisions.removeAll()
    lastPostback = 0
    runs.removeAll()
    merges.removeAll()
    deadRuns.removeAll()
  }

  /// Takes up what the file has and the memory lacks: at the start, after ``reset()``, and when another process wrote.
  func synchronise() throws(LedgerError) {
    let rows = try store.runs()
    deadRuns = rows.filter { $0.state == .dead }.map(\.id)
    let known = Dictionary(uniqueKeysWithValues: runs.map { ($0.id, $0) })
    var live: [KeyRun] = []
    for row in rows where row.state == .live {
      if let run = known[row.id] { live.append(run) } else { live.append(try store.load(row)) }
    }
    runs = live
    if isMaintainer { try resumeMerges(rows) }
    let sealed = runs.map(\.lastPostback).max() ?? 0
    if sealed >= lastPostback {
      recent.removeAll(keepingCapacity: true)
      collisions.removeAll()
      lastPostback = sealed
    }
    // Collected first, because `insert` and the reading statement would overlap in their access to self.
    var tail: [KeyEntry] = []
    try store.forEachKey(after: lastPostback) { tail.append($0) }
    for entry in tail { insert(entry) }
  }

  /// The conversions in runs whose keys have one of these fingerprints, by fingerprint; the caller compares the keys
  /// themselves.
  ///
  /// Each run's filter is asked for all keys of a batch at once, because nearly every answer waits for memory.
  func sealed(_ fingerprints: [UInt64]) throws(LedgerError) -> [UInt64: [Int64]] {
    var found: [UInt64: [Int64]] = [:]
    for run in runs {
      for fingerprint in run.filter.suspects(among: fingerprints) {
        for number in run.blocks(for: fingerprint...fingerprint) {
          let block = try store.block(run: run.id, number: number)
          let conversions = KeyBlock.find(fingerprint...fingerprint, in: block)
          if !conversions.isEmpty { found[fingerprint, default: []] += conversions }
        }
      }
    }
    return found
  }

  /// The conversions in memory, not in a run yet, whose keys have that fingerprint.
  func recent(_ fingerprint: UInt64) -> [Int64] {
    guard let postback = recent[fingerprint] else { return [] }
    return [postback] + collisions.filter { $0.fingerprint == fingerprint }.map(\.postback)
  }

  func insert(_ entry: KeyEntry) {
    lastPostback = max(lastPostback, entry.postback)
    guard recent[entry.fingerprint] == nil else { return collisions.append(entry) }
    recent[entry.fingerprint] = entry.postback
  }

  /// Seals, merges and sweeps, in proportion to the keys that the transaction inserted.
  func maintain(inserted: Int, on connection: borrowing LedgerDatabase) throws(LedgerError) {
    if recent.count + collisions.count >= recentCapacity { try seal(on: connection) }
    guard isMaintainer else { return }
    try startMerges(on: connection)
    // Each level has to move one key for every key inserted. Twice as many halves the time in which the inputs wait
    // beside the runs that follow them, and with it the filters that each key is asked of.
    for index in merges.indices.reversed() {
      guard let merged = try merges[index].advance(2 * inserted + 16, store: store) else {
        continue
      }
      let merge = merges.remove(at: index)
      for run in merge.inputs {
        try store.retire(run)
        deadRuns.append(run.id)
      }
      let replaced = Set(merge.inputs.map(\.id))
      runs.removeAll { replaced.contains($0.id) }
      runs.append(merged)
    }
    if let dead = deadRuns.last,
      try store.remove(deadRun: dead, atMost: 1 + inserted / Self.keysPerSweptBlock, on: connection)
    {
      deadRuns.removeLast()
    }
  }

  private func seal(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    let entries = (recent.map { KeyEntry(fingerprint: $0.key, postback: $0.value) } + collisions).sorted()
    let id = try store.beginRun(level: 0, on: connection)
    var builder = KeyRunBuilder(id: id, level: 0, capacity: entries.count)
    for entry in entries { try builder.append(entry, to: store) }
    let run = try builder.finish(lastPostback: lastPostback, to: store)
    var number = 0
    while try store.appendDigest(number, of: run) { number += 1 }
    try store.finish(run)
    runs.append(run)
    recent.removeAll(keepingCapacity: true)
    collisions.removeAll()
  }

  private func startMerges(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    let busyLevels = Set(merges.map(\.level))
    for level in Set(runs.map(\.level)).subtracting(busyLevels) {
      guard let inputs = inputs(ofLevel: level) else { continue }
      merges.append(try KeyMerge(inputs, level: level, store: store, on: connection))
    }
  }

  /// Goes on with the merges that a restart interrupted: the large ones take longer than most processes run.
  private func resumeMerges(_ rows: [KeyStore.RunRow]) throws(LedgerError) {
    let underWay = Set(merges.map(\.outputID))
    for row in rows where row.state == .building && !underWay.contains(row.id) {
      let inputs = inputs(ofLevel: row.level - 1)
      if let inputs, let merge = try KeyMerge(resuming: row, of: inputs, store: store) {
        merges.append(merge)
      } else {
        try store.abandon(row)
        deadRuns.append(row.id)
      }
    }
  }

  /// The oldest runs of a level, as many as are merged at once, or nil where there are fewer.
  ///
  /// Runs of a level become live in the order of their numbers, so a merge finds its inputs again after a restart.
  private func inputs(ofLevel level: Int) -> [KeyRun]? {
    let candidates = runs.filter { $0.level == level }.sorted { $0.id < $1.id }
    return candidates.count < Self.fanOut ? nil : Array(candidates.prefix(Self.fanOut))
  }
}
