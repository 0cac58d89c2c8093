public import Postbacks
import SQLite
import System
public import Values

/// One time that an alert fired: what it is about, since when, and its text.
public struct AlertRecord: Hashable, Sendable {
  /// Its kind and its scope; the same each time that it fires.
  public let id: String
  public let kind: String
  public var severity: String
  public let app: AppID?
  /// The network it is about, in lower case.
  public let network: String?
  public let campaign: String?
  /// The way of arrival it is about, such as `forwarded acme`.
  public let origin: String?
  /// When it was seen first.
  public let since: Instant
  /// What was measured last.
  public var value: Double
  /// What the value has to stay within.
  public var bound: Double
  public var sentence: String
  public var remedy: String
  public var command: String
  /// Since when the value has been well within its bound; `nil` while it is not.
  public var clearSince: Instant?
  /// When it ended; `nil` while it fires.
  public var resolvedAt: Instant?

  public var state: String { resolvedAt == nil ? "firing" : "resolved" }

  public init(
    id: String, kind: String, severity: String, app: AppID?, network: String?, campaign: String?,
    origin: String?, since: Instant, value: Double, bound: Double, sentence: String, remedy: String,
    command: String, clearSince: Instant? = nil, resolvedAt: Instant? = nil
  ) {
    self.id = id
    self.kind = kind
    self.severity = severity
    self.app = app
    self.network = network
    self.campaign = campaign
    self.origin = origin
    self.since = since
    self.value = value
    self.bound = bound
    self.sentence = sentence
    self.remedy = remedy
    self.command = command
    self.clearSince = clearSince
    self.resolvedAt = resolvedAt
  }
}

/// Something that a webhook is yet to receive.
public struct AlertNotice: Hashable, Sendable {
  /// The SHA-256 of the webhook's address, in hexadecimal digits.
  public let webhook: String
  /// Deduplication key; the same for every delivery attempt.
  public let id: String
  public let createdAt: Instant
  public var nextAt: Instant
  /// How often sending it failed.
  public var attempts: Int
  public let body: [UInt8]

  public init(
    webhook: String, id: String, createdAt: Instant, nextAt: Instant, attempts: Int = 0, body: [UInt8]
  ) {
    self.webhook = webhook
    self.id = id
    self.createdAt = createdAt
    self.nextAt = nextAt
    self.attempts = attempts
    self.body = body
  }
}

/// Keeps alerts and notices while the ledger's writer goes on; one thread owns it.
public final class AlertStore {
  private let connection: Connection

  /// Opens a database.
  ///
  /// - Parameter makesFile: Whether the file is made when it is missing; `false` beside a running service.
  public init(path: String, makesFile: Bool = true) throws(LedgerError) {
    connection = try LedgerWriter.open(path, LedgerSettings(), makesFile: makesFile)
  }

  /// Rows that one transaction takes, so that postbacks wait for a slice and not for all that began at once.
  private static let slice = 500
  /// The time between slices, without which a waiting process would hardly get the lock.
  private static let pause: UInt32 = 20_000

  /// Keeps alerts and notices, in slices.
  ///
  /// Notices go first: an interruption in between repeats an alert rather than loses it.
  ///
  /// - Parameters:
  ///   - alerts: Alerts, which replace those of the same id and moment.
  ///   - notices: Notices; those that are there already stay as they are.
  ///   - moment: Alerts that ended before it are deleted, and notices that are older.
  public func save(_ alerts: [AlertRecord], _ notices: [AlertNotice], forgettingBefore moment: Instant)
    throws(LedgerError)
  {
    for start in stride(from: 0, to: notices.count, by: Self.slice / 10) {
      if start > 0 { rest(microseconds: Self.pause) }
      try save([], notices[start..<min(start + Self.slice / 10, notices.count)])
    }
    for start in stride(from: 0, to: alerts.count, by: Self.slice) {
      if start > 0 { rest(microseconds: Self.pause) }
      try save(alerts[start..<min(start + Self.slice, alerts.count)], [])
    }
    try asLedger { () throws(SQLiteError) in
      try connection.execute(
        """
        DELETE FROM alert WHERE resolved_at < \(moment.milliseconds);
        DELETE FROM alert_notice WHERE created_at < \(moment.milliseconds)
        """)
    }
  }

