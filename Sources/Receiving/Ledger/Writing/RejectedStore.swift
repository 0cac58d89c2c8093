import OpenSSL
import SQLite
import Values

/// How many rejected bodies are stored; further ones are only counted.
///
/// Each state has a quota of its own, so that junk does not push out what can't be judged yet, such as postbacks of a
/// version that is newer than this program.
public struct RejectedQuota: Equatable, Sendable {
  /// Bodies of one state kept a source and UTC day; a file that an operator reads in has the whole day's.
  public let perSource: Int
  /// Bodies of one state kept a UTC day, all sources together.
  public let perDay: Int

  public init(perSource: Int = 100, perDay: Int = 10_000) {
    self.perSource = perSource
    self.perDay = perDay
  }
}

final class RejectedStore {
  /// Sources that are distinguished in one day; later ones share one line.
  private static let sourcesPerDay = 10_000
  private static let everyoneElse = "*"

  private let quota: RejectedQuota
  private let insert: LedgerStatement
  private let count: LedgerStatement
  private let keptToday: LedgerStatement
  private var day = Day(number: .min)
  private struct Account: Hashable {
    let source: String
    let state: String
  }

  private var keptBySource: [Account: Int] = [:]
  private var keptByState: [String: Int] = [:]

  init(_ connection: borrowing LedgerDatabase, quota: RejectedQuota) throws(LedgerError) {
    self.quota = quota
    insert = try connection.prepare(
      """
      INSERT INTO rejected(received_at, origin, source, state, reason, identifier, body, digest)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    count = try connection.prepare(
      """
      INSERT INTO rejected_total(day, origin, source, state, reason, seen, kept) VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6)
      ON CONFLICT DO UPDATE SET seen = seen + 1, kept = kept + excluded.kept
      """)
    keptToday = try connection.prepare(
      "SELECT source, state, sum(kept) FROM rejected_total WHERE day = ?1 GROUP BY source, state")
  }

  /// Forgets what was kept, so that it is read from the file again.
  func reset() { day = Day(number: .min) }

  /// Keeps a body if the quota allows, and counts it.
  ///
  /// - Returns: The row of the kept body, or `nil` when it was only counted.
  func record(
    _ rejection: Rejection, of arrival: Arrival, origin: Int64, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> Int64? {
    let (account, keeps) = try judge(rejection, of: arrival)
    keptBySource[account, default: 0] += keeps ? 1 : 0
    if keeps {
      keptByState[account.state, default: 0] += 1
      try insert.run(
        arrival.receivedAt.milliseconds, origin, account.source, account.state, rejection.reason,
        rejection.identifier, arrival.body,
        StoredDigest.value(arrival.digest.bytes, with: arrival.receivedAt.milliseconds))
    }
    let row = keeps ? connection.lastInsertedID : nil
    try count.run(Int64(day.number), origin, account.source, account.state, rejection.reason, keeps ? 1 : 0)
    return row
  }

  /// Whether a body would be kept now.
  ///
  /// Where it would not, it will not be on this day, because quotas are only used up.
  func hasRoom(for rejection: Rejection, of arrival: Arrival) throws(LedgerError) -> Bool {
    try judge(rejection, of: arrival).keeps
  }

  private func judge(
    _ rejection: Rejection, of arrival: Arrival
  ) throws(LedgerError) -> (account: Account, keeps: Bool) {
    try turn(to: arrival.receivedAt.day)
    var source = arrival.quotaSource
    let state = rejection.state.rawValue
    if keptBySource[Account(source: source, state: state)] == nil, keptBySource.count >= Self.sourcesPerDay {
      source = Self.everyoneElse
    }
    let account = Account(source: source, state: state)
    let limit = arrival.origin.route == .file ? quota.perDay : quota.perSource
    let keeps = keptByState[state, default: 0] < quota.perDay && keptBySource[account, default: 0] < limit
    return (account, keeps)
  }

  private func turn(to today: Day) throws(LedgerError) {
    guard today != day else { return }
    keptBySource = [:]
    keptByState = [:]
    try keptToday.bind(Int64(today.number))
    try keptToday.forEachRow { row in
      let account = Account(source: row.text(0) ?? "", state: row.text(1) ?? "")
      keptBySource[account] = Int(row.count(2))
      keptByState[account.state, default: 0] += Int(row.count(2))
    }
    day = today
  }
}
