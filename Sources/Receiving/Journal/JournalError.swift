package import Values

/// Why a journal could not do its work, or can't be followed any further.
package enum JournalError: Error, Equatable, Sendable {
  /// No server answered in time, or an answer was lost: whether an append is stored is unknown.
  case unavailable(reason: String)
  /// Another process appends under the node's name; this one must stop.
  case nodeIsTaken(NodeName, newest: BatchNumber, sent: BatchNumber)
  /// The appender has a batch that is not known to be in the journal.
  case isPending(node: NodeName)
  case badLength(bytes: Int, most: Int)
  case cannotPack(BatchError)
  /// The server rejects what skan sends, for a missing permission for example.
  case rejected(reason: String)

  case neededByBackup(position: JournalPosition, backup: JournalPosition)
  case trimsNewest(position: JournalPosition, last: JournalPosition)

  /// The journal has another past than the place: a server lost a batch that was followed.
  case diverged(at: JournalPosition)
  case otherJournal(found: JournalIdentity, expected: JournalIdentity)
  /// The batches that come next were deleted.
  case deleted(after: JournalPosition, first: JournalPosition)
  /// A batch is not the one that was appended, or a batch is missing.
  case broken(at: JournalPosition, reason: String)
  case unreadable(at: JournalPosition, BatchError)
  /// The server does not have the place yet, as a standby that is behind; where that lasts, batches were lost.
  case serverIsBehind(place: JournalPosition, last: JournalPosition)

  /// The database has no journal.
  case notSetUp
  /// The schema's name belongs to something else.
  case foreignSchema
  case newerLayout(found: Int64, known: Int64)
  case oldServer(version: Int)
  case noRandomness(reason: String)
}

extension JournalError: CustomStringConvertible {
  /// What is wrong, in one sentence without a full stop.
  package var description: String {
    switch self {
    case .unavailable(let reason): "the journal does not answer: \(reason)"
    case .nodeIsTaken(let node, let newest, let sent):
      "another process uses the node's name: node \(node) is at batch \(newest), and this process sends \(sent)"
    case .isPending(let node): "node \(node) has a batch that is not known to be in the journal"
    case .badLength(let bytes, let most): "the batch has \(bytes) bytes; 1 to \(most) are allowed"
    case .cannotPack(let error): error.description
    case .rejected(let reason): "the journal's server rejects the request: \(reason)"
    case .neededByBackup(let position, let backup):
      "batches before \(position) can't be deleted: the oldest verified backup is at \(backup)"
    case .trimsNewest(let position, let last):
      "batches before \(position) can't be deleted: the newest batch is \(last), and stays"
    case .diverged(let position):
      "the journal has another past than this node, which followed it to position \(position)"
    case .otherJournal(let found, let expected):
      "this is journal \(found); the node follows journal \(expected)"
    case .deleted(let position, let first):
      "the node is at position \(position), and the oldest batch of the journal is \(first)"
    case .broken(let position, let reason): "the batch at position \(position) is damaged: \(reason)"
    case .unreadable(let position, let error): "the batch at position \(position) can't be read: \(error)"
    case .serverIsBehind(let place, let last):
      "the server has batches up to \(last) only; the node is at position \(place)"
    case .notSetUp: "the database has no journal"
    case .foreignSchema: "the database has a schema skan_journal that is not a journal of skan"
    case .newerLayout(let found, let known):
      "the journal has layout \(found), made by a newer skan; this skan supports layouts up to \(known)"
    case .oldServer(let version):
      "the server is PostgreSQL \(version / 10_000); a journal needs PostgreSQL \(JournalSetup.oldestServer / 10_000)"
        + " or later"
    case .noRandomness(let reason): reason
    }
  }

  package var remedy: String? {
    switch self {
    case .unavailable: "Check the address, and that the server and its synchronous standby run."
    case .nodeIsTaken(let node, _, _):
      "Stop the other process that was started as node '\(node)', or start it under a name of its own (--node); then restart "
        + "this one, which answers 503 until then. Nothing that was answered 200 is lost."
    case .isPending, .badLength, .cannotPack, .noRandomness: nil
    case .rejected: "Check the permissions of the database user."
    case .neededByBackup: "Make and verify a newer backup first."
    case .trimsNewest(_, let last): "Delete batches before \(last) at most."
    case .diverged, .broken:
      "Restore a backup of a node, or delete the node's database where the journal began empty, and start the node again."
    case .otherJournal: "Check the address; a node's database belongs to one journal."
    case .deleted: "Restore a newer backup, and start the node again."
    case .unreadable(let position, _):
      "Install the skan version of the other nodes. Where no version reads it, have every node pass over it with `skan journal "
        + "skip --position \(position)`."
    case .serverIsBehind: "Wait; where it lasts, the server lost batches: restore a backup of this node."
    case .notSetUp: "Set it up with `skan journal init`, as the owner of the database."
    case .foreignSchema: "Use another database."
    case .newerLayout: "Use the newer skan."
    case .oldServer: "Use a newer server."
    }
  }
}

extension JournalError: UserFacingError {
  /// What it means to the program that started this one.
  package var exitCode: ExitCode {
    switch self {
    case .unavailable, .serverIsBehind, .nodeIsTaken: .unavailable
    case .isPending, .noRandomness: .bug
    case .badLength, .cannotPack, .diverged, .otherJournal, .deleted, .broken, .unreadable, .notSetUp,
      .foreignSchema, .newerLayout, .oldServer:
      .data
    case .rejected: .inputOutput
    case .neededByBackup, .trimsNewest: .usage
    }
  }
}
