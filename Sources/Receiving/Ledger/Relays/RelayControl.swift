import SQLite
public import Values

/// What a relay did.
extension RelayProgress: LedgerChange {
  package static var kind: ChangeKind { .relayProgress }

  package func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare(
      """
      INSERT OR REPLACE INTO relay(
        name, place, postback, copy, delivered, delivered_at, failing_since, attempts, next_at, failure, removed_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """
    ).run(
      state.name, state.place, state.cursor.postback, state.cursor.copy, state.delivered,
      state.deliveredAt?.milliseconds, state.failingSince?.milliseconds, state.attempts,
      state.nextAt?.milliseconds, state.failure, state.removedAt?.milliseconds)
    try storeMark(on: connection)
    for letter in added {
      try connection.prepare(
        """
        INSERT INTO relay_dead_letter(relay, postback, copy, received_at, failed_at, status, reason, next_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (relay, postback, coalesce(copy, 0)) DO UPDATE SET
          failed_at = excluded.failed_at, status = excluded.status, reason = excluded.reason,
          next_at = excluded.next_at
        """
      ).run(
        letter.relay, letter.postback, letter.copy, letter.receivedAt.milliseconds,
        letter.failedAt.milliseconds, letter.status.map { Int64($0) }, letter.reason,
        letter.nextAt?.milliseconds)
    }
    for letter in changed {
      try connection.prepare(
        "UPDATE relay_dead_letter SET failed_at = ?2, status = ?3, reason = ?4, next_at = ?5 WHERE id = ?1"
      ).run(
        letter.id, letter.failedAt.milliseconds, letter.status.map { Int64($0) }, letter.reason,
        letter.nextAt?.milliseconds)
    }
    for id in removed {
      try connection.prepare("DELETE FROM relay_dead_letter WHERE id = ?1").run(id)
    }
  }

  package static let form = Form(Self.init) { ($0.state, $0.added, $0.changed, $0.removed) }
}

extension RelayState: ChangeRecord {
  package static let form = Form(Self.init) {
    (
      $0.name, $0.place, $0.cursor, $0.delivered, $0.deliveredAt, $0.failingSince, $0.attempts, $0.nextAt,
      $0.failure, $0.removedAt
    )
  }
}

extension RelayCursor: ChangeRecord {
  package static let form = Form(Self.init) { ($0.postback, $0.copy) }
}

extension DeadLetter: ChangeRecord {
  package static let form = Form(Self.init) {
    ($0.id, $0.relay, $0.postback, $0.copy, $0.receivedAt, $0.failedAt, $0.status, $0.reason, $0.nextAt)
  }
}

/// Changes relays from outside the service that runs them.
package struct RelayControl {
  private let changes: any ChangeWriter

  /// Writes where changes go.
  package init(_ changes: any ChangeWriter) { self.changes = changes }

  /// Ends a relay's pause.
  ///
  /// - Returns: Whether there is such a relay.
  package func retry(_ name: String) throws(LedgerError) -> Bool {
    try changes.write(RelayRetry(relay: name))
  }

  /// Has a relay try all that it gave up once more.
  ///
  /// - Returns: How many postbacks that are.
  package func retryDeadLetters(of name: String, now: Instant) throws(LedgerError) -> Int {
    try changes.write(DeadLetterRetry(relay: name, nextAt: now))
  }
}

struct RelayRetry: LedgerChange {
  static let kind = ChangeKind.relayRetry

  let relay: String

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Bool {
    try connection.prepare("UPDATE relay SET next_at = NULL, attempts = 0 WHERE name = ?1").run(relay)
    return connection.changedRows > 0
  }

  static let form = Form(Self.init) { $0.relay }
}

struct DeadLetterRetry: LedgerChange {
  static let kind = ChangeKind.deadLetterRetry

  let relay: String
  let nextAt: Instant

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int {
    try connection.prepare("UPDATE relay_dead_letter SET next_at = ?2 WHERE relay = ?1").run(
      relay, nextAt.milliseconds)
    return connection.changedRows
  }

  static let form = Form(Self.init) { ($0.relay, $0.nextAt) }
}

extension LedgerReader {
  /// All relays that ever ran, by name.
  public func relays() throws(LedgerError) -> [RelayState] {
    var states: [RelayState] = []
    try connection.prepare(
      """
      SELECT name, place, postback, copy, delivered, delivered_at, failing_since, attempts, next_at, failure, removed_at
      FROM relay ORDER BY name
      """
    ).forEachRow { row in
      var state = RelayState(
        name: row.text(0) ?? "", place: row.text(1) ?? "",
        cursor: RelayCursor(postback: row.count(2), copy: row.count(3)))
      state.delivered = row.count(4)
      state.deliveredAt = row.moment(5)
      state.failingSince = row.moment(6)
      state.attempts = row.count(7)
      state.nextAt = row.moment(8)
      state.failure = row.text(9)
      state.removedAt = row.moment(10)
      states.append(state)
    }
    return states
  }

  /// What relays did not send in its turn, in order.
  ///
  /// - Parameters:
  ///   - relay: The relay; `nil` for all.
  ///   - moment: Only what is to be tried again by then; `nil` for all.
  ///   - row: The number behind which they are.
  ///   - limit: How many at most.
  public func deadLetters(
    of relay: String? = nil, dueBy moment: Instant? = nil, after row: Int64 = 0, atMost limit: Int = .max
  ) throws(LedgerError) -> [DeadLetter] {
    let due = moment.map { " AND next_at <= \($0.milliseconds)" } ?? ""
    let statement = try connection.prepare(
      """
      SELECT id, relay, postback, copy, received_at, failed_at, status, reason, next_at FROM relay_dead_letter
      WHERE id > ?1\(due)\(relay == nil ? "" : " AND relay = ?2") ORDER BY id LIMIT \(limit)
      """)
    try statement.bind(row)
    if let relay { try statement.bind(relay, at: 2) }
    return try statement.rows { row in
      DeadLetter(
        id: row.count(0), relay: row.text(1) ?? "", postback: row.count(2), copy: row.integer(3),
        receivedAt: Instant(milliseconds: row.count(4)), failedAt: Instant(milliseconds: row.count(5)),
        status: row.integer(6).map { Int($0) }, reason: row.text(7) ?? "", nextAt: row.moment(8))
    }
  }

  /// How many postbacks each relay has given up, and how many are to be tried once more.
  public func deadLetterCounts() throws(LedgerError) -> [String: (dead: Int64, retrying: Int64)] {
    var counts: [String: (dead: Int64, retrying: Int64)] = [:]
    try connection.prepare(
      "SELECT relay, sum(next_at IS NULL), sum(next_at IS NOT NULL) FROM relay_dead_letter GROUP BY relay"
    ).forEachRow { row in counts[row.text(0) ?? ""] = (row.count(1), row.count(2)) }
    return counts
  }
}

extension Row {
  fileprivate borrowing func moment(_ column: Int32) -> Instant? {
    integer(column).map { Instant(milliseconds: $0) }
  }
}
