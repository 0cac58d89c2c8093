import CVirtualTime
import Journal
import System

/// The journal on a primary and its synchronous standby.
///
/// A batch is in doubt while the primary alone has it: nobody was told that it is there, and a promotion loses it. Readers see
/// what both have, until the primary is started again, which shows what it has alone.
final class JournalPair: Journal {
  private struct State: Sendable {
    var isStandbyCut = false
    /// Whether the primary was started again with a batch in doubt.
    var showsDoubtful = false
    /// Rises with everything that cuts the connections of nodes.
    var generation = 0
    /// When the primary began to have what the standby has not.
    var doubtfulSince: Int64 = 0
  }

  let primary: MemoryJournal
  let standby: MemoryJournal
  private let state = Guarded(State())

  init(identity: JournalIdentity) {
    primary = MemoryJournal(identity: identity)
    standby = MemoryJournal(identity: identity)
  }

  var generation: Int { state.withLock { $0.generation } }
  var doubtfulSince: Int64 { state.withLock { $0.doubtfulSince } }

  /// Batches that the primary alone has.
  var doubtful: Int64 {
    guard let last = try? primary.ends().last, let replicated = try? standby.ends().last else { return 0 }
    return last.number - replicated.number
  }

  /// Stores a batch on the primary alone.
  ///
  /// Where the standby does not answer, the batch before has the lock.
  func store(_ batch: [UInt8], node: NodeName, number: BatchNumber) throws(JournalError) -> AppendedBatch {
    try replicate()
    let (isCut, isRestarted) = state.withLock { ($0.isStandbyCut, $0.showsDoubtful) }
    let isAgain = try primary.newest(of: node)?.number == number
    if isCut, !isRestarted, !isAgain, doubtful > 0 {
      throw .unavailable(reason: "another append waits for the standby")
    }
    if doubtful == 0 { state.withLock { $0.doubtfulSince = virtual_time_elapsed() } }
    return try primary.append(batch, node: node, number: number)
  }

  /// Gives the standby what it lacks.
  func replicate() throws(JournalError) {
    guard state.withLock({ !$0.isStandbyCut }) else { return }
    while doubtful > 0 {
      for batch in try primary.read(after: standby.ends().last, atMost: 64).batches {
        _ = try standby.append(batch.body, node: batch.node, number: batch.number)
      }
    }
    state.withLock { $0.showsDoubtful = false }
  }

  func cutStandby() { state.withLock { $0.isStandbyCut = true } }

  /// Starts the primary again, which shows readers what no standby has, and takes the lock of who waits for it.
  func restartPrimary() {
    state.withLock { state in
      state.generation += 1
      state.showsDoubtful = state.isStandbyCut
    }
  }

  /// Puts the standby in place of the primary; returns how many batches are lost.
  func promote() -> Int64 {
    let lost = doubtful
    for _ in 0..<lost { primary.loseNewest() }
    state.withLock { state in
      state.generation += 1
      (state.isStandbyCut, state.showsDoubtful) = (false, false)
    }
    return lost
  }

  func mend() {
    state.withLock { $0.isStandbyCut = false }
    try? replicate()
  }

  /// Whether the journal has the past that a place is of.
  func has(_ place: JournalPlace) -> Bool {
    guard let reading = try? primary.read(after: place.position, atMost: 1) else { return false }
    return place.position <= reading.ends.last && (reading.chain ?? place.chain) == place.chain
  }

  /// What a node reads from; one that follows the standby reads from nothing else.
  func server(standbyOnly: Bool) -> MemoryJournal {
    !standbyOnly && state.withLock { $0.showsDoubtful } ? primary : standby
  }

  func append(_ batch: [UInt8], node: NodeName, number: BatchNumber) throws(JournalError) -> AppendedBatch {
    let appended = try store(batch, node: node, number: number)
    try replicate()
    return appended
  }

  func newest(of node: NodeName) throws(JournalError) -> NodeProgress? { try primary.newest(of: node) }

  func nodes() throws(JournalError) -> [NodeName: NodeNote] { try primary.nodes() }

  func read(after position: JournalPosition, atMost count: Int) throws(JournalError) -> JournalReading {
    try server(standbyOnly: false).read(after: position, atMost: count)
  }

  func ends() throws(JournalError) -> JournalEnds { try server(standbyOnly: false).ends() }

  func trim(before position: JournalPosition, backedUpTo backup: JournalPosition) throws(JournalError) {
    try standby.trim(before: position, backedUpTo: backup)
    try primary.trim(before: position, backedUpTo: backup)
  }

  /// Loses the newest batch on both, as servers that were restored from an older backup.
  func loseNewest() {
    primary.loseNewest()
    standby.loseNewest()
  }
}
