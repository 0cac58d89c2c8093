internal import PostgreSQL
internal import System

/// A journal in a PostgreSQL database that ``JournalSetup`` has set up.
///
/// Each call is one statement in a transaction of its own: an append is one call of a function, so no client holds a
/// lock, and a pooler that gives each transaction another session serves too. Calls that append wait for one another,
/// and so do calls that read; the two have connections of their own, because an append may wait for a standby.
package final class PostgreSQLJournal: Journal {
  private let appending: Guarded<JournalLink>
  private let readers: Guarded<JournalLink>
  /// Whether batches are read from another server, which may show them later.
  private let readsElsewhere: Bool

  /// The most bytes of bodies in one reading, unless the first has more.
  private static let readBytes: Int64 = 1 << 25
  /// How many batches one statement deletes.
  private static let slice: Int64 = 10_000

  /// Names a journal; connections are made when they are needed.
  ///
  /// - Parameters:
  ///   - address: A URI or words of libpq, such as `service=skan`. Of several hosts, the one that can be written is used.
  ///   - readAddress: Where to read: the synchronous standby, which never has a batch that a failover could lose.
  ///     `nil` for the server that is written.
  ///   - identity: The journal that is expected; `nil` to take the first that is found.
  ///   - patience: How long one call tries, over new connections where one is lost; where a host does not answer at all,
  ///     the time for connecting comes on top.
  package init(
    _ address: String, readingFrom readAddress: String? = nil, identity: JournalIdentity? = nil,
    patience: Duration = .seconds(5)
  ) {
    readsElsewhere = readAddress != nil
    let known = Guarded<JournalIdentity?>(identity)
    let writable = [(name: "target_session_attrs", value: "read-write")]
    appending = Guarded(JournalLink(address, settings: writable, patience: patience, identity: known))
    readers = Guarded(
      JournalLink(
        readAddress ?? address, settings: readAddress == nil ? writable : [], patience: patience,
        identity: known))
  }

  package func append(
    _ batch: [UInt8], node: NodeName, number: BatchNumber
  ) throws(JournalError) -> AppendedBatch {
    try checkLength(of: batch)
    return try appending.withLock { [readsElsewhere] link throws(JournalError) in
      try link.run { connection, identity, seconds throws(PostgreSQLError) in
        let answer = try connection.query(
          "SELECT at, chain FROM skan_journal.append($1, $2, $3, $4)",
          [identity.value, .text(node.text), .integer(number.number), .bytes(batch)], withinSeconds: seconds)
        // Sent again, the batch waits for the standby.
        if answer.hasWarning { return nil }
        let row = try answer.firstRow()
        return AppendedBatch(
          position: JournalPosition(try row.integer(0)), node: node, number: number,
          chain: readsElsewhere || row[1] == .null ? nil : try JournalReading.digest(row, 1), body: batch)
      } explain: { error in
        guard error.state == JournalState.nodeIsTaken, let newest = error.detail.flatMap({ Int64($0) }) else {
          return nil
        }
        return .nodeIsTaken(node, newest: BatchNumber(newest), sent: number)
      }
    }
  }

  package func newest(of node: NodeName) throws(JournalError) -> NodeProgress? {
    let found = try appending.withLock { link throws(JournalError) in
      try link.run { connection, _, seconds throws(PostgreSQLError) -> [NodeProgress]? in
        let answer = try connection.query(
          "SELECT number, at FROM skan_journal.newest($1)", [.text(node.text)], withinSeconds: seconds)
        if answer.hasWarning { return nil }
        guard let row = answer.rows.first else { return [] }
        return [
          NodeProgress(
            number: BatchNumber(try row.integer(0)),
            position: JournalPosition(try row.integer(1)))
        ]
      }
    }
    return found.first
  }

  package func nodes() throws(JournalError) -> [NodeName: NodeNote] {
    try readers.withLock { link throws(JournalError) in
      try link.run { connection, _, seconds throws(PostgreSQLError) -> [NodeName: NodeNote]? in
        let answer = try connection.query(
          "SELECT name, number, position, digest FROM skan_journal.node WHERE number > 0", [],
          withinSeconds: seconds)
        var notes: [NodeName: NodeNote] = [:]
        for row in answer.rows {
          guard let node = NodeName(try row.text(0)) else {
            throw .damaged("the journal has noted a node whose name is none")
          }
          notes[node] = NodeNote(
            newest: NodeProgress(
              number: BatchNumber(try row.integer(1)), position: JournalPosition(try row.integer(2))),
            digest: try row.bytes(3))
        }
        return notes
      }
    }
  }

  package func read(
    after position: JournalPosition, atMost count: Int
  ) throws(JournalError) -> JournalReading {
    try reading(after: position, atMost: max(1, count))
  }

  package func ends() throws(JournalError) -> JournalEnds { try reading(after: .start, atMost: 0).ends }

  /// One state of the journal: about it, then the batch at the position without its body, then those behind it.
  ///
  /// The limit of one row is for the planner: it takes tables without statistics for large ones, and would compile the
  /// statement anew for each reading.
  private static let sql = """
    SELECT e.identity, e.first, e.last, e.chain, b.position, b.node, b.number, b.chain, b.body
    FROM (
      SELECT h.identity, a.first, h.position AS last, h.chain
      FROM skan_journal.about a CROSS JOIN skan_journal.head h LIMIT 1
    ) e LEFT JOIN (
      SELECT position, node, number, chain, CASE WHEN position > $1 THEN body END AS body FROM (
        SELECT *, sum(CASE WHEN position > $1 THEN octet_length(body) ELSE 0 END)
            OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM (SELECT * FROM skan_journal.batch WHERE position >= $1 ORDER BY position LIMIT $2) found
      ) summed WHERE coalesce(before, 0) < $3
    ) b ON true ORDER BY b.position
    """

  private func reading(
    after position: JournalPosition, atMost count: Int
  ) throws(JournalError) -> JournalReading {
    let limit = count == 0 ? 0 : Int64(count) &+ 1
    let parameters: [PostgreSQLValue] = [
      .integer(position.number), .integer(limit), .integer(Self.readBytes),
    ]
    return try readers.withLock { link throws(JournalError) in
      try link.run { connection, _, seconds throws(PostgreSQLError) -> JournalReading? in
        try JournalReading(
          connection.query(Self.sql, parameters, withinSeconds: seconds), after: position, atMost: count)
      }
    }
  }

  package func trim(
    before position: JournalPosition, backedUpTo backup: JournalPosition
  ) throws(JournalError) {
    let ends = try ends()
    try checkTrim(before: position, backedUpTo: backup, last: ends.last)
    var first = ends.first.number
    while first < position.number {
      let next = min(position.number, first + Self.slice)
      first = try appending.withLock { link throws(JournalError) in
        try link.run { connection, _, seconds throws(PostgreSQLError) -> Int64? in
          let answer = try connection.query(
            "SELECT skan_journal.delete_before($1)", [.integer(next)], withinSeconds: seconds)
          return try max(next, answer.firstRow().integer(0))
        }
      }
    }
  }
}

