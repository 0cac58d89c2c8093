/// How far a node has followed a journal; to be stored in the same transaction as what was applied.
package struct JournalPlace: Equatable, Sendable {
  package let identity: JournalIdentity
  /// The last batch that was applied.
  package let position: JournalPosition
  /// The digest at ``position``.
  package let chain: ChainDigest

  package init(identity: JournalIdentity, position: JournalPosition, chain: ChainDigest) {
    self.identity = identity
    self.position = position
    self.chain = chain
  }

  /// The place before the first batch of a journal.
  package init(start identity: JournalIdentity) {
    self.init(identity: identity, position: .start, chain: ChainDigest(start: identity))
  }
}
