import SQLite
package import Values

/// A place in a journal at which every node notes figures of its database, so that they can be compared.
///
/// All nodes apply it to the same rows, because they apply everything in the same order.
package struct CheckpointMark: LedgerChange, Equatable {
  package static let kind = ChangeKind.checkpointMark
  /// Checkpoints that are kept.
  private static let kept: Int64 = 100

  private let at: Instant

  package init(at: Instant) { self.at = at }

  /// Returns what this database noted.
  package func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Checkpoint {
    let last = try Checkpoint.last(on: connection)
    let number = (last?.number ?? 0) &+ 1
    let newest = try CheckpointFigures.newestRows(on: connection)
    let figures = try CheckpointFigures.count(on: connection, behind: last?.newest ?? .init(), upTo: newest)
    let checkpoint = Checkpoint(number: number, at: at, newest: newest, figures: figures)
    try connection.prepare(
      "INSERT INTO checkpoint(number, at, postback, copy, figures) VALUES (?1, ?2, ?3, ?4, ?5)"
    ).run(number, at.milliseconds, newest.postback, newest.copy, figures.text)
    for table in ["checkpoint", "checkpoint_difference"] {
      try connection.prepare("DELETE FROM \(table) WHERE number <= ?1").run(number - Self.kept)
    }
    return checkpoint
  }

  package static let form = Form(Self.init) { $0.at }
}

/// What a node noted at a mark, for all others to compare with their own.
package struct CheckpointComparison: LedgerChange, Equatable {
  package static let kind = ChangeKind.checkpointComparison

  private let number: Int64
  private let node: String
  private let figures: String

  package func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    // What this database had no part in, or has forgotten, cannot be compared.
    guard let own = try Checkpoint.numbered(number, on: connection),
      let difference = own.figures.difference(from: CheckpointFigures(text: figures))
    else { return }
    try connection.prepare(
      """
      INSERT INTO checkpoint_difference(number, node, at, figure, here, there) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT DO NOTHING
      """
    ).run(number, node, own.at.milliseconds, difference.name, difference.here, difference.there)
  }

  package static let form = Form(Self.init) { ($0.number, $0.node, $0.figures) }
}

extension CheckpointComparison {
  package init(_ checkpoint: Checkpoint, of node: String) {
    self.init(number: checkpoint.number, node: node, figures: checkpoint.figures.text)
  }
}
