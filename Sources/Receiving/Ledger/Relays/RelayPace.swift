import SQLite
public import Values

/// How fast a relay is, and when it will have dealt with what waits.
public struct RelayPace: Equatable, Sendable {
  /// Postbacks that its address accepted a second, over two minutes at most; `nil` before the first seconds are over.
  public let accepted: Double?
  /// When nothing waits any more if it goes on like that and as many arrive; `nil` where nothing waits, or ever more.
  public let caughtUpAt: Instant?
}

/// What waited for a relay at the ends of an hour in each quarter of which it became more.
public struct RelayGrowth: Equatable, Sendable {
  /// Rows behind its cursor an hour ago.
  public let before: Int64
  /// The same now.
  public let now: Int64

  public init(before: Int64, now: Int64) {
    self.before = before
    self.now = now
  }
}

/// How far a relay was at a moment.
private struct RelayMark {
  let at: Instant
  let delivered: Int64
  let cursor: RelayCursor
}

extension RelayProgress {
  /// Minutes for which marks are kept: an hour, and somewhat more because not every minute has one.
  private static let keptMinutes: Int64 = 75
  private static let minute: Int64 = 60_000

  /// Keeps the first mark of each minute.
  func storeMark(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    guard let at = state.deliveredAt else { return }
    let minute = at.milliseconds / Self.minute
    try connection.prepare(
      "INSERT OR IGNORE INTO relay_pace(relay, minute, at, delivered, postback, copy) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
    ).run(state.name, minute, at.milliseconds, state.delivered, state.cursor.postback, state.cursor.copy)
    guard connection.changedRows > 0 else { return }
    try connection.prepare("DELETE FROM relay_pace WHERE relay = ?1 AND minute < ?2").run(
      state.name, minute - Self.keptMinutes)
  }
}

extension LedgerReader {
  private static let paceMilliseconds: Int64 = 120_000
  /// Less time than that shows no pace.
  private static let leastMilliseconds: Int64 = 2000
  private static let quarter: Int64 = 900_000

  /// How fast a relay is.
  ///
  /// - Parameters:
  ///   - state: The relay, as far as it is now.
  ///   - backlog: What waits for it.
  public func relayPace(
    of state: RelayState, _ backlog: RelayBacklog, now: Instant
  ) throws(LedgerError) -> RelayPace {
    let (first, last) = (now + -Self.paceMilliseconds, now + -Self.leastMilliseconds)
    let found = try mark(
      of: state.name, "at >= \(first.milliseconds) AND at <= \(last.milliseconds) ORDER BY minute")
    guard let mark = found else {
      let isNew = state.deliveredAt.map { $0 > first } ?? false
      return RelayPace(accepted: isNew ? nil : 0, caughtUpAt: nil)
    }
    let milliseconds = Double(now.milliseconds - mark.at.milliseconds)
    let accepted = Double(max(0, state.delivered - mark.delivered)) / milliseconds * 1000
    let gained = Double(try waiting(at: mark.at, behind: mark.cursor) - backlog.waiting)
    guard backlog.waiting > 0, gained > 0 else { return RelayPace(accepted: accepted, caughtUpAt: nil) }
    // A pace that would take years is none.
    let rest = min(Double(backlog.waiting) / gained * milliseconds, 1e12)
    return RelayPace(accepted: accepted, caughtUpAt: now + Int64(rest))
  }

  /// How the backlog of a relay has grown; `nil` where it has not, in some quarter of the last hour, or where nothing shows it.
  public func relayGrowth(
    of state: RelayState, _ backlog: RelayBacklog, now: Instant
  ) throws(LedgerError) -> RelayGrowth? {
    var before: [Int64] = []
    for quarters in stride(from: Int64(4), through: 1, by: -1) {
      let moment = now + -quarters * Self.quarter
      let found = try mark(of: state.name, "at <= \(moment.milliseconds) ORDER BY minute DESC")
      guard let mark = found else { return nil }
      before.append(try waiting(at: moment, behind: mark.cursor))
    }
    let all = before + [backlog.waiting]
    guard let first = before.first, zip(all, all.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    return RelayGrowth(before: first, now: backlog.waiting)
  }

  private func mark(of relay: String, _ which: String) throws(LedgerError) -> RelayMark? {
    let statement = try connection.prepare(
      "SELECT at, delivered, postback, copy FROM relay_pace WHERE relay = ?1 AND \(which) LIMIT 1")
    try statement.bind(relay)
    return try statement.firstRow { row in
      RelayMark(
        at: Instant(milliseconds: row.count(0)), delivered: row.count(1),
        cursor: RelayCursor(postback: row.count(2), copy: row.count(3)))
    }
  }

  /// Rows that had arrived by a moment and were behind a cursor.
  private func waiting(at moment: Instant, behind cursor: RelayCursor) throws(LedgerError) -> Int64 {
    max(0, try lastRow(of: "postback", before: moment) - cursor.postback)
      + max(0, try lastRow(of: "postback_copy", before: moment) - cursor.copy)
  }
}
