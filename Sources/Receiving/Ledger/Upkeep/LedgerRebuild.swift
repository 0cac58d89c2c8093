import SQLite
import System

/// Reads the bodies of a database again, recounts its totals from them, and mends what differs; one thread owns it.
public final class LedgerRebuild {
  public enum Step: Hashable, Sendable {
    case examine
    case read(bodies: Int)
    case compare(TotalsDifference.Total)
  }

  public struct Findings: Equatable, Sendable {
    /// What is damaged in the file's structure or in the index of conversions, a sentence each; only a backup mends it.
    public internal(set) var damage: [String] = []
    /// Rows that are not as in their bodies.
    public internal(set) var rows = RowFindings()
    /// Totals that are not what the rows come to, the rows taken as their bodies have them where these can be read.
    public internal(set) var totals: [TotalsDifference] = []

    /// Whether nothing is damaged, nothing differs and every body could be read.
    public var areEqual: Bool { damage.isEmpty && rows.areEqual && totals.isEmpty }
  }

  /// How many totals ``check(_:)`` and ``repair(_:)`` compare.
  public static let parts = TotalsAudit.all.count + 1

  let path: String
  private let isInterrupted: () -> Bool

  /// Prepares for a database that exists.
  ///
  /// - Parameters:
  ///   - path: The database file.
  ///   - isInterrupted: Looked at now and then; `true` ends the work as ``LedgerError/tookTooLong``, with nothing changed.
  public init(path: String, isInterrupted: @escaping () -> Bool = { false }) {
    self.path = path
    self.isInterrupted = isInterrupted
  }

  /// Compares all rows with their bodies, and all totals with what they come to, in one state of the database.
  ///
  /// Its writer goes on meanwhile.
  ///
  /// - Parameter onStep: Called before each total, and now and then while bodies are read.
  /// - Complexity: Linear in the bodies, and in the rows but for sorting them.
  public func check(_ onStep: (Step) -> Void = { _ in }) throws(LedgerError) -> Findings {
    let reader = try LedgerReader(path: path)
    try reader.requireBodies()
    reader.connection.endStatements(when: isInterrupted)
    return try reader.consistently { () throws(LedgerError) in
      var findings = Findings()
      onStep(.examine)
      findings.damage = try reader.structuralDamage()
      do throws(LedgerError) {
        try compare(reader, &findings, onStep)
      } catch {
        // What can't be read may be all that `PRAGMA integrity_check` did not list.
        guard let damage = error.damage else { throw error }
        findings.damage.append(damage)
      }
      return findings
    }
  }

  private func compare(
    _ reader: LedgerReader, _ findings: inout Findings, _ onStep: (Step) -> Void
  ) throws(LedgerError) {
    findings.damage += try KeyAudit.contradictions(on: reader.connection)
    let rows = try RowAudit(on: reader.connection) { onStep(.read(bodies: $0)) }
    findings.rows = rows.findings
    try rows.show(on: reader.connection)
    let names = try DifferenceNames(reader.connection)
    for part in TotalsAudit.all {
      onStep(.compare(part.total))
      try part.forEachDifference(on: reader.connection, names) { findings.totals.append($0) }
    }
    onStep(.compare(.facts))
    findings.totals += try FactsAudit.differences(on: reader.connection)
  }

  /// Sets every row that differs to what its body has, and then every total that differs, in one transaction.
  ///
  /// A row whose body can't be read stays as it is, and so does a damaged index of conversions.
  ///
  /// Where no row gives the hour or day of each arrival, the total keeps what it has as long as its sum is right. Else a
  /// copy that came several times counts once when it first came and for the rest when it last came; a conflicting copy
  /// counts in the campaign of the first copy; and rejected bodies count in the first hour of their day.
  ///
  /// - Parameter onStep: Called before each total, and now and then while bodies are read.
  /// - Throws: ``LedgerError``, with nothing changed; ``LedgerError/busy`` where a service has the database; an error that
  ///   ``LedgerError/isDamage`` where the file's structure is damaged.
  public func repair(_ onStep: (Step) -> Void = { _ in }) throws(LedgerError) -> Findings {
    try LedgerReader(path: path).requireBodies()
    return try changing(onStep) { connection throws(LedgerError) in
      let rows = try RowAudit(on: connection) { onStep(.read(bodies: $0)) }
      try rows.mend(on: connection)
      let totals = try Self.mendTotals(on: connection, onStep)
      // They were of what is mended now.
      try connection.execute("DELETE FROM checkpoint_difference")
      return Findings(
        damage: try KeyAudit.contradictions(on: connection), rows: rows.findings, totals: totals)
    }
  }

