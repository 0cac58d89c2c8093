import SQLite

/// Writes blocks of facts and the sources that they name.
final class FactStore {
  private let select: LedgerStatement
  private let put: LedgerStatement
  private let addSource: LedgerStatement
  private var sources: FactSources

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    select = try connection.prepare(FactBlocks.select)
    put = try connection.prepare(
      "INSERT OR REPLACE INTO postback_facts(id, earliest, latest, data) VALUES (?1, ?2, ?3, ?4)")
    addSource = try connection.prepare(
      """
      INSERT INTO fact_source(id, environment, app, network, version, window, outcome)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    sources = try FactSources(connection)
  }

  /// Takes up the sources of the table: what a rollback took away, or another program added.
  ///
  /// - Parameter isKnown: Whether what is remembered is right as far as it goes.
  func synchronise(isKnown: Bool, _ connection: borrowing LedgerDatabase) throws(LedgerError) {
    let last = try connection.integer("SELECT max(id) FROM fact_source") ?? 0
    if !isKnown || last != sources.last { sources = try FactSources(connection) }
  }

  /// Gives the source of a postback a number, in the transaction that stores it.
  func add(_ source: PostbackFacts.Source) throws(LedgerError) {
    guard sources.number(of: source) == nil else { return }
    _ = sources.numberAdding(source)
    try saveSources()
  }

  private func saveSources() throws(LedgerError) {
    while let source = sources.takeUnsaved() {
      try addSource.run(
        source.number, source.codes.environment, source.codes.app, source.codes.network, source.codes.version,
        source.codes.window, source.codes.outcome)
    }
  }

  /// Writes a block, in the transaction that stored its last row.
  func write(_ block: Int64) throws(LedgerError) { try write(block, content(of: block)) }

  /// What the rows of a block come to.
  func content(of block: Int64) throws(LedgerError) -> FactBlocks.Content {
    try FactBlocks.content(of: FactBlocks.range(block), &sources, select)
  }

  func write(_ block: Int64, _ content: FactBlocks.Content) throws(LedgerError) {
    guard let moments = content.moments, let facts = content.block else { return }
    try saveSources()
    try put.run(block, moments.lowerBound, moments.upperBound, facts.bytes)
  }
}
