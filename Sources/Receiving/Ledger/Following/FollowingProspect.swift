package import Journal
import SQLite

/// Whether a node with a database can follow a journal to its end.
package enum FollowingProspect {
  /// Batches that are read at once.
  private static let batchesAtOnce = 64

  /// Reads everything that the database does not have yet, as a node would that starts with it, and applies nothing.
  ///
  /// - Parameter didRead: Called now and then with the number of batches that were read.
  /// - Throws: ``LedgerError`` with the reason for which the node would not start, or would stop.
  package static func require(
    _ reader: LedgerReader, of journal: any Journal, didRead: (Int64) -> Void = { _ in }
  ) throws(LedgerError) {
    let level = try JournalPlaceStore.level(on: reader.connection)
    guard level <= LevelRaise.lowest else {
      throw .newerLevel(level, known: LevelRaise.lowest, at: "the journal of the database")
    }
    let place: JournalPlace
    if let own = try reader.journalPlace() {
      place = own
    } else {
      place = try start(for: reader.connection, in: journal)
    }
    var follower = JournalFollower(
      journal, at: place, numbers: try JournalPlaceStore.numbers(on: reader.connection))
    while case let batches = try asking({ () throws(JournalError) in
      try follower.next(atMost: batchesAtOnce)
    }), !batches.isEmpty {
      for batch in batches {
        try AnyChange.requireKnown(
          AnyChange.all(in: batch.content ?? []), at: batch.place.position, level: LevelRaise.lowest)
      }
      didRead(follower.place.position.number - place.position.number)
    }
  }

  /// Where a database begins that follows no journal yet.
  ///
  /// - Throws: ``LedgerError/notOfJournal`` where it has other rows than the journal begins with.
  static func start(
    for connection: borrowing LedgerDatabase, in journal: any Journal
  ) throws(LedgerError) -> JournalPlace {
    let reading = try asking { () throws(JournalError) in try journal.read(after: .start, atMost: 1) }
    guard reading.ends.first <= JournalPosition(1) else {
      throw LedgerError(.deleted(after: .start, first: reading.ends.first))
    }
    let first = try reading.batches.first.map { (batch) throws(LedgerError) in try start(in: batch) } ?? nil
    let has = try JournalStart(of: connection)
    guard has == first ?? .nothing else { throw .notOfJournal }
    return JournalPlace(start: reading.ends.identity)
  }

  /// What a journal began with, where its first batch states it.
  private static func start(in batch: JournalBatch) throws(LedgerError) -> JournalStart? {
    let content: [UInt8]
    do throws(BatchError) { content = try BatchUnpacker().unpack(batch.body) } catch {
      throw LedgerError(.unreadable(at: batch.position, error))
    }
    var bytes = ChangeDecoder(content)
    guard case .success(.other(let change))? = try? AnyChange.next(in: &bytes) else { return nil }
    return change as? JournalStart
  }
}
