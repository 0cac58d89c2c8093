import OpenSSL
import Postbacks
import SQLite
import Values

/// Keeps and counts reports of Private Click Measurement, apart from everything that is signed.
final class WebClickStore {
  private var account: WebClickQuota.Account
  private let quota: WebClickQuota
  private let quotaUse: QuotaUseStore
  private let keptOfDay: Statement
  private let combinationsOfDay: Statement
  private let rejectedOfDay: Statement
  private let findEqual: Statement
  private let addRepeat: Statement
  private let insert: Statement
  private let findTotal: Statement
  private let addTotal: Statement
  private let addRejected: Statement

  init(_ connection: borrowing Connection, quota: WebClickQuota) throws(SQLiteError) {
    self.quota = quota
    account = WebClickQuota.Account(quota)
    quotaUse = try QuotaUseStore(.webClicks, on: connection)
    keptOfDay = try connection.prepare("SELECT coalesce(sum(kept), 0) FROM web_click_total WHERE day = ?1")
    combinationsOfDay = try connection.prepare("SELECT count(*) FROM web_click_total WHERE day = ?1")
    rejectedOfDay = try connection.prepare(
      "SELECT coalesce(sum(kept), 0) FROM web_rejected_total WHERE day = ?1")
    findEqual = try connection.prepare("SELECT id, received_at FROM web_click WHERE digest = ?1")
    addRepeat = try connection.prepare("UPDATE web_click SET times = times + 1 WHERE id = ?1")
    insert = try connection.prepare(
      """
      INSERT INTO web_click(received_at, source, reason, source_site, destination_site, source_id, trigger_data, version,
        times, digest, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?9, ?10)
      """)
    findTotal = try connection.prepare(
      """
      SELECT 1 FROM web_click_total WHERE day = ?1 AND source_site = ?2 AND destination_site = ?3 AND source_id = ?4
        AND trigger_data = ?5 AND version = ?6
      """)
    addTotal = try connection.prepare(
      """
      INSERT INTO web_click_total VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, counted_only = counted_only + excluded.counted_only,
        repeats = repeats + excluded.repeats
      """)
    addRejected = try connection.prepare(
      """
      INSERT INTO web_rejected_total VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, counted_only = counted_only + excluded.counted_only
      """)
  }

  /// Forgets what was read of the day, so that it is read from the file again.
  func reset() {
    account.reset()
    quotaUse.reset()
  }

  /// Counts a report, and keeps it where the quota allows.
  func record(
    _ reading: Result<WebClick, PostbackDefect>, of arrival: Arrival, on connection: borrowing Connection
  ) throws(SQLiteError) -> Commitment {
    let day = arrival.receivedAt.day
    try turn(to: day)
    switch reading {
    case .failure(let defect):
      let keeps = try takes(arrival, isRejected: true)
      if keeps { try add(arrival, reason: defect.code, click: nil, digest: nil) }
      try addRejected.run([Int64(day.number), defect.code, keeps ? 1 : 0, keeps ? 0 : 1])
      return Commitment(.webClick(.rejected), row: keeps ? connection.lastInsertedID : nil)
    case .success(let click):
      let digest = click.hasToken ? arrival.digest.bytes : nil
      if let digest, let first = try first(digest) {
        try addRepeat.run([first.row])
        // In the total of the day that has the first one, so that totals follow from rows.
        try count(click, on: first.day, repeats: 1)
        return Commitment(.webClick(.repeated), row: first.row)
      }
      guard try isDistinguished(click, on: day) else {
        try count(nil, on: day, countedOnly: 1)
        return Commitment(.webClick(.counted), row: nil)
      }
      guard try takes(arrival, isRejected: false) else {
        try count(click, on: day, countedOnly: 1)
        return Commitment(.webClick(.counted), row: nil)
      }
      try add(arrival, reason: nil, click: click, digest: digest)
      let row = connection.lastInsertedID
      try count(click, on: day, kept: 1)
      return Commitment(.webClick(.counted), row: row)
    }
  }

  private func turn(to today: Day) throws(SQLiteError) {
    guard account.day != today else { return }
    func number(_ statement: borrowing Statement) throws(SQLiteError) -> Int {
      try statement.bind(Int64(today.number), at: 1)
      return try statement.firstRow { Int($0.count(0)) } ?? 0
    }
    account.begin(
      today, kept: try number(keptOfDay), rejected: try number(rejectedOfDay),
      combinations: try number(combinationsOfDay))
  }

  /// Whether one more body is within the quotas, which then have it.
  private func takes(_ arrival: Arrival, isRejected: Bool) throws(SQLiteError) -> Bool {
    guard account.hasRoom(isRejected: isRejected),
      try quotaUse.takes(
        1, ofAtMost: quota.perSender, from: arrival.quotaSource, on: arrival.receivedAt.day)
    else { return false }
    account.add(isRejected: isRejected)
    return true
  }

  private func first(_ digest: [UInt8]) throws(SQLiteError) -> (row: Int64, day: Day)? {
    try findEqual.bind(digest, at: 1)
    return try findEqual.firstRow { ($0.count(0), Instant(milliseconds: $0.count(1)).day) }
  }

  /// Whether a report has a line of its own in the totals of its day, or may have one.
  private func isDistinguished(_ click: WebClick, on day: Day) throws(SQLiteError) -> Bool {
    try bind(click, on: day, to: findTotal)
    if try findTotal.firstRow({ _ in true }) == true { return true }
    return account.takesCombination()
  }

  private func add(
    _ arrival: Arrival, reason: String?, click: WebClick?, digest: [UInt8]?
  ) throws(SQLiteError) {
    try insert.run([
      arrival.receivedAt.milliseconds, arrival.quotaSource, reason, click?.sourceSite.text,
      click?.destinationSite.text, click?.sourceID, click?.triggerData, click?.version, digest, arrival.body,
    ])
  }

  private func count(
    _ click: WebClick?, on day: Day, kept: Int64 = 0, countedOnly: Int64 = 0, repeats: Int64 = 0
  ) throws(SQLiteError) {
    try bind(click, on: day, to: addTotal)
    try addTotal.bind(kept, at: 7)
    try addTotal.bind(countedOnly, at: 8)
    try addTotal.bind(repeats, at: 9)
    try addTotal.run()
  }

  /// Binds the key of a total; no report stands for all that the day does not distinguish.
  private func bind(
    _ click: WebClick?, on day: Day, to statement: borrowing Statement
  ) throws(SQLiteError) {
    try statement.bind([
      Int64(day.number), click?.sourceSite.text ?? "", click?.destinationSite.text ?? "",
      click?.sourceID ?? -1, click?.triggerData ?? -1, click?.version ?? -1,
    ])
  }
}
