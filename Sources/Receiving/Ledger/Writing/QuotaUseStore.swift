import SQLite
import Values

/// What senders have used of ``CopyQuota`` in a UTC day: in the database, so that a restart changes nothing, nor in how many
/// pieces receipts are stored.
final class QuotaUseStore {
  /// Senders that are distinguished in one day; later ones share one account.
  private static let senders = 10_000
  private static let everyoneElse = "*"

  private let read: LedgerStatement
  private let add: LedgerStatement
  private let forget: LedgerStatement
  private var day: Day?
  private var used: [String: Int] = [:]

  init(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    read = try connection.prepare("SELECT sender, used FROM quota_use WHERE day = ?1")
    add = try connection.prepare(
      """
      INSERT INTO quota_use(day, sender, used) VALUES (?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET used = used + excluded.used
      """)
    forget = try connection.prepare("DELETE FROM quota_use WHERE day < ?1")
  }

  /// Forgets what was read of the day, so that it is read from the file again.
  func reset() { day = nil }

  /// Takes bytes into a sender's account where its quota allows that.
  ///
  /// - Returns: Whether it does.
  func takes(
    _ amount: Int, ofAtMost most: Int, from sender: String, on today: Day
  ) throws(LedgerError) -> Bool {
    try turn(to: today)
    let sender = used[sender] != nil || used.count < Self.senders ? sender : Self.everyoneElse
    let before = used[sender, default: 0]
    guard amount <= most - before else { return false }
    // With the first one of a day, however often the database was opened since. The day before stays, because receipts of
    // two machines can alternate around midnight.
    if used.isEmpty { try forget.run(Int64(today.number) - 1) }
    used[sender] = before + amount
    try add.run(Int64(today.number), sender, Int64(amount))
    return true
  }

  private func turn(to today: Day) throws(LedgerError) {
    guard day != today else { return }
    used = [:]
    try read.bind(Int64(today.number))
    try read.forEachRow { used[$0.text(0) ?? ""] = Int($0.count(1)) }
    day = today
  }
}
