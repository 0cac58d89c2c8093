/// Which batches a journal has.
package struct JournalEnds: Equatable, Sendable {
  package let identity: JournalIdentity
  /// The oldest batch that is kept; one behind ``last`` in a journal without any.
  package let first: JournalPosition
  /// The newest batch; ``JournalPosition/start`` in a journal without any.
  package let last: JournalPosition
  /// The digest at ``last``.
  package let chain: ChainDigest
}

/// A batch with its place in the journal.
package struct JournalBatch: Equatable, Sendable {
  package let position: JournalPosition
  package let node: NodeName
  package let number: BatchNumber
  /// The digest up to and with this batch, as the journal has it.
  package let chain: ChainDigest
  package let body: [UInt8]
}

/// One state of a journal, as a reader found it behind a position.
package struct JournalReading: Equatable, Sendable {
  package let ends: JournalEnds
  /// The digest at the position itself; `nil` where its batch was deleted or is not there yet.
  package let chain: ChainDigest?
  package let batches: [JournalBatch]
}

/// The newest batch of a node.
package struct NodeProgress: Equatable, Sendable {
  package let number: BatchNumber
  package let position: JournalPosition

  package init(number: BatchNumber, position: JournalPosition) {
    self.number = number
    self.position = position
  }
}

/// What a journal has noted of a node, to know a batch that is sent again.
package struct NodeNote: Equatable, Sendable {
  package let newest: NodeProgress
  /// SHA-256 of the newest batch.
  let digest: [UInt8]

  init(newest: NodeProgress, digest: [UInt8]) {
    (self.newest, self.digest) = (newest, digest)
  }
}

extension Journal {
  /// Checks what may be deleted; both engines ask it.
  func checkTrim(
    before position: JournalPosition, backedUpTo backup: JournalPosition, last: JournalPosition
  ) throws(JournalError) {
    guard position <= backup.next else { throw .neededByBackup(position: position, backup: backup) }
    guard position <= max(last, JournalPosition(1)) else {
      throw .trimsNewest(position: position, last: last)
    }
  }

  /// Checks the length of a batch; both engines ask it.
  func checkLength(of batch: [UInt8]) throws(JournalError) {
    guard (1...BatchEnvelope.longestBatch).contains(batch.count) else {
      throw .badLength(bytes: batch.count, most: BatchEnvelope.longestBatch)
    }
  }
}
