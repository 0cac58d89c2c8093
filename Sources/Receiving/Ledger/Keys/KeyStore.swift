import SQLite

/// Reads and writes the rows of the key tables.
final class KeyStore {
  private let readBlock: LedgerStatement
  private let insertBlock: LedgerStatement
  private let insertPart: LedgerStatement
  private let deleteBlocks: LedgerStatement
  private let deleteParts: LedgerStatement
  private let insertRun: LedgerStatement
  private let updateRun: LedgerStatement
  private let deleteRun: LedgerStatement
  private let listRuns: LedgerStatement
  private let countBlocks: LedgerStatement
  private let measureParts: LedgerStatement
  private let readParts: LedgerStatement
  private let listTail: LedgerStatement

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    readBlock = try connection.prepare("SELECT data FROM key_block WHERE id = ?1")
    insertBlock = try connection.prepare("INSERT INTO key_block(id, data) VALUES (?1, ?2)")
    insertPart = try connection.prepare("INSERT INTO key_digest(id, data) VALUES (?1, ?2)")
    deleteBlocks = try connection.prepare(
      "DELETE FROM key_block WHERE id IN (SELECT id FROM key_block WHERE id >= ?1 AND id < ?2 LIMIT ?3)")
    deleteParts = try connection.prepare("DELETE FROM key_digest WHERE id >= ?1 AND id < ?2")
    insertRun = try connection.prepare(
      """
      INSERT INTO key_run(state, level, keys, blocks, last_postback)
      VALUES ('\(KeyRun.State.building.rawValue)', ?1, 0, 0, 0)
      """)
    updateRun = try connection.prepare(
      "UPDATE key_run SET state = ?2, keys = ?3, blocks = ?4, last_postback = ?5 WHERE id = ?1")
    deleteRun = try connection.prepare("DELETE FROM key_run WHERE id = ?1")
    listRuns = try connection.prepare(
      "SELECT id, state, level, keys, blocks, last_postback FROM key_run ORDER BY id")
    countBlocks = try connection.prepare("SELECT max(id) FROM key_block WHERE id >= ?1 AND id < ?2")
    measureParts = try connection.prepare(
      "SELECT coalesce(sum(length(data)), 0) FROM key_digest WHERE id >= ?1 AND id < ?2")
    readParts = try connection.prepare("SELECT data FROM key_digest WHERE id >= ?1 AND id < ?2 ORDER BY id")
    listTail = try connection.prepare("SELECT id, fingerprint FROM postback WHERE id > ?1 ORDER BY id")
  }

  struct RunRow: Equatable {
    let id: Int64
    let state: KeyRun.State
    let level: Int
    let keys: Int
    let blocks: Int
    let lastPostback: Int64
  }

  func runs() throws(LedgerError) -> [RunRow] {
    var rows: [RunRow] = []
    try listRuns.forEachRow { row in
      guard let state = KeyRun.State(rawValue: row.text(1) ?? "") else { return }
      rows.append(
        RunRow(
          id: row.count(0), state: state, level: Int(row.count(2)), keys: Int(row.count(3)),
          blocks: Int(row.count(4)), lastPostback: row.count(5)))
    }
    return rows
  }

  func block(run: Int64, number: Int) throws(LedgerError) -> [UInt8] {
    try readBlock.bind(KeyBlock.row(run: run, number: number), at: 1)
    return try readBlock.firstRow { $0.bytes(0) } ?? []
  }

  func beginRun(level: Int, on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int64 {
    try insertRun.run(Int64(level))
    return connection.lastInsertedID
  }

  func append(_ data: [UInt8], run: Int64, block: Int) throws(LedgerError) {
    try insertBlock.run(KeyBlock.row(run: run, number: block), data)
  }

  /// Writes the part of that number of a run's digest, and returns whether there is one.
  func appendDigest(_ number: Int, of run: KeyRun) throws(LedgerError) -> Bool {
    let part = KeyDigest.part(number, of: run)
    guard !part.isEmpty else { return false }
    try insertPart.run(KeyBlock.row(run: run.id, number: number), part)
    return true
  }

  func finish(_ run: KeyRun) throws(LedgerError) {
    try update(
      run: run.id, state: .live, keys: run.keys, blocks: run.fences.count, lastPostback: run.lastPostback)
  }

  func retire(_ run: KeyRun) throws(LedgerError) {
    try update(
      run: run.id, state: .dead, keys: run.keys, blocks: run.fences.count, lastPostback: run.lastPostback)
  }

  func blocks(of run: Int64) throws(LedgerError) -> Int {
    try bindRows(of: run, to: countBlocks)
    return try countBlocks.firstRow { $0.isNull(0) ? 0 : KeyBlock.number(ofRow: $0.count(0)) + 1 } ?? 0
  }

  func removeDigest(of run: Int64) throws(LedgerError) {
    try bindRows(of: run, to: deleteParts)
    try deleteParts.run()
  }

  /// Declares a run dead that no process can go on with, so that its rows are removed like those of any dead run.
  func abandon(_ row: RunRow) throws(LedgerError) {
    try update(run: row.id, state: .dead, keys: 0, blocks: row.blocks, lastPostback: 0)
  }

  /// Removes up to that many blocks of a dead run, from the first one that is left.
  ///
  /// - Returns: Whether the run is gone altogether.
  func remove(deadRun run: Int64, atMost count: Int, on connection: borrowing LedgerDatabase)
    throws(LedgerError)
    -> Bool
  {
    try bindRows(of: run, to: deleteBlocks)
    try deleteBlocks.bind(Int64(count), at: 3)
    try deleteBlocks.run()
    guard connection.changedRows == 0 else { return false }
    try removeDigest(of: run)
    try deleteRun.run(run)
    return true
  }

  func load(_ row: RunRow) throws(LedgerError) -> KeyRun {
    try bindRows(of: row.id, to: measureParts)
    let bytes = Int(try measureParts.firstRow { $0.count(0) } ?? 0)
    // Memory is taken by these numbers.
    guard (0...bytes / 8).contains(row.blocks), (0...row.blocks * KeyBlock.capacity).contains(row.keys) else {
      throw .damaged("the size of key run \(row.id) is damaged")
    }
    var reading = KeyDigest.Reading(blocks: row.blocks, bytes: bytes)
    try bindRows(of: row.id, to: readParts)
    try readParts.forEachRow { reading.take($0.bytes(0)) }
    guard let digest = reading.finish() else {
      throw .damaged("the digest of key run \(row.id) is damaged")
    }
    return KeyRun(
      id: row.id, level: row.level, keys: row.keys, lastPostback: row.lastPostback, fences: digest.fences,
      filter: digest.filter)
  }

  /// Calls `body` with the keys of every conversion after the given one.
  func forEachKey(after postback: Int64, _ body: (KeyEntry) -> Void) throws(LedgerError) {
    try listTail.bind(postback)
    try listTail.forEachRow { row in
      body(KeyEntry(fingerprint: UInt64(bitPattern: row.count(1)), postback: row.count(0)))
    }
  }

  /// Binds the first row of a run's blocks or parts, and the first behind them.
  private func bindRows(of run: Int64, to statement: borrowing LedgerStatement) throws(LedgerError) {
    try statement.bind(KeyBlock.row(run: run, number: 0), KeyBlock.row(run: run + 1, number: 0))
  }

  private func update(
    run: Int64, state: KeyRun.State, keys: Int, blocks: Int, lastPostback: Int64
  ) throws(LedgerError) {
    try updateRun.run(run, state.rawValue, Int64(keys), Int64(blocks), lastPostback)
  }
}
