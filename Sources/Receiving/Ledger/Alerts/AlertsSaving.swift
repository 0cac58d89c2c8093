import Postbacks
import SQLite
import Values

struct AlertsSaving: LedgerChange {
  static let kind = ChangeKind.alerts

  let alerts: [AlertRecord]
  let notices: [AlertNotice]

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    let write = try connection.prepare(
      """
      INSERT OR REPLACE INTO alert(id, since, kind, severity, app, network, campaign, origin, value, bound, sentence,
        remedy, command, clear_since, resolved_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      """)
    for alert in alerts {
      try write.run(
        alert.id, alert.since.milliseconds, alert.kind, alert.severity, alert.app?.number, alert.network,
        alert.campaign, alert.origin, alert.value, alert.bound, alert.sentence.column, alert.remedy.column,
        alert.command, alert.clearSince?.milliseconds, alert.resolvedAt?.milliseconds)
    }
    try keep(notices, on: connection)
  }

  static let form = Form(Self.init) { ($0.alerts, $0.notices) }
}

/// Those that are there already stay as they are.
private func keep(_ notices: [AlertNotice], on connection: borrowing LedgerDatabase) throws(LedgerError) {
  let enqueue = try connection.prepare(
    """
    INSERT OR IGNORE INTO alert_notice(webhook, id, created_at, next_at, attempts, body)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """)
  for notice in notices {
    try enqueue.run(
      notice.webhook, notice.id, notice.createdAt.milliseconds, notice.nextAt.milliseconds,
      Int64(notice.attempts), notice.body)
  }
}

struct AlertsForgetting: LedgerChange {
  static let kind = ChangeKind.alertsForgetting

  let before: Instant

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.execute(
      """
      DELETE FROM alert WHERE resolved_at < \(before.milliseconds);
      DELETE FROM alert_notice WHERE created_at < \(before.milliseconds)
      """)
  }

  static let form = Form(Self.init) { $0.before }
}

struct DigestNotices: LedgerChange {
  static let kind = ChangeKind.digestNotices

  let notices: [AlertNotice]
  /// The Monday after the week.
  let end: Instant

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Bool {
    let last = try connection.prepare("SELECT at FROM last_time WHERE event = ?1")
    try last.bind(LastEvent.digest.rawValue)
    if let known = try last.firstRow({ $0.count(0) }), known >= end.milliseconds { return false }
    try keep(notices, on: connection)
    try LastEvent.digest.note(end, on: connection)
    return true
  }

  static let form = Form(Self.init) { ($0.notices, $0.end) }
}

struct NoticeDelay: LedgerChange {
  static let kind = ChangeKind.noticeDelay

  let webhook: String
  let id: String
  let nextAt: Instant
  let attempts: Int

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare(
      "UPDATE alert_notice SET next_at = ?3, attempts = ?4 WHERE webhook = ?1 AND id = ?2"
    ).run(webhook, id, nextAt.milliseconds, Int64(attempts))
  }

  static let form = Form(Self.init) { ($0.webhook, $0.id, $0.nextAt, $0.attempts) }
}

struct NoticeRemoval: LedgerChange {
  static let kind = ChangeKind.noticeRemoval

  let webhook: String
  let id: String

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare("DELETE FROM alert_notice WHERE webhook = ?1 AND id = ?2").run(webhook, id)
  }

  static let form = Form(Self.init) { ($0.webhook, $0.id) }
}

extension AlertRecord: ChangeRecord {
  package static let form = Form(Self.init) {
    (
      $0.id, $0.kind, $0.severity, $0.app, $0.network, $0.campaign, $0.origin, $0.since, $0.value, $0.bound,
      $0.sentence, $0.remedy, $0.command, $0.clearSince, $0.resolvedAt
    )
  }
}

extension AlertNotice: ChangeRecord {
  package static let form = Form(Self.init) {
    ($0.webhook, $0.id, $0.createdAt, $0.nextAt, $0.attempts, $0.body)
  }
}
