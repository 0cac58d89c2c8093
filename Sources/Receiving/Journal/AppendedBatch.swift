/// A batch that the journal has, as the node that appended it knows it.
package struct AppendedBatch: Equatable, Sendable {
  package let position: JournalPosition
  let node: NodeName
  let number: BatchNumber
  /// The digest of the journal up to it; `nil` where it was stored by an earlier attempt and is deleted by now, and where the
  /// server that is read may not have it yet, which a node must not be ahead of.
  let chain: ChainDigest?
  let body: [UInt8]
}
