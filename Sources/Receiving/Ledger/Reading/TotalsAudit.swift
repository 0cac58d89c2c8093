import Postbacks
import SQLite

/// Recounts the totals that reports read from the rows that they are the sums of.
///
/// A part is one total: what its rows come to, what is stored, and by which keys the two are compared. `skan doctor`
/// counts the differences, `skan rebuild` lists and mends them.
struct TotalsAudit {
  /// One of the two things that are compared: a query with a column for each key and each figure.
  struct Side {
    let keys: [String]
    let sums: [String]
    let source: String

    fileprivate func sql(_ isCounted: Bool) -> String {
      let zeros = sums.indices.map { _ in "0" }
      let figures = isCounted ? sums + zeros : zeros + sums
      let columns =
        keys.enumerated().map { "\($1) AS k\($0)" }
        + figures.enumerated().map { index, sum in
          index < sums.count ? "\(sum) AS c\(index)" : "\(sum) AS s\(index - sums.count)"
        }
      let grouping = keys.indices.map { "\($0 + 1)" }.joined(separator: ", ")
      return "SELECT \(columns.joined(separator: ", ")) FROM \(source) GROUP BY \(grouping)"
    }
  }

  let total: TotalsDifference.Total
  let keys: [TotalsDifference.Key]
  let columns: [String]
  let counted: Side
  let stored: Side
  /// Whether the total may be more than its rows, because old ones were deleted.
  var mayExceed = false

  /// The keys at which the two differ: `k0`… for the keys, then `c0`… as counted and `s0`… as stored.
  var differenceSQL: String {
    let names = keys.indices.map { "k\($0)" }.joined(separator: ", ")
    let sums = ["c", "s"].flatMap { side in columns.indices.map { "sum(\(side)\($0)) AS \(side)\($0)" } }
    let conditions = columns.indices.map { "sum(c\($0)) \(mayExceed ? ">" : "<>") sum(s\($0))" }
    return """
      SELECT \(names), \(sums.joined(separator: ", "))
      FROM (\(counted.sql(true)) UNION ALL \(stored.sql(false)))
      GROUP BY \(names) HAVING \(conditions.joined(separator: " OR "))
      """
  }

  /// The keys of a cell, in the order of the table.
  static let cellColumns = [
    "day", "environment", "app", "network", "version", "campaign", "window", "outcome",
  ]
  private static let cellKeys: [TotalsDifference.Key] = [
    .day, .environment, .app, .network, .version, .campaign, .window, .outcome,
  ]
  /// Every part; rejected bodies are compared before the arrivals that follow from them.
  static let all: [TotalsAudit] = [
    arrivals, keptRejected, rejectedArrivals, repeats, conflicts, copyArrivals,
    purchases,
  ]

  private static let arrivals = TotalsAudit(
    total: .arrivals, keys: [.hour, .origin, .environment, .network], columns: ["first"],
    counted: Side(
      keys: [hourSQL("received_at"), "origin", "environment", "network"], sums: ["count(*)"],
      source: "postback"),
    stored: Side(
      keys: ["hour", "origin", "environment", "network"], sums: [heldSumSQL("first")], source: "arrival_hour")
  )

  private static let keptRejected = TotalsAudit(
    total: .keptRejected, keys: [.day, .origin, .source, .state, .reason], columns: ["kept"],
    counted: Side(
      keys: [daySQL("received_at"), "origin", "source", "state", "reason"], sums: ["count(*)"],
      source: "rejected"),
    stored: Side(
      keys: ["day", "origin", "source", "state", "reason"], sums: [heldSumSQL("kept")],
      source: "rejected_total"),
    mayExceed: true)

  private static let rejectedArrivals = TotalsAudit(
    total: .rejectedArrivals, keys: [.day, .origin], columns: ["rejected"],
    counted: Side(keys: ["day", "origin"], sums: [heldSumSQL("seen")], source: "rejected_total"),
    stored: Side(
      keys: [daySQL(ofHour: "hour"), "origin"], sums: [heldSumSQL("rejected")], source: "arrival_hour"))

  /// No row has the day on which each copy of several came, so that copies are compared over all days.
  private static let repeats = TotalsAudit(
    total: .repeats, keys: Array(cellKeys.dropFirst()), columns: ["repeats"],
    counted: Side(
      keys: cellColumns.dropFirst().map { "p.\($0)" }, sums: [heldSumSQL("s.times")],
      source: "postback_copy s JOIN postback p ON p.id = s.postback WHERE s.conflict IS NULL"),
    stored: Side(
      keys: Array(cellColumns.dropFirst()), sums: [heldSumSQL("repeats")],
      source: "copy_total"))

  /// A conflicting copy counts in the cell that it names itself, which its row does not have.
  private static let conflicts = TotalsAudit(
    total: .conflicts, keys: [.environment, .network, .window, .isSKAdNetwork], columns: ["conflicts"],
    counted: Side(
      keys: ["p.environment", "p.network", "p.window", "p.version <> \(aakCode)"],
      sums: [heldSumSQL("s.times")],
      source: "postback_copy s JOIN postback p ON p.id = s.postback WHERE s.conflict IS NOT NULL"),
    stored: Side(
      keys: ["environment", "network", "window", "version <> \(aakCode)"], sums: [heldSumSQL("conflicts")],
      source: "copy_total"))

  private static let copyArrivals = TotalsAudit(
    total: .copyArrivals, keys: [.environment, .network], columns: ["repeated", "conflicting"],
    counted: Side(
      keys: ["p.environment", "p.network"],
      sums: [
        heldSumSQL("iif(s.conflict IS NULL, s.times, 0)"), heldSumSQL("iif(s.conflict IS NULL, 0, s.times)"),
      ],
      source: "postback_copy s JOIN postback p ON p.id = s.postback"),
    stored: Side(
      keys: ["environment", "network"], sums: [heldSumSQL("repeated"), heldSumSQL("conflicting")],
      source: "arrival_hour WHERE network <> 0"))

  private static let aakCode = ProtocolVersion.adAttributionKit.code
}

extension TotalsAudit {
  /// What does not agree, a sentence for each part.
  static func contradictions(on connection: borrowing LedgerDatabase) throws(LedgerError) -> [String] {
    var found: [String] = []
    for part in all {
      let count = try connection.integer("SELECT count(*) FROM (\(part.differenceSQL))") ?? 0
      if count > 0 { found.append("\(part.total.words(count)) differ from the sum of their postbacks") }
    }
    return found
  }

  /// Visits every figure of this part that differs.
  func forEachDifference(
    on connection: borrowing LedgerDatabase, _ names: DifferenceNames, _ visit: (TotalsDifference) -> Void
  ) throws(LedgerError) {
    let order = keys.indices.map { "\($0 + 1)" }.joined(separator: ", ")
    try connection.prepare("\(differenceSQL) ORDER BY \(order)").forEachRow { row in
      let place = keys.enumerated().map { names.member($1, row, Int32($0)) }
      for (index, column) in columns.enumerated() {
        let first = Int32(keys.count + index)
        let (counted, stored) = (row.count(first), row.count(first + Int32(columns.count)))
        guard mayExceed ? counted > stored : counted != stored else { continue }
        visit(TotalsDifference(total: total, place: place, column: column, stored: stored, counted: counted))
      }
    }
  }
}
