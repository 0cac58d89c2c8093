internal import OpenSSL
internal import System

/// A journal in memory, for tests and for one process alone; it keeps the laws of every engine.
package final class MemoryJournal: Journal {
  struct State {
    let identity: JournalIdentity
    var first = JournalPosition(1)
    var chain: ChainDigest
    /// The batches from ``first`` on.
    var batches: [JournalBatch] = []
    var nodes: [NodeName: Newest] = [:]
    var faults: [JournalFault] = []
    var isCut = false

    var last: JournalPosition { batches.last?.position ?? JournalPosition(first.number - 1) }
    var ends: JournalEnds { JournalEnds(identity: identity, first: first, last: last, chain: chain) }
  }

  /// The newest batch of a node.
  struct Newest {
    var progress: NodeProgress
    var digest: SHA256Digest

    init(of batch: JournalBatch) {
      progress = NodeProgress(number: batch.number, position: batch.position)
      digest = SHA256Digest(of: batch.body)
    }
  }

  let state: Guarded<State>

  package init(identity: JournalIdentity) {
    state = Guarded(State(identity: identity, chain: ChainDigest(start: identity)))
  }

  package func append(
    _ batch: [UInt8], node: NodeName, number: BatchNumber
  ) throws(JournalError) -> AppendedBatch {
    try checkLength(of: batch)
    let fault = try nextFault()
    if case .failsBefore = fault { throw .unavailable(reason: "the append fails before it is stored") }
    let appended = try state.withLock { state throws(JournalError) in
      let position = try Self.store(batch, node, number, in: &state)
      let index = Int(position.number - state.first.number)
      let chain = state.batches.indices.contains(index) ? state.batches[index].chain : nil
      return AppendedBatch(position: position, node: node, number: number, chain: chain, body: batch)
    }
    switch fault {
    case .failsAfter: throw .unavailable(reason: "the answer is lost")
    case .isLate(let microseconds): rest(microseconds: microseconds)
    case .failsBefore, nil: break
    }
    return appended
  }

  private static func store(
    _ batch: [UInt8], _ node: NodeName, _ number: BatchNumber, in state: inout State
  ) throws(JournalError) -> JournalPosition {
    let digest = SHA256Digest(of: batch)
    let newest = state.nodes[node]
    let known = newest?.progress.number ?? BatchNumber(0)
    if let newest, number == known, newest.digest == digest { return newest.progress.position }
    guard number == known.next else { throw .nodeIsTaken(node, newest: known, sent: number) }
    state.chain = state.chain.next(node: node, number: number, batch: batch)
    let added = JournalBatch(
      position: state.last.next, node: node, number: number, chain: state.chain, body: batch)
    state.batches.append(added)
    state.nodes[node] = Newest(of: added)
    return added.position
  }

  package func newest(of node: NodeName) throws(JournalError) -> NodeProgress? {
    try reachable { $0.nodes[node]?.progress }
  }

  package func nodes() throws(JournalError) -> [NodeName: NodeNote] {
    try reachable { $0.nodes.mapValues { NodeNote(newest: $0.progress, digest: $0.digest.bytes) } }
  }

  package func read(
    after position: JournalPosition, atMost count: Int
  ) throws(JournalError) -> JournalReading {
    try reachable { state in
      let passed = state.batches.firstIndex { $0.position > position } ?? state.batches.count
      let here =
        passed > 0 && state.batches[passed - 1].position == position ? state.batches[passed - 1].chain : nil
      let batches = state.batches[passed...].prefix(max(1, count))
      return JournalReading(ends: state.ends, chain: here, batches: Array(batches))
    }
  }

  package func ends() throws(JournalError) -> JournalEnds { try reachable { $0.ends } }

  package func trim(
    before position: JournalPosition, backedUpTo backup: JournalPosition
  ) throws(JournalError) {
    try checkTrim(before: position, backedUpTo: backup, last: ends().last)
    try reachable { state in
      let count = max(0, Int(clamping: position.number - state.first.number))
      state.batches.removeFirst(min(count, state.batches.count))
      state.first = max(state.first, position)
    }
  }

  private func reachable<Value: Sendable>(
    _ body: (inout State) -> Value
  ) throws(JournalError) -> Value {
    try state.withLock { state throws(JournalError) in
      guard !state.isCut else { throw .unavailable(reason: "the connection is cut") }
      return body(&state)
    }
  }

  private func nextFault() throws(JournalError) -> JournalFault? {
    try reachable { $0.faults.isEmpty ? nil : $0.faults.removeFirst() }
  }
}