  private func save(_ alerts: ArraySlice<AlertRecord>, _ notices: ArraySlice<AlertNotice>) throws(LedgerError)
  {
    try asLedger { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        let write = try connection.prepare(
          """
          INSERT OR REPLACE INTO alert(id, since, kind, severity, app, network, campaign, origin, value, bound, sentence,
            remedy, command, clear_since, resolved_at)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
          """)
        for alert in alerts { try write.run(alert) }
        try keep(notices)
      }
    }
  }

  /// Keeps notices of a digest, unless those of that week or of a later one were kept before.
  ///
  /// - Parameters:
  ///   - end: The Monday after the week.
  /// - Returns: Whether they are new.
  public func save(digest notices: [AlertNotice], ofWeekBefore end: Instant) throws(LedgerError) -> Bool {
    try asLedger { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        let last = try connection.prepare("SELECT at FROM last_time WHERE event = ?1")
        try last.bind(LastEvent.digest.rawValue, at: 1)
        if let known = try last.firstRow({ $0.count(0) }), known >= end.milliseconds { return false }
        try keep(notices[...])
        try LastEvent.digest.note(end, on: connection)
        return true
      }
    }
  }

  private func keep(_ notices: ArraySlice<AlertNotice>) throws(SQLiteError) {
    let enqueue = try connection.prepare(
      """
      INSERT OR IGNORE INTO alert_notice(webhook, id, created_at, next_at, attempts, body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    for notice in notices { try enqueue.run(notice) }
  }

  /// Notes that a notice can't be sent before another moment.
  public func postpone(_ notice: AlertNotice) throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      let update = try connection.prepare(
        "UPDATE alert_notice SET next_at = ?3, attempts = ?4 WHERE webhook = ?1 AND id = ?2")
      try update.run([notice.webhook, notice.id, notice.nextAt.milliseconds, Int64(notice.attempts)])
    }
  }

  public func remove(_ notice: AlertNotice) throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      let delete = try connection.prepare("DELETE FROM alert_notice WHERE webhook = ?1 AND id = ?2")
      try delete.run([notice.webhook, notice.id])
    }
  }
}

extension LedgerReader {
  /// The alerts that fire, then those that ended at a moment or later, both from the newest.
  public func alerts(endedSince moment: Instant) throws(LedgerError) -> [AlertRecord] {
    try asLedger { () throws(SQLiteError) in
      let statement = try connection.prepare(
        """
        SELECT id, since, kind, severity, app, network, campaign, origin, value, bound, sentence, remedy, command,
          clear_since, resolved_at
        FROM alert WHERE resolved_at IS NULL OR resolved_at >= ?1
        ORDER BY resolved_at IS NOT NULL, resolved_at DESC, since DESC, id
        """)
      try statement.bind(moment.milliseconds, at: 1)
      return try statement.rows { row in
        AlertRecord(
          id: row.text(0) ?? "", kind: row.text(2) ?? "", severity: row.text(3) ?? "",
          app: row.integer(4).flatMap { AppID($0) }, network: row.text(5), campaign: row.text(6),
          origin: row.text(7), since: Instant(milliseconds: row.count(1)), value: row.real(8),
          bound: row.real(9), sentence: row.text(10) ?? "", remedy: row.text(11) ?? "",
          command: row.text(12) ?? "", clearSince: row.integer(13).map { Instant(milliseconds: $0) },
          resolvedAt: row.integer(14).map { Instant(milliseconds: $0) })
      }
    }
  }

  /// What a webhook is yet to receive, the oldest first.
  ///
  /// - Parameters:
  ///   - webhook: The SHA-256 of its address.
  ///   - limit: How many at most.
  public func alertNotices(for webhook: String, limit: Int) throws(LedgerError) -> [AlertNotice] {
    try asLedger { () throws(SQLiteError) in
      let statement = try connection.prepare(
        """
        SELECT id, created_at, next_at, attempts, body FROM alert_notice WHERE webhook = ?1
        ORDER BY created_at, id LIMIT ?2
        """)
      try statement.bind([webhook, Int64(limit)])
      return try statement.rows { row in
        AlertNotice(
          webhook: webhook, id: row.text(0) ?? "", createdAt: Instant(milliseconds: row.count(1)),
          nextAt: Instant(milliseconds: row.count(2)), attempts: Int(row.count(3)), body: row.bytes(4))
      }
    }
  }
}

extension Statement {
  fileprivate borrowing func run(_ alert: AlertRecord) throws(SQLiteError) {
    try bind(alert.id, at: 1)
    try bind(alert.since.milliseconds, at: 2)
    try bind(alert.kind, at: 3)
    try bind(alert.severity, at: 4)
    try bind(alert.app?.number, at: 5)
    try bind(alert.network, at: 6)
    try bind(alert.campaign, at: 7)
    try bind(alert.origin, at: 8)
    try bind(alert.value, at: 9)
    try bind(alert.bound, at: 10)
    try bind(alert.sentence, at: 11)
    try bind(alert.remedy, at: 12)
    try bind(alert.command, at: 13)
    try bind(alert.clearSince?.milliseconds, at: 14)
    try bind(alert.resolvedAt?.milliseconds, at: 15)
    try run()
  }

  fileprivate borrowing func run(_ notice: AlertNotice) throws(SQLiteError) {
    try bind(notice.webhook, at: 1)
    try bind(notice.id, at: 2)
    try bind(notice.createdAt.milliseconds, at: 3)
    try bind(notice.nextAt.milliseconds, at: 4)
    try bind(Int64(notice.attempts), at: 5)
    try bind(notice.body, at: 6)
    try run()
  }
}
