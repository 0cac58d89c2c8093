import SQLite
package import Values

/// What a database had at a place of its journal.
package struct Checkpoint: Equatable, Sendable {
  package let number: Int64
  /// When it was asked for, by the clock of the node that did.
  package let at: Instant
  let newest: CheckpointFigures.NewestRows
  let figures: CheckpointFigures

  static func last(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Checkpoint? {
    try one("ORDER BY number DESC LIMIT 1", on: connection)
  }

  static func numbered(
    _ number: Int64, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> Checkpoint? {
    try one("WHERE number = \(number)", on: connection)
  }

  private static func one(
    _ clauses: String, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> Checkpoint? {
    let select = try connection.prepare(
      "SELECT number, at, postback, copy, figures FROM checkpoint \(clauses)")
    return try select.firstRow { row in
      Checkpoint(
        number: row.count(0), at: Instant(milliseconds: row.count(1)),
        newest: .init(postback: row.count(2), copy: row.count(3)),
        figures: CheckpointFigures(text: row.text(4) ?? ""))
    }
  }
}

/// A figure that two nodes of a journal had differently at the same place.
package struct CheckpointDifference: Equatable, Sendable {
  /// The other node.
  package let node: String
  package let at: Instant
  package let figure: String
  package let here: String
  package let there: String

  /// What to do about it.
  package static let remedy =
    "find the wrong one with `skan rebuild`, which reads the bodies again, and restore it from a backup of a sound node"

  /// What it is, in one sentence without a full stop.
  package var sentence: String {
    "at \(at) this node had \(figure) \(here), and node '\(node)' had \(there)"
  }
}

extension LedgerReader {
  /// The newest checkpoint, and how many postbacks came behind it; `nil` where there is none.
  package func lastCheckpoint() throws(LedgerError) -> (checkpoint: Checkpoint, postbacksBehind: Int64)? {
    guard let last = try Checkpoint.last(on: connection) else { return nil }
    let newest = try CheckpointFigures.newestRows(on: connection)
    return (last, newest.postback - last.newest.postback)
  }

  /// Where this database and those of other nodes had different figures, the latest first.
  package func checkpointDifferences() throws(LedgerError) -> [CheckpointDifference] {
    try connection.prepare(
      "SELECT node, at, figure, here, there FROM checkpoint_difference ORDER BY number DESC, node LIMIT 100"
    ).rows { row in
      CheckpointDifference(
        node: row.text(0) ?? "", at: Instant(milliseconds: row.count(1)), figure: row.text(2) ?? "",
        here: row.text(3) ?? "", there: row.text(4) ?? "")
    }
  }
}
