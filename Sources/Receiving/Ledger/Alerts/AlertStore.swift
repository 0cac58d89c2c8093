public import Postbacks
import SQLite
import System
public import Values

/// One time that an alert fired: what it is about, since when, and its text.
public struct AlertRecord: Equatable, Sendable {
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
  package var sentence: Sentence
  package var remedy: Sentence
  public var command: String
  /// Since when the value has been well within its bound; `nil` while it is not.
  public var clearSince: Instant?
  /// When it ended; `nil` while it fires.
  public var resolvedAt: Instant?

  public var state: String { resolvedAt == nil ? "firing" : "resolved" }

  package init(
    id: String, kind: String, severity: String, app: AppID?, network: String?, campaign: String?,
    origin: String?, since: Instant, value: Double, bound: Double, sentence: Sentence, remedy: Sentence,
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
public struct AlertNotice: Equatable, Sendable {
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

/// Keeps alerts and notices.
package struct AlertStore {
  private let changes: any ChangeWriter

  /// Writes where changes go.
  package init(_ changes: any ChangeWriter) { self.changes = changes }

  /// Opens a database, and makes it when it is missing.
  package init(path: String) throws(LedgerError) { self.init(try LedgerFile(path: path)) }

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
  package func save(_ alerts: [AlertRecord], _ notices: [AlertNotice], forgettingBefore moment: Instant)
    throws(LedgerError)
  {
    for start in stride(from: 0, to: notices.count, by: Self.slice / 10) {
      if start > 0 { rest(microseconds: Self.pause) }
      let slice = notices[start..<min(start + Self.slice / 10, notices.count)]
      try changes.write(AlertsSaving(alerts: [], notices: Array(slice)))
    }
    for start in stride(from: 0, to: alerts.count, by: Self.slice) {
      if start > 0 { rest(microseconds: Self.pause) }
      let slice = alerts[start..<min(start + Self.slice, alerts.count)]
      try changes.write(AlertsSaving(alerts: Array(slice), notices: []))
    }
    try changes.write(AlertsForgetting(before: moment))
  }

  /// Keeps notices of a digest, unless those of that week or of a later one were kept before.
  ///
  /// - Parameters:
  ///   - end: The Monday after the week.
  /// - Returns: Whether they are new.
  package func save(digest notices: [AlertNotice], ofWeekBefore end: Instant) throws(LedgerError) -> Bool {
    try changes.write(DigestNotices(notices: notices, end: end))
  }

  /// Notes that a notice can't be sent before another moment.
  package func postpone(_ notice: AlertNotice) throws(LedgerError) {
    try changes.write(
      NoticeDelay(
        webhook: notice.webhook, id: notice.id, nextAt: notice.nextAt, attempts: notice.attempts))
  }

  package func remove(_ notice: AlertNotice) throws(LedgerError) {
    try changes.write(NoticeRemoval(webhook: notice.webhook, id: notice.id))
  }
}

extension LedgerReader {
  /// The alerts that fire, then those that ended at a moment or later, both from the newest.
  public func alerts(endedSince moment: Instant) throws(LedgerError) -> [AlertRecord] {
    let statement = try connection.prepare(
      """
      SELECT id, since, kind, severity, app, network, campaign, origin, value, bound, sentence, remedy, command,
        clear_since, resolved_at
      FROM alert WHERE resolved_at IS NULL OR resolved_at >= ?1
      ORDER BY resolved_at IS NOT NULL, resolved_at DESC, since DESC, id
      """)
    try statement.bind(moment.milliseconds)
    return try statement.rows { row in
      AlertRecord(
        id: row.text(0) ?? "", kind: row.text(2) ?? "", severity: row.text(3) ?? "",
        app: row.integer(4).flatMap { AppID($0) }, network: row.text(5), campaign: row.text(6),
        origin: row.text(7), since: Instant(milliseconds: row.count(1)), value: row.real(8),
        bound: row.real(9), sentence: Sentence(column: row.text(10)),
        remedy: Sentence(column: row.text(11)),
        command: row.text(12) ?? "", clearSince: row.integer(13).map { Instant(milliseconds: $0) },
        resolvedAt: row.integer(14).map { Instant(milliseconds: $0) })
    }
  }

  /// What a webhook is yet to receive, the oldest first.
  ///
  /// - Parameters:
  ///   - webhook: The SHA-256 of its address.
  ///   - limit: How many at most.
  public func alertNotices(for webhook: String, limit: Int) throws(LedgerError) -> [AlertNotice] {
    let statement = try connection.prepare(
      """
      SELECT id, created_at, next_at, attempts, body FROM alert_notice WHERE webhook = ?1
      ORDER BY created_at, id LIMIT ?2
      """)
    try statement.bind(webhook, Int64(limit))
    return try statement.rows { row in
      AlertNotice(
        webhook: webhook, id: row.text(0) ?? "", createdAt: Instant(milliseconds: row.count(1)),
        nextAt: Instant(milliseconds: row.count(2)), attempts: Int(row.count(3)), body: row.bytes(4))
    }
  }
}
