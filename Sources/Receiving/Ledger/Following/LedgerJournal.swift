package import Journal
package import Values

/// The journal that a database follows, and the name under which a program appends to it.
package struct LedgerJournal: Sendable {
  package let journal: any Journal
  package let node: NodeName
  /// What the node is for; `nil` for a program that takes the node's file as it is.
  package let role: NodeRole?
  /// The level at which this program reads and counts; one more with every change of what the same body comes to.
  let level: Int64
  /// How long appends took, in microseconds.
  package let appendMicroseconds = Histogram(
    below: [1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000])

  /// The node's name as text.
  package var name: String { node.text }

  package init(_ journal: any Journal, as node: NodeName, role: NodeRole? = nil) {
    self.init(journal, as: node, role: role, level: LevelRaise.lowest)
  }

  package init(_ journal: any Journal, as node: NodeName, role: NodeRole? = nil, level: Int64) {
    (self.journal, self.node, self.role, self.level) = (journal, node, role, level)
  }
}

/// How far a node's database has come.
package struct JournalProgress: Equatable, Sendable {
  /// The last batch that is in the database.
  package let position: JournalPosition
  /// The newest batch that the journal had at the last look.
  package let last: JournalPosition
  /// Figures that this database and another node's had differently at the same place.
  package let differences: Int64

  /// Batches that are in the database, of all nodes.
  package var applied: Int64 { position.number }
  /// Batches of the journal that are not in the database yet.
  package var behind: Int64 { max(0, last.number - position.number) }
  package var isAtEnd: Bool { behind == 0 }
}