extension JournalReading {
  /// Reads the answer to ``PostgreSQLJournal``'s statement.
  fileprivate init(
    _ answer: PostgreSQLAnswer, after position: JournalPosition, atMost count: Int
  ) throws(PostgreSQLError) {
    let first = try answer.firstRow()
    let (high, low) = try first.uuid(0)
    let ends = JournalEnds(
      identity: JournalIdentity(high: high, low: low), first: JournalPosition(try first.integer(1)),
      last: JournalPosition(try first.integer(2)), chain: try Self.digest(first, 3))
    var here: ChainDigest?
    var batches: [JournalBatch] = []
    for row in answer.rows where row[4] != .null {
      let at = JournalPosition(try row.integer(4))
      guard at > position else {
        // One that is none shows nothing of the past; the next batch does.
        here = ChainDigest(bytes: try row.bytes(7))
        continue
      }
      // One more was asked for, because the position's own may be gone.
      guard batches.count < count else { break }
      let chain = try Self.digest(row, 7)
      guard let node = NodeName(try row.text(5)) else {
        throw .damaged("a batch has a node whose name is none")
      }
      batches.append(
        JournalBatch(
          position: at, node: node, number: BatchNumber(try row.integer(6)), chain: chain,
          body: try row.bytes(8)))
    }
    self.init(ends: ends, chain: here, batches: batches)
  }

  fileprivate static func digest(_ row: PostgreSQLRow, _ column: Int) throws(PostgreSQLError) -> ChainDigest {
    guard let digest = ChainDigest(bytes: try row.bytes(column)) else {
      throw .unexpectedAnswer("a digest of the journal has not 32 bytes")
    }
    return digest
  }
}

extension PostgreSQLError {
  /// What is stored is no journal's, so that another try gives the same.
  fileprivate static func damaged(_ message: String) -> Self {
    Self(kind: .unexpectedAnswer, message: message, isOutcomeUnknown: false)
  }
}
