/// Appends the batches of one node, each exactly once.
///
/// One thread at a time can use it.
package struct JournalAppender: ~Copyable {
  package let node: NodeName
  private let journal: any Journal
  private let packer = BatchPacker()
  /// The number of the next batch.
  package private(set) var number: BatchNumber
  private var pending: [UInt8]?

  /// Continues behind the node's newest batch.
  ///
  /// - Throws: ``JournalError`` where the journal can't be asked for it.
  package init(_ journal: any Journal, node: NodeName) throws(JournalError) {
    self.journal = journal
    self.node = node
    number = try journal.newest(of: node)?.number.next ?? .first
  }

  /// Whether a batch was sent that is not known to be in the journal; only ``resend()`` goes on.
  package var isPending: Bool { pending != nil }

  /// Packs and appends a batch; it is durable when this returns.
  ///
  /// - Throws: ``JournalError/isPending(node:)`` where an earlier batch is pending. After every other error of the journal
  ///   this one is, because an earlier attempt may be stored.
  package mutating func append(_ content: [UInt8]) throws(JournalError) -> AppendedBatch {
    guard pending == nil else { throw .isPending(node: node) }
    let batch: [UInt8]
    do throws(BatchError) { batch = try packer.pack(content) } catch { throw .cannotPack(error) }
    return try send(batch)
  }

  /// Sends the pending batch again; `nil` where none is pending.
  package mutating func resend() throws(JournalError) -> AppendedBatch? {
    guard let batch = pending else { return nil }
    return try send(batch)
  }

  private mutating func send(_ batch: [UInt8]) throws(JournalError) -> AppendedBatch {
    pending = batch
    let appended = try journal.append(batch, node: node, number: number)
    pending = nil
    number = number.next
    return appended
  }
}
