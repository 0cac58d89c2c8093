package import Journal
import SQLite

/// Keeps how far a database has followed a journal, in the transaction of what was applied.
enum JournalPlaceStore {
  /// The place; `nil` for a database that follows no journal.
  static func place(on connection: borrowing LedgerDatabase) throws(LedgerError) -> JournalPlace? {
    let select = try connection.prepare("SELECT identity, position, chain FROM journal_place")
    let row = try select.firstRow { ($0.text(0) ?? "", $0.count(1), $0.bytes(2)) }
    guard let (text, position, bytes) = row else { return nil }
    guard let identity = JournalIdentity(text), let chain = ChainDigest(bytes: bytes) else {
      throw .damaged("the place in the journal can't be read")
    }
    return JournalPlace(identity: identity, position: JournalPosition(position), chain: chain)
  }

  /// - Throws: ``LedgerError/followsJournal`` for a database that does.
  static func requireNone(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    guard try place(on: connection) == nil else { throw .followsJournal }
  }

  /// The level of the journal; the lowest for a database that follows none.
  static func level(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int64 {
    try connection.integer("SELECT level FROM journal_place") ?? LevelRaise.lowest
  }

  /// Whether the database has the bodies of postbacks; `false` for a node that only receives.
  static func keepsBodies(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Bool {
    try connection.integer("SELECT keeps_bodies FROM journal_place") != 0
  }

  /// Leaves bodies out from now on.
  static func leaveBodiesOut(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.execute("UPDATE journal_place SET keeps_bodies = 0 WHERE keeps_bodies <> 0")
  }

  /// Figures that other nodes had differently.
  static func differences(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int64 {
    try connection.integer("SELECT count(*) FROM checkpoint_difference") ?? 0
  }

  /// The newest batch of each node that was applied.
  static func numbers(on connection: borrowing LedgerDatabase) throws(LedgerError) -> [NodeName: BatchNumber]
  {
    var numbers: [NodeName: BatchNumber] = [:]
    try connection.prepare("SELECT name, number FROM journal_node").forEachRow { row in
      guard let node = NodeName(row.text(0) ?? "") else { return }
      numbers[node] = BatchNumber(row.count(1))
    }
    return numbers
  }

  static func save(_ place: JournalPlace, on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare(
      """
      INSERT INTO journal_place(id, identity, position, chain) VALUES (1, ?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET identity = excluded.identity, position = excluded.position, chain = excluded.chain
      """
    ).run(place.identity.description, place.position.number, place.chain.bytes)
  }

  static func save(_ batch: FollowedBatch, on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try save(batch.place, on: connection)
    guard batch.content != nil else { return }
    try connection.prepare("INSERT OR REPLACE INTO journal_node(name, number) VALUES (?1, ?2)").run(
      batch.node.text, batch.number.number)
  }

  static func saveUnapplied(
    _ reason: String, at position: JournalPosition, number: Int, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) {
    try connection.prepare(
      "INSERT OR REPLACE INTO unapplied_change(position, number, reason) VALUES (?1, ?2, ?3)"
    ).run(position.number, Int64(number), reason)
  }
}

extension LedgerReader {
  /// - Throws: ``LedgerError/withoutBodies`` for the database of a node that only receives.
  package func requireBodies() throws(LedgerError) {
    guard try JournalPlaceStore.keepsBodies(on: connection) else { throw .withoutBodies }
  }

  /// How far the database has followed a journal; `nil` where it follows none.
  package func journalPlace() throws(LedgerError) -> JournalPlace? {
    try JournalPlaceStore.place(on: connection)
  }

  /// How many changes of the journal could not be applied.
  package func unappliedChanges() throws(LedgerError) -> Int64 {
    try connection.integer("SELECT count(*) FROM unapplied_change") ?? 0
  }
}
