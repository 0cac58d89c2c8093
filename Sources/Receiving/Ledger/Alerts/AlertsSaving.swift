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
      try write.run([
        alert.id, alert.since.milliseconds, alert.kind, alert.severity, alert.app?.number, alert.network,
        alert.campaign, alert.origin, alert.value, alert.bound, alert.sentence.column, alert.remedy.column,
        alert.command,
        alert.clearSince?.milliseconds, alert.resolvedAt?.milliseconds,
      ])
    }
    try keep(notices, on: connection)
  }

  func write(to bytes: inout ChangeEncoder) { bytes.add(alerts, notices) }
}

extension AlertsSaving {
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(alerts: try bytes.next(), notices: try bytes.next())
  }
}

/// Those that are there already stay as they are.
private func keep(_ notices: [AlertNotice], on connection: borrowing LedgerDatabase) throws(LedgerError) {
  let enqueue = try connection.prepare(
    """
    INSERT OR IGNORE INTO alert_notice(webhook, id, created_at, next_at, attempts, body)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """)
  for notice in notices {
    try enqueue.run([
      notice.webhook, notice.id, notice.createdAt.milliseconds, notice.nextAt.milliseconds,
      Int64(notice.attempts), notice.body,
    ])
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

  func write(to bytes: inout ChangeEncoder) { bytes.add(before) }
}

extension AlertsForgetting {
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) { self.init(before: try bytes.next()) }
}

struct DigestNotices: LedgerChange {
  static let kind = ChangeKind.digestNotices

  let notices: [AlertNotice]
  /// The Monday after the week.
  let end: Instant

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Bool {
    let last = try connection.prepare("SELECT at FROM last_time WHERE event = ?1")
    try last.bind(LastEvent.digest.rawValue, at: 1)
    if let known = try last.firstRow({ $0.count(0) }), known >= end.milliseconds { return false }
    try keep(notices, on: connection)
    try LastEvent.digest.note(end, on: connection)
    return true
  }

  func write(to bytes: inout ChangeEncoder) { bytes.add(notices, end) }
}

extension DigestNotices {
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(notices: try bytes.next(), end: try bytes.next())
  }
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
    ).run([webhook, id, nextAt.milliseconds, Int64(attempts)])
  }

  func write(to bytes: inout ChangeEncoder) { bytes.add(webhook, id, nextAt, attempts) }
}

extension NoticeDelay {
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(
      webhook: try bytes.next(), id: try bytes.next(), nextAt: try bytes.next(), attempts: try bytes.next())
  }
}

struct NoticeRemoval: LedgerChange {
  static let kind = ChangeKind.noticeRemoval

  let webhook: String
  let id: String

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare("DELETE FROM alert_notice WHERE webhook = ?1 AND id = ?2").run([webhook, id])
  }

  func write(to bytes: inout ChangeEncoder) { bytes.add(webhook, id) }
}

extension NoticeRemoval {
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(webhook: try bytes.next(), id: try bytes.next())
  }
}

extension AlertRecord: ChangeField {
  package func write(to bytes: inout ChangeEncoder) {
    bytes.add(
      id, kind, severity, app, network, campaign, origin, since, value, bound, sentence, remedy, command,
      clearSince, resolvedAt)
  }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(
      id: try bytes.next(), kind: try bytes.next(), severity: try bytes.next(), app: try bytes.next(),
      network: try bytes.next(), campaign: try bytes.next(), origin: try bytes.next(),
      since: try bytes.next(), value: try bytes.next(), bound: try bytes.next(),
      sentence: try bytes.next(), remedy: try bytes.next(), command: try bytes.next(),
      clearSince: try bytes.next(), resolvedAt: try bytes.next())
  }
}

extension AlertNotice: ChangeField {
  package func write(to bytes: inout ChangeEncoder) {
    bytes.add(webhook, id, createdAt, nextAt, attempts, body)
  }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(
      webhook: try bytes.next(), id: try bytes.next(), createdAt: try bytes.next(), nextAt: try bytes.next(),
      attempts: try bytes.next(), body: try bytes.next())
  }
}