  /// Changes a sound database that no service has, in one transaction.
  func changing<Value>(
    _ onStep: (Step) -> Void, _ change: (borrowing LedgerDatabase) throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value {
    onStep(.examine)
    let reader = try LedgerReader(path: path)
    reader.connection.endStatements(when: isInterrupted)
    let damage = try reader.structuralDamage()
    // What is written between damaged pages may cost more of them.
    if let first = damage.first { throw .damaged(first) }
    // A service would wait for as long as the recount takes, and answer devices with 503 meanwhile.
    guard let lock = FileLock(path: path + "-maintenance") else { throw .busy }
    defer { extendLifetime(lock) }
    let connection = try LedgerDatabase(path: path, mode: .readWrite)
    connection.endStatements(when: isInterrupted)
    return try connection.transaction { () throws(LedgerError) in try change(connection) }
  }

  /// Sets every total that differs to what the rows come to, and returns what differed.
  static func mendTotals(
    on connection: borrowing LedgerDatabase, _ onStep: (Step) -> Void
  ) throws(LedgerError) -> [TotalsDifference] {
    let names = try DifferenceNames(connection)
    var found: [TotalsDifference] = []
    for part in TotalsAudit.all {
      onStep(.compare(part.total))
      var differs = false
      try part.forEachDifference(on: connection, names) {
        found.append($0)
        differs = true
      }
      guard differs else { continue }
      let keys = part.keys.indices.map { "k\($0)" }.joined(separator: ", ")
      try connection.execute(
        "CREATE TEMP TABLE wrong AS \(part.differenceSQL); CREATE INDEX temp.wrong_keys ON wrong(\(keys))")
      for statement in part.mending { try connection.execute(statement) }
      try connection.execute("DROP TABLE temp.wrong")
    }
    for statement in sweeping where !found.isEmpty { try connection.execute(statement) }
    onStep(.compare(.facts))
    return try found + FactsAudit.mend(on: connection)
  }

  /// Rows that count nothing.
  private static let sweeping = [
    "DELETE FROM copy_total WHERE repeats = 0 AND conflicts = 0",
    "DELETE FROM arrival_hour WHERE first = 0 AND repeated = 0 AND conflicting = 0 AND rejected = 0",
  ]
}

extension TotalsAudit {
  /// Adds counts of copies to one column of the totals.
  private static func addCopies(_ column: String, _ condition: String, keys: [String]) -> String {
    let names = cellColumns.dropFirst().map { "p.\($0)" }.joined(separator: ", ")
    let isWrong = keys.enumerated().map { "(\($1)) IS w.k\($0)" }.joined(separator: " AND ")
    func came(_ moment: String, _ times: String) -> String {
      """
      SELECT \(daySQL(moment)) AS day, \(names), \(times) AS n FROM postback_copy s JOIN postback p ON p.id = s.postback
      WHERE \(condition) AND EXISTS (SELECT 1 FROM wrong w WHERE \(isWrong))
      """
    }
    let dimensions = cellColumns.joined(separator: ", ")
    let places = cellColumns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
    let zero = column == "repeats" ? "sum(n), 0" : "0, sum(n)"
    return """
      INSERT INTO copy_total(\(dimensions), repeats, conflicts)
      SELECT \(dimensions), \(zero) FROM (
        \(came("s.received_at", "1")) UNION ALL \(came("s.last_received_at", "s.times - 1")))
      WHERE n <> 0 GROUP BY \(places)
      ON CONFLICT DO UPDATE SET \(column) = \(column) + excluded.\(column)
      """
  }

