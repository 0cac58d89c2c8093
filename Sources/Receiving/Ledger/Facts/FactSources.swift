import SQLite

/// The numbers of sources in blocks of facts: the table `fact_source`, to which a writer adds.
struct FactSources {
  private(set) var sources: [Int64: PostbackFacts.Source] = [:]
  private var numbers: [PostbackFacts.Source: Int64] = [:]
  private(set) var last: Int64 = 0
  /// The sources of the table, and those that were taken to be written there.
  private var lastSaved: Int64 = 0

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare(
      // Blocks can have any of them, also where a reader is limited to some.
      "SELECT id, environment, app, network, version, window, outcome FROM main.fact_source"
    ).forEachRow { row in
      add(
        PostbackFacts.Source(
          environment: row.count(1), app: row.count(2), network: row.count(3), version: row.count(4),
          window: row.count(5), outcome: row.count(6)), number: row.count(0))
    }
    lastSaved = last
  }

  private mutating func add(_ source: PostbackFacts.Source, number: Int64) {
    sources[number] = source
    numbers[source] = number
    last = max(last, number)
  }

  func number(of source: PostbackFacts.Source) -> Int64? { numbers[source] }

  /// The number of a source; the next one for a new one, whether or not the table will have it.
  mutating func numberAdding(_ source: PostbackFacts.Source) -> Int64 {
    if let number = numbers[source] { return number }
    add(source, number: last + 1)
    return last
  }

  /// The next source that the table does not have yet.
  mutating func takeUnsaved() -> (number: Int64, codes: PostbackFacts.Source)? {
    guard lastSaved < last else { return nil }
    lastSaved += 1
    return sources[lastSaved].map { (lastSaved, $0) }
  }
}
