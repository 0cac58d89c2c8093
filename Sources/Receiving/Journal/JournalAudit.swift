internal import OpenSSL

/// Reads all of a journal and proves it by its chain, as far as it can be proven.
///
/// It goes on behind a fault, with the digest that the damaged batch has and with the one that it should have.
package struct JournalAudit: ~Copyable {
  package struct Fault: Equatable, Sendable {
    package let position: JournalPosition
    /// What is wrong, in one sentence without a full stop.
    package let reason: String
  }

  package struct Findings: Equatable, Sendable {
    /// Faults that are listed at most; all are counted.
    package static let listed = 1000

    /// The first faults, in the order of positions.
    package fileprivate(set) var faults: [Fault] = []
    package fileprivate(set) var faulty = 0
    /// Batches that were read.
    package fileprivate(set) var batches: Int64 = 0
    /// Batches that no digest of before proves: the first one of a journal that was trimmed, and those behind a gap.
    package fileprivate(set) var unproven: Int64 = 0

    package init() {}

    package var areSound: Bool { faulty == 0 }

    fileprivate mutating func note(_ position: JournalPosition, _ reason: String) {
      faulty += 1
      if faults.count < Self.listed { faults.append(Fault(position: position, reason: reason)) }
    }
  }

  private static let batchesAtOnce = 64

  private let journal: any Journal
  private let unpacker = BatchUnpacker()
  private let examine: ([UInt8], JournalPosition) -> String?
  private var findings = Findings()
  private var position: JournalPosition
  /// The digests that the next batch may follow; none where nothing is known of what is before it.
  private var chains: [ChainDigest]
  private var newest: [NodeName: NodeNote] = [:]

  /// Reads a journal up to the batch that is the newest one now.
  ///
  /// - Parameters:
  ///   - examine: What is wrong with an unpacked content; `nil` where nothing is.
  ///   - didRead: Called now and then with the batches that were read, and how many there are.
  /// - Throws: ``JournalError`` where the journal cannot be read at all.
  package static func run(
    _ journal: any Journal, examine: @escaping ([UInt8], JournalPosition) -> String?,
    didRead: (Int64, Int64) -> Void
  ) throws(JournalError) -> Findings {
    let ends = try journal.ends()
    var audit = JournalAudit(journal, ends, examine)
    try audit.findOldest(ends)
    try audit.read(to: ends, didRead)
    try audit.compareEnd(ends)
    try audit.compareNodes(ends)
    return audit.findings
  }

  private init(
    _ journal: any Journal, _ ends: JournalEnds, _ examine: @escaping ([UInt8], JournalPosition) -> String?
  ) {
    (self.journal, self.examine) = (journal, examine)
    position = JournalPosition(max(1, ends.first.number) - 1)
    chains = position == .start ? [ChainDigest(start: ends.identity)] : []
  }

  /// Begins with the oldest batch that is there, also where the journal has noted a later one.
  private mutating func findOldest(_ ends: JournalEnds) throws(JournalError) {
    guard
      let reading = try tried({ journal throws(JournalError) in try journal.read(after: .start, atMost: 1) }),
      let oldest = reading.batches.first?.position, oldest < reading.ends.first
    else { return }
    findings.note(
      oldest, "the batch is before the oldest one that the journal has noted, \(reading.ends.first)")
    position = JournalPosition(oldest.number - 1)
    chains = position == .start ? [ChainDigest(start: ends.identity)] : []
  }

  /// What a journal answers; `nil` where it has something that is none of a journal.
  private func tried<Answer>(
    _ ask: (any Journal) throws(JournalError) -> Answer
  ) throws(JournalError) -> Answer? {
    do throws(JournalError) { return try ask(journal) } catch {
      guard case .rejected = error else { throw error }
      return nil
    }
  }

  private mutating func read(to ends: JournalEnds, _ didRead: (Int64, Int64) -> Void) throws(JournalError) {
    let before = position.number
    while position < ends.last {
      guard let reading = try nextReading() else { continue }
      guard reading.ends.identity == ends.identity else {
        throw .otherJournal(found: reading.ends.identity, expected: ends.identity)
      }
      if reading.ends.first > max(ends.first, position.next) {
        // Another program trimmed the journal meanwhile.
        position = JournalPosition(reading.ends.first.number - 1)
        chains = []
      }
      let batches = reading.batches.filter { $0.position > position && $0.position <= ends.last }
      for batch in batches { take(batch) }
      if batches.isEmpty { gap(upTo: ends.last) }
      didRead(position.number - before, ends.last.number - before)
    }
  }

  private mutating func compareEnd(_ ends: JournalEnds) throws(JournalError) {
    if position > ends.last {
      findings.note(position.next, "the oldest batch would be behind the newest one, \(ends.last)")
    }
    if let own = chains.first, own != ends.chain {
      findings.note(ends.last, "the end of the journal has another digest than its newest batch")
    }
    let behind = try journal.read(after: ends.last, atMost: 1)
    if let batch = behind.batches.first, batch.position > behind.ends.last {
      findings.note(
        batch.position, "the batch is behind the end of the journal, which is at \(behind.ends.last)")
    }
  }

  /// Compares the newest batch of each node with what the journal has noted, by which it knows one that is sent again.
  private mutating func compareNodes(_ ends: JournalEnds) throws(JournalError) {
    let noted = try tried { journal throws(JournalError) in try journal.nodes() }
    guard let noted else {
      return findings.note(ends.last, "what the journal has noted of its nodes can't be read")
    }
    for (node, own) in newest.sorted(by: { $0.key.text < $1.key.text }) {
      let note = noted[node]
      // It may have appended meanwhile.
      if let note, note == own || (note.newest.position > ends.last && note.newest.number > own.newest.number)
      {
        continue
      }
      findings.note(
        own.newest.position,
        "it is the newest batch of node \(node), number \(own.newest.number); the journal has noted "
          + (note.map { "number \($0.newest.number) at position \($0.newest.position), or another digest" }
            ?? "none"))
    }
  }

  /// The next batches; `nil` where the next one can't be read, which is noted then.
  private mutating func nextReading() throws(JournalError) -> JournalReading? {
    do throws(JournalError) {
      return try journal.read(after: position, atMost: Self.batchesAtOnce)
    } catch {
      guard case .rejected = error else { throw error }
    }
    do throws(JournalError) {
      return try journal.read(after: position, atMost: 1)
    } catch {
      guard case .rejected(let reason) = error else { throw error }
      position = position.next
      chains = []
      findings.batches += 1
      findings.note(position, "the batch can't be read: \(reason)")
      return nil
    }
  }

  private mutating func gap(upTo last: JournalPosition) {
    let first = position.next
    findings.note(
      first, first == last ? "the batch is missing" : "the batches up to position \(last) are missing")
    position = last
    chains = []
  }

  private mutating func take(_ batch: JournalBatch) {
    if batch.position > position.next { gap(upTo: JournalPosition(batch.position.number - 1)) }
    position = batch.position
    findings.batches += 1
    let next = chains.map { $0.next(node: batch.node, number: batch.number, batch: batch.body) }
    if next.isEmpty {
      findings.unproven += 1
    } else if !next.contains(batch.chain) {
      findings.note(position, "its digest is another one")
    }
    // Either the batch is damaged, or its digest.
    chains = [batch.chain] + next.filter { $0 != batch.chain }.prefix(1)
    if let known = newest[batch.node]?.newest.number, batch.number != known.next {
      findings.note(
        position,
        "it is number \(batch.number) of node \(batch.node), whose batch before it is number \(known)")
    }
    newest[batch.node] = NodeNote(
      newest: NodeProgress(number: batch.number, position: position),
      digest: SHA256Digest(of: batch.body).bytes)
    do throws(BatchError) {
      if let defect = examine(try unpacker.unpack(batch.body), position) { findings.note(position, defect) }
    } catch {
      findings.note(position, "it can't be unpacked: \(error)")
    }
  }
}
