package import Journal

/// The journal that a database follows, and the name under which a program appends to it.
package struct LedgerJournal: Sendable {
  package let journal: any Journal
  package let node: NodeName

  /// The node's name as text.
  package var name: String { node.text }

  package init(_ journal: any Journal, as node: NodeName) {
    self.journal = journal
    self.node = node
  }
}

/// How far a node's database has come.
package struct JournalProgress: Hashable, Sendable {
  /// The last batch that is in the database.
  package let position: JournalPosition
  /// The newest batch that the journal had at the last look.
  package let last: JournalPosition

  /// Batches that are in the database, of all nodes.
  package var applied: Int64 { position.number }
  /// Batches of the journal that are not in the database yet.
  package var behind: Int64 { max(0, last.number - position.number) }
  package var isAtEnd: Bool { behind == 0 }
}