  private static func emptyCells(_ column: String, keys: [String]) -> String {
    let isWrong = keys.enumerated().map { "(\($1)) IS w.k\($0)" }.joined(separator: " AND ")
    return """
      UPDATE copy_total SET \(column) = 0
      WHERE \(column) <> 0 AND EXISTS (SELECT 1 FROM wrong w WHERE \(isWrong))
      """
  }

  /// The statements that set the keys in the table `wrong` to what was counted.
  fileprivate var mending: [String] {
    switch total {
    case .arrivals:
      return [
        """
        INSERT INTO arrival_hour(hour, origin, environment, network, first, repeated, conflicting, rejected)
        SELECT k0, k1, k2, k3, c0, 0, 0, 0 FROM wrong WHERE true ON CONFLICT DO UPDATE SET first = excluded.first
        """
      ]
    case .keptRejected:
      return [
        """
        INSERT INTO rejected_total(day, origin, source, state, reason, seen, kept)
        SELECT k0, k1, k2, k3, k4, c0, c0 FROM wrong WHERE true
        ON CONFLICT DO UPDATE SET kept = excluded.kept, seen = max(seen, excluded.kept)
        """
      ]
    case .rejectedArrivals:
      let day = daySQL(ofHour: "hour")
      return [
        """
        UPDATE arrival_hour SET rejected = 0
        WHERE rejected <> 0 AND EXISTS (SELECT 1 FROM wrong WHERE k0 = \(day) AND k1 = origin)
        """,
        """
        INSERT INTO arrival_hour(hour, origin, environment, network, first, repeated, conflicting, rejected)
        SELECT coalesce(
            (SELECT min(hour) FROM arrival_hour a
             WHERE a.origin = k1 AND a.environment = 0 AND a.network = 0 AND a.hour BETWEEN k0 * 24 AND k0 * 24 + 23),
            k0 * 24), k1, 0, 0, 0, 0, 0, c0
        FROM wrong WHERE true ON CONFLICT DO UPDATE SET rejected = excluded.rejected
        """,
      ]
    case .repeats:
      return [
        Self.emptyCells("repeats", keys: stored.keys),
        Self.addCopies("repeats", "s.conflict IS NULL", keys: counted.keys),
      ]
    case .conflicts:
      return [
        Self.emptyCells("conflicts", keys: stored.keys),
        Self.addCopies("conflicts", "s.conflict IS NOT NULL", keys: counted.keys),
      ]
    case .purchases: return Self.mendingPurchases
    // Blocks are written again as a whole.
    case .facts: return []
    case .copyArrivals:
      func came(_ moment: String, _ times: String) -> String {
        """
        SELECT \(hourSQL(moment)) AS hour, s.origin AS origin, p.environment AS environment, p.network AS network,
          iif(s.conflict IS NULL, \(times), 0) AS a, iif(s.conflict IS NULL, 0, \(times)) AS b
        FROM postback_copy s JOIN postback p ON p.id = s.postback JOIN wrong ON k0 = p.environment AND k1 = p.network
        """
      }
      return [
        """
        UPDATE arrival_hour SET repeated = 0, conflicting = 0
        WHERE EXISTS (SELECT 1 FROM wrong WHERE k0 = environment AND k1 = network)
        """,
        """
        INSERT INTO arrival_hour(hour, origin, environment, network, first, repeated, conflicting, rejected)
        SELECT hour, origin, environment, network, 0, sum(a), sum(b), 0
        FROM (\(came("s.received_at", "1")) UNION ALL \(came("s.last_received_at", "s.times - 1")))
        GROUP BY 1, 2, 3, 4
        ON CONFLICT DO UPDATE SET repeated = repeated + excluded.repeated,
          conflicting = conflicting + excluded.conflicting
        """,
      ]
    }
  }
}
