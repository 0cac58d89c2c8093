import SQLite

/// Figures of a database that two nodes of a journal have alike, a line each: a name, and numbers.
///
/// What is large is summed over the rows since the checkpoint before, so that a checkpoint costs little and nothing is left
/// out between two of them, unless more than 200,000 came.
struct CheckpointFigures: Equatable, Sendable {
  /// The highest numbers of rows.
  struct NewestRows: Equatable, Sendable {
    var postback: Int64 = 0
    var copy: Int64 = 0
  }

  let text: String

  /// The first figure that both have, and differently; one that only one program version knows is none.
  func difference(from other: Self) -> (name: String, here: String, there: String)? {
    let theirs = Dictionary(other.lines, uniquingKeysWith: { first, _ in first })
    for (name, here) in lines {
      if let there = theirs[name], there != here { return (name, here, there) }
    }
    return nil
  }

  private var lines: [(name: String, numbers: String)] {
    text.split(separator: "\n").compactMap { line in
      guard let end = line.lastIndex(of: ":") else { return nil }
      return (String(line[..<end]), String(line[line.index(after: end)...].drop { $0 == " " }))
    }
  }
}

extension CheckpointFigures {
  static func newestRows(on connection: borrowing LedgerDatabase) throws(LedgerError) -> NewestRows {
    NewestRows(
      postback: try connection.integer("SELECT max(id) FROM postback") ?? 0,
      copy: try connection.integer("SELECT max(id) FROM postback_copy") ?? 0)
  }

  /// The most rows that a sum goes over: a database that joined with millions must not be read whole between two postbacks.
  private static let mostRows: Int64 = 200_000

  /// Counts.
  ///
  /// - Parameters:
  ///   - newest: The rows that the checkpoint before had.
  ///   - end: The newest rows now.
  static func count(
    on connection: borrowing LedgerDatabase, behind newest: NewestRows, upTo end: NewestRows
  ) throws(LedgerError) -> CheckpointFigures {
    var newest = newest
    newest.postback = max(newest.postback, end.postback - mostRows)
    newest.copy = max(newest.copy, end.copy - mostRows)
    var lines: [String] = []
    var sums = sums(behind: newest)
    if try JournalPlaceStore.keepsBodies(on: connection) {
      sums.append(
        ("bodies", "SELECT coalesce(sum(length(body)), 0) FROM postback WHERE id > \(newest.postback)"))
    }
    for (name, sql) in sums {
      lines.append("\(name): \(try connection.prepare(sql).firstRow { $0.text(0) ?? "" } ?? "")")
    }
    let tables = try connection.prepare(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'key_*'
      ORDER BY name
      """
    ).rows { $0.text(0) }
    for table in tables where !JournalStart.ownTables.contains(table) && !large.contains(table) {
      lines.append("rows of \(table): \(try connection.integer("SELECT count(*) FROM \(table)") ?? 0)")
    }
    return CheckpointFigures(text: lines.joined(separator: "\n"))
  }

  /// Tables of which not even the rows are counted, because they grow with the postbacks.
  private static let large: Set<String> = ["postback", "postback_copy", "network_form"]

  /// Sums, each in one text.
  ///
  /// Numbers of rows are factors, so that two rows that change places are seen; remainders keep a sum far below 63 bits.
  private static func sums(behind newest: NewestRows) -> [(name: String, sql: String)] {
    func text(_ terms: [String], _ from: String) -> String {
      let numbers = terms.map { "coalesce(\($0), 0)" }.joined(separator: " || ' ' || ")
      return "SELECT \(numbers) FROM \(from)"
    }
    return [
      (
        "postbacks",
        text(
          [
            "count(*)", "sum(received_at / 1000)", "sum(fingerprint & 4294967295)",
            "sum(id % 1009 * (environment * 343 + version * 49 + outcome * 7 + window))",
            "sum(id % 1009 * (coalesce(value, -1) + 2))", "sum(id % 1009 * (app % 1000003))",
            "sum(id % 1009 * (CAST(campaign AS INTEGER) % 1000003 + length(campaign)))",
          ], "postback WHERE id > \(newest.postback)")
      ),
      (
        "copies",
        text(
          ["count(*)", "sum(id % 1009 * (postback % 1000003))"], "postback_copy WHERE id > \(newest.copy)")
      ),
      ("counted copies", text(["sum(repeats)", "sum(conflicts)"], "copy_total")),
      (
        "arrivals",
        text(
          ["sum(hour % 1009 * first)", "sum(repeated)", "sum(conflicting)", "sum(rejected)"], "arrival_hour")
      ),
      ("rejected bodies", text(["sum(seen)", "sum(kept)"], "rejected_total")),
      ("purchases", text(["sum(counted)", "sum(micros % 1000000007)"], "purchase_total")),
    ]
  }
}
