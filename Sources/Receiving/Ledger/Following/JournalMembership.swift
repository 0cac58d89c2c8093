package import Journal
import SQLite
import System

/// Makes a database the start of a journal, and a node's database one of its own again.
package enum JournalMembership {
  /// The name under which the first batch is appended.
  private static let founder = "init"

  /// Has a journal begin with what a database has, which is a node's from then on.
  ///
  /// Where it ends halfway, it can be called again.
  ///
  /// - Returns: How many postbacks the journal begins with; `nil` for a database that follows a journal already.
  /// - Throws: ``LedgerError/notOfJournal`` where the journal has other batches already, and ``LedgerError/busy`` where a
  ///   service has the database; then nothing has changed.
  package static func begin(_ journal: any Journal, with path: String) throws(LedgerError) -> Int64? {
    guard let node = NodeName(founder) else { throw .notOfJournal }
    // A service would go on writing into its file alone.
    guard let lock = FileLock(path: path + "-maintenance") else { throw .busy }
    defer { extendLifetime(lock) }
    var settings = LedgerSettings()
    settings.journal = LedgerJournal(journal, as: node)
    let connection = try LedgerWriter.open(path, settings, makesFile: false)
    guard try JournalPlaceStore.place(on: connection) == nil
    else {
      return nil
    }
    // The place is in the transaction that shows what the database has, so that nothing comes between.
    let start = try connection.transaction { () throws(LedgerError) -> JournalStart? in
      let start = try JournalStart(of: connection)
      let first = try asking { () throws(JournalError) in
        try firstBatch(of: journal, beginningWith: start, as: node)
      }
      guard let first, first.content == AnyChange.bytes(of: [.other(start)]) else { return nil }
      try JournalPlaceStore.save(first, on: connection)
      return start
    }
    guard let start else { throw .notOfJournal }
    return start.postbacks
  }

  /// The first batch of a journal, which is appended where it has none.
  private static func firstBatch(
    of journal: any Journal, beginningWith start: JournalStart, as node: NodeName
  ) throws(JournalError) -> FollowedBatch? {
    let ends = try journal.ends()
    if ends.last == .start {
      var appender = try JournalAppender(journal, node: node)
      _ = try appender.append(AnyChange.bytes(of: [.other(start)]))
    }
    var follower = JournalFollower(journal, at: JournalPlace(start: ends.identity))
    return try follower.next(atMost: 1).first
  }

  /// Has a node's database pass over its next batch, which cannot be unpacked; its service may run meanwhile.
  ///
  /// - Returns: What is wrong with the batch; `nil` where the batch at that position is not the next one or can be unpacked, and
  ///   nothing has changed.
  /// - Throws: ``LedgerError`` where the database follows no journal, or cannot follow this one.
  package static func skip(
    _ position: JournalPosition, of journal: any Journal, in path: String
  ) throws(LedgerError) -> BatchError? {
    let connection = try LedgerDatabase(path: path, mode: .readWrite)
    try Schema.requireCurrent(connection)
    return try connection.transaction { () throws(LedgerError) in
      guard let place = try JournalPlaceStore.place(on: connection) else {
        throw .journal(reason: "the database follows no journal", remedy: "Give the database of a node.")
      }
      guard place.position.next == position else { return nil }
      var follower = JournalFollower(
        journal, at: place, numbers: try JournalPlaceStore.numbers(on: connection))
      let passed = try asking { () throws(JournalError) in try follower.passOver() }
      guard let passed else { return nil }
      try JournalPlaceStore.save(passed.batch, on: connection)
      try JournalPlaceStore.saveUnapplied(
        "passed over by the operator: \(passed.defect)", at: position, number: 0, on: connection)
      return passed.defect
    }
  }

  /// Lets a database that no service has forget its journal: changes go into its file from then on.
  package static func end(of path: String) throws(LedgerError) {
    let connection = try LedgerDatabase(path: path, mode: .readWrite)
    try Schema.requireCurrent(connection)
    try connection.transaction { () throws(LedgerError) in
      try connection.execute("DELETE FROM journal_place; DELETE FROM journal_node")
    }
  }
}
