/// One ordered record that many nodes append to and follow.
///
/// Batches are opaque bytes; ``BatchEnvelope`` is what nodes put into them. ``JournalAppender`` and ``JournalFollower``
/// are the two ways to use a journal.
///
/// ```swift
/// var appender = try JournalAppender(journal, node: node)
/// let position = try appender.append(content).position
/// var follower = JournalFollower(journal, at: JournalPlace(start: try journal.ends().identity))
/// for batch in try follower.next(atMost: 100) { followed.append(batch.place.position) }
/// ```
package protocol Journal: Sendable {
  /// Appends a batch behind all others. It is durable, and survives a failover, when this returns.
  ///
  /// After ``JournalError/unavailable(reason:)`` the outcome is unknown: the same call again, with the same bytes, gives
  /// the same position, however often the batch was sent, and stores it once.
  ///
  /// - Parameters:
  ///   - batch: 1 byte to ``BatchEnvelope/longestBatch``.
  ///   - number: One more than the node's newest batch has, or its number to send that one again.
  /// - Throws: ``JournalError/nodeIsTaken(_:newest:sent:)`` for any other number, and for other bytes under the newest
  ///   number: another process uses the node's name.
  func append(_ batch: [UInt8], node: NodeName, number: BatchNumber) throws(JournalError) -> AppendedBatch

  /// The newest batch of a node; `nil` for a node without any. It waits for an append of the node that is under way.
  func newest(of node: NodeName) throws(JournalError) -> NodeProgress?

  /// What the journal has noted of each node, without waiting for an append.
  func nodes() throws(JournalError) -> [NodeName: NodeNote]

  /// The batches behind a position, in their order, and what the journal has at that position.
  ///
  /// A node's batch may come more than once from an engine that does not compare numbers; ``JournalFollower`` skips it.
  ///
  /// - Parameter count: The most batches; fewer come where they are large.
  func read(after position: JournalPosition, atMost count: Int) throws(JournalError) -> JournalReading

  func ends() throws(JournalError) -> JournalEnds

  /// Deletes the batches before a position; the newest batch always stays.
  ///
  /// - Parameter backup: The position of the oldest verified backup, from which a lost node can begin again.
  /// - Throws: ``JournalError/neededByBackup(position:backup:)`` where a batch behind the backup would be deleted.
  func trim(before position: JournalPosition, backedUpTo backup: JournalPosition) throws(JournalError)
}
