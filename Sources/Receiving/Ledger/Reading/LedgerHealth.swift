import SQLite

/// What an examination of a database found.
public struct LedgerHealth: Equatable, Sendable {
  /// A count of rows beside the sum of the totals that have to agree with it.
  public struct Agreement: Equatable, Sendable {
    public let stored: Int64
    /// What is counted in reports.
    public let counted: Int64
  }

  /// What SQLite calls damaged; empty where nothing is.
  public let damage: [String]
  public let conversions: Agreement
  public let copies: Agreement
  /// What disagrees with the rows, a sentence each: the totals first, then the index of conversions.
  public let contradictions: [String]
  /// How many of them are totals, which ``LedgerRebuild`` mends.
  public let wrongTotals: Int
}

extension LedgerReader {
  /// What SQLite finds damaged in the structure of the file, the first of it.
  package func firstDamage() throws(LedgerError) -> String? {
    try structuralDamage().first
  }

  func structuralDamage() throws(LedgerError) -> [String] {
    var damage: [String] = []
    try connection.prepare("PRAGMA integrity_check(5)").forEachRow { row in
      let text = row.text(0) ?? ""
      if text != "ok" { damage.append(text) }
    }
    return damage
  }

  /// Examines the whole file: its structure, and whether totals and index agree with the rows.
  ///
  /// - Parameters:
  ///   - rereadsBodies: Whether each body is read again and compared with its row, which takes longest.
  ///   - willBegin: Is called for each part before it begins.
  /// - Complexity: Linear in the size of the file.
  public func examine(
    rereadsBodies: Bool = false, _ willBegin: (String) -> Void = { _ in }
  ) throws(LedgerError) -> LedgerHealth {
    willBegin("structure")
    let damage = try structuralDamage()
    willBegin("counts")
    // One statement sees one state of the file, however busy its writer is.
    let counts = try connection.prepare(
      """
      SELECT (SELECT count(*) FROM postback), (SELECT coalesce(sum(times), 0) FROM postback_copy),
        (SELECT coalesce(sum(repeats + conflicts), 0) FROM copy_total)
      """
    ).firstRow { (postbacks: $0.count(0), copies: $0.count(1), countedCopies: $0.count(2)) }
    guard let counts else { throw .storage(SQLiteError(code: 1, message: "the counts gave no row")) }
    willBegin("totals")
    var contradictions = try TotalsAudit.contradictions(on: connection)
    let facts = try FactsAudit.differences(on: connection)
    if !facts.isEmpty {
      contradictions.append(
        "\(TotalsDifference.Total.facts.words(Int64(facts.count))) differ from their postbacks")
    }
    let wrongTotals = contradictions.count
    willBegin("index")
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }
    contradictions += try KeyAudit.contradictions(on: connection)
    if rereadsBodies {
      willBegin("bodies")
      contradictions += try RowAudit(on: connection) { _ in }.findings.sentences
    }
    return LedgerHealth(
      damage: damage,
      conversions: .init(
        stored: counts.postbacks,
        counted: facts.reduce(counts.postbacks) { $0 - $1.counted + $1.stored }),
      copies: .init(stored: counts.copies, counted: counts.countedCopies), contradictions: contradictions,
      wrongTotals: wrongTotals)
  }
}
