/// A batch that the journal has, as the node that appended it knows it.
package struct AppendedBatch: Hashable, Sendable {
  package let position: JournalPosition
  let node: NodeName
  let number: BatchNumber
  /// The digest of the journal up to it; `nil` where it was stored by an earlier attempt and is deleted by now.
  let chain: ChainDigest?
  let body: [UInt8]
}
