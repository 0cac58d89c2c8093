import Journal
import System
import Values

/// A node's way to the journal, which can be cut or slow, and lose answers.
final class Road: Journal {
  struct State: Sendable {
    var isCut = false
    /// Whether it is cut as soon as the node appends something, which then does not arrive.
    var isCutAtAppend = false
    /// Microseconds that each call takes.
    var delay: UInt32 = 1000
    /// Appends whose answer will be lost.
    var lostAnswers = 0
    /// Appends that will not arrive.
    var lostAppends = 0
    /// Appends that the primary will have alone, without an answer.
    var doubtfulAppends = 0
  }

  /// As the product waits for a server.
  private static let patience: UInt32 = 2_000_000

  private let journal: JournalPair
  /// Whether it reads from the standby alone.
  let followsStandby: Bool
  let state = Guarded(State())

  init(_ journal: JournalPair, followsStandby: Bool) {
    (self.journal, self.followsStandby) = (journal, followsStandby)
  }

  /// Takes the time of a call, and fails where the way is cut.
  private func go() throws(JournalError) {
    let state = state.withLock { $0 }
    rest(microseconds: state.isCut ? Self.patience : state.delay)
    if self.state.withLock({ $0.isCut }) { throw .unavailable(reason: "the way to the journal is cut") }
  }

  func append(_ batch: [UInt8], node: NodeName, number: BatchNumber) throws(JournalError) -> AppendedBatch {
    state.withLock { if $0.isCutAtAppend { ($0.isCut, $0.isCutAtAppend) = (true, false) } }
    try go()
    let isLost = state.withLock { state in
      guard state.lostAppends > 0 else { return false }
      state.lostAppends -= 1
      return true
    }
    if isLost { throw .unavailable(reason: "the append did not arrive") }
    let generation = journal.generation
    let appended = try journal.store(batch, node: node, number: number)
    rest(microseconds: state.withLock { $0.delay })
    let (isUnknown, isDoubtful) = state.withLock { state in
      defer {
        state.lostAnswers = max(0, state.lostAnswers - 1)
        state.doubtfulAppends = max(0, state.doubtfulAppends - 1)
      }
      return (state.lostAnswers > 0 || state.isCut, state.doubtfulAppends > 0)
    }
    if journal.generation != generation { throw .unavailable(reason: "the server ended the connection") }
    if !isDoubtful { try journal.replicate() }
    if journal.doubtful > 0 {
      rest(microseconds: Self.patience)
      throw .unavailable(reason: "the standby does not answer")
    }
    if isUnknown || isDoubtful { throw .unavailable(reason: "the answer is lost") }
    return appended
  }

  func newest(of node: NodeName) throws(JournalError) -> NodeProgress? {
    try go()
    return try journal.newest(of: node)
  }

  func nodes() throws(JournalError) -> [NodeName: NodeNote] {
    try go()
    return try journal.nodes()
  }

  func read(after position: JournalPosition, atMost count: Int) throws(JournalError) -> JournalReading {
    try go()
    return try journal.server(standbyOnly: followsStandby).read(after: position, atMost: count)
  }

  func ends() throws(JournalError) -> JournalEnds {
    try go()
    return try journal.server(standbyOnly: followsStandby).ends()
  }

  func trim(before position: JournalPosition, backedUpTo backup: JournalPosition) throws(JournalError) {
    try go()
    try journal.trim(before: position, backedUpTo: backup)
  }
}
