import Journal
import Postbacks
import SQLite
import System
public import Values
import Verification

/// Stores receipts, many in one transaction, and reports what each of them added.
///
/// Not `Sendable`: one thread owns it. Other processes may write the same file; their rows are taken up before
/// each batch.
public final class LedgerWriter {
  let connection: LedgerDatabase
  private let postbacks: PostbackStore
  let rejected: RejectedStore
  private let forms: NetworkFormStore
  private let copyTotals: CopyTotalStore
  private let facts: FactStore
  private let arrivals: ArrivalStore
  private let inboxes: InboxStore
  private let names: InternedStrings
  private let index: KeyIndex
  private let dataVersion: LedgerStatement
  /// Held by the one process that may merge the key index.
  private let maintenance: FileLock?
  /// `PRAGMA data_version` at the last look; `nil` when memory has to be compared with the file.
  private var knownVersion: Int64?
  private let place: OpenFileIdentity
  private let runs: ImportRunStore
  /// The import whose receipts are stored; `nil` for a service.
  private var importing: (origin: Origin, beganAt: Instant)?
  /// How far that import is.
  public private(set) var run: ImportRun?
  let journal: LedgerJournal?
  var appender: JournalAppender?
  /// Whether the journal could not be followed at the last try.
  var cannotFollow = false
  /// How far the database has followed its journal, as of the last transaction; `nil` without a journal.
  package var progress: JournalProgress?

  /// Opens the database and updates its layout.
  ///
  /// - Parameters:
  ///   - makesFile: Whether the file is made when it is missing.
  public init(
    path: String, settings: LedgerSettings = LedgerSettings(), makesFile: Bool = true
  ) throws(LedgerError) {
    let connection = try Self.open(path, settings, makesFile: makesFile)
    maintenance = FileLock(path: path + "-maintenance")
    place = try OpenFileIdentity(path, connection)
    postbacks = try PostbackStore(connection, quota: settings.copyQuota)
    rejected = try RejectedStore(connection, quota: settings.rejectedQuota)
    forms = try NetworkFormStore(connection)
    copyTotals = try CopyTotalStore(connection)
    facts = try FactStore(connection)
    arrivals = try ArrivalStore(connection)
    inboxes = try InboxStore(connection)
    runs = try ImportRunStore(connection)
    names = try InternedStrings(connection)
    index = try KeyIndex(connection, isMaintainer: maintenance != nil, recentCapacity: settings.recentKeys)
    dataVersion = try connection.prepare("PRAGMA data_version")
    self.connection = connection
    journal = settings.journal
    if let journal { try begin(journal) }
  }

  static func open(
    _ path: String, _ settings: LedgerSettings, makesFile: Bool = true
  ) throws(LedgerError) -> LedgerDatabase {
    try requirePlainPath(path)
    let connection = try LedgerDatabase(
      path: path, mode: makesFile ? .create : .readWrite, busyMilliseconds: settings.busyMilliseconds)
    try Schema.admit(connection)
    try connection.execute(LedgerSettings.ofSQLite)
    try Schema.migrate(connection)
    if settings.journal == nil { try requireNoJournal(connection) }
    // A file that can be read and not written shows it now, not at the first postback.
    guard !connection.isReadOnly else { throw .readOnly }
    return connection
  }

  /// Stores receipts in one transaction; when it returns they are on disk.
  ///
  /// - Throws: ``LedgerError``; then none of it is stored.
  public func commit(_ receipts: [Receipt]) throws(LedgerError) -> [Commitment] {
    try commit(receipts, []).commitments
  }

  /// Stores receipts, and then applies changes, in one transaction; when it returns they are on disk.
  ///
  /// With a journal they are as many transactions as batches are needed for them.
  ///
  /// - Returns: What receipts added, and for each change why it could not be applied; `nil` where it was.
  /// - Throws: ``LedgerError``; then none of it is stored, but for batches before the one that failed.
  func commit(
    _ receipts: [Receipt], _ changes: [any PendingChange]
  ) throws(LedgerError) -> Stored {
    let steps = receipts.map { Step.receipt($0) } + changes.map { Step.change($0) }
    guard journal != nil else { return try commit(marked(steps[...])) }
    var stored = Stored()
    for piece in Self.pieces(steps) {
      let added = try commit(marked(piece))
      stored.commitments += added.commitments
      stored.failures += added.failures
    }
    return stored
  }

  /// Steps with the import before them that they belong to.
  private func marked(_ steps: ArraySlice<Step>) -> ArraySlice<Step> {
    guard let importing else { return steps }
    return [
      .importing(ImportMark(origin: importing.origin, beganAt: importing.beganAt, continues: run?.id))
    ] + steps
  }

  /// Does everything in its order, in one transaction; when it returns it is on disk.
  ///
  /// - Returns: For each change why it could not be applied; `nil` where it was, and for receipts.
  /// - Throws: ``LedgerError``; then none of it is stored.
  package func apply(_ changes: [AnyChange]) throws(LedgerError) -> [LedgerError?] {
    var failures = try commit(changes.map { Step($0) }[...]).failures[...]
    return changes.map { if case .other = $0 { failures.popFirst() ?? nil } else { nil } }
  }

  func commit(_ steps: ArraySlice<Step>) throws(LedgerError) -> Stored {
    // A commit may move the log's pages into the file, which has to be the one that they belong to.
    try requireOwnFiles()
    let stored = try store(steps)
    if let changed = stored.run { run = changed }
    // What is written to a file without a name is gone at the next start, whatever SQLite reports about the commit.
    try requireOwnFiles()
    return stored
  }

  /// Checks that the file and its log are those that were opened.
  ///
  /// - Throws: ``LedgerError/moved`` or ``LedgerError/foreignLog``; then this writer must not be used any more.
  func requireOwnFiles() throws(LedgerError) {
    guard place.isKept else { throw .moved }
    guard try place.isOwnFile(connection) else {
      connection.keepLog(true)
      throw .foreignLog
    }
  }

  /// Pages of the database that were looked at so far: what the work of the writer is measured in.
  var pagesRead: Int { connection.pagesRead }

  /// Moves what only the write-ahead log holds into the database file, because a log without a name goes when it is
  /// closed.
  ///
  /// Where another program has begun a log of its own, the file is that program's: pages of the old log would go between
  /// its own. If SQLite removed the old log, it did so after all of it was in the file; if another did, what was not
  /// there yet is lost.
  ///
  /// - Returns: Whether nothing is left to move; where a reader still needs the file as it was, the next try does more.
  func salvageLog() -> Bool {
    if place.isReplaced {
      connection.keepLog(true)
      return true
    }
    let left = try? connection.prepare("PRAGMA wal_checkpoint(FULL)").firstRow { row in
      row.count(0) != 0 || row.count(1) != row.count(2)
    }
    return left == false
  }

  deinit { place.forget() }

  /// Begins an import: what is stored from now on belongs to it, and can be taken back together.
  public func beginRun(from origin: Origin, at moment: Instant) {
    importing = (origin, moment)
    run = nil
  }

  private func store(_ steps: ArraySlice<Step>) throws(LedgerError) -> Stored {
    do throws(LedgerError) {
      return try connection.transaction { () throws(LedgerError) in
        try catchUp()
        guard let journal else { return try storePiece(steps) }
        return try storeInOrder(steps, of: journal)
      }
    } catch {
      // The transaction is undone, so whatever memory learned from it is wrong.
      knownVersion = nil
      throw error
    }
  }

  /// Stores what comes together, within the transaction that is open.
  func storePiece(_ steps: ArraySlice<Step>) throws(LedgerError) -> Stored {
    var batch = Batch(sealed: try index.sealed(steps.compactMap(\.fingerprint)))
    batch.commitments.reserveCapacity(steps.count)
    var failures: [LedgerError?] = []
    var run: ImportRun?
    for step in steps {
      switch step {
      case .importing(let mark):
        run = try runs.run(of: mark, origin: names.row(of: mark.origin, on: connection))
      case .receipt(let receipt): try store(receipt, in: &batch)
      case .change(let change):
        // A change may look at totals, which have to be the same in whatever pieces receipts came.
        try add(&batch)
        failures.append(try apply(change))
      }
    }
    try add(&batch)
    try index.maintain(inserted: batch.inserted, on: connection)
    run?.add(batch.commitments, copies: batch.copies)
    if var changed = run {
      try runs.save(&changed, on: connection)
      run = changed
    }
    return Stored(commitments: batch.commitments, failures: failures, run: run)
  }

  /// Applies a change, or nothing of it where a rule of the database forbids it: that is its author's mistake, and must
  /// not undo what others sent.
  ///
  /// - Throws: ``LedgerError`` where nothing can be stored now.
  private func apply(_ change: any PendingChange) throws(LedgerError) -> LedgerError? {
    try connection.execute("SAVEPOINT change")
    do throws(LedgerError) {
      try change.apply(on: connection)
    } catch {
      guard error.isForbidden else { throw error }
      try connection.execute("ROLLBACK TO change; RELEASE change")
      return error
    }
    try connection.execute("RELEASE change")
    return nil
  }

  /// Adds what a batch counted to the totals.
  private func add(_ batch: inout Batch) throws(LedgerError) {
    for (cell, count) in batch.copyCounts { try copyTotals.add(count, to: cell) }
    for (cell, count) in batch.arrivals { try arrivals.add(count, to: cell) }
    for block in batch.completeFacts { try facts.write(block) }
    (batch.copyCounts, batch.arrivals, batch.completeFacts) = ([:], [:], [])
  }

  private struct Batch {
    /// Conversions of earlier batches with the fingerprints of this one's.
    let sealed: [UInt64: [Int64]]
    var commitments: [Commitment] = []
    var copyCounts: [CopyCell: CopyCount] = [:]
    var arrivals: [ArrivalCell: ArrivalCount] = [:]
    /// Blocks of facts whose last row is in it.
    var completeFacts: [Int64] = []
    var inserted = 0
    var copies = 0
  }

  private func catchUp() throws(LedgerError) {
    let version = try dataVersion.firstRow { $0.count(0) } ?? 0
    guard version != knownVersion else { return }
    // Another program can have made it a node's while this one had it open.
    if journal == nil { try JournalPlaceStore.requireNone(on: connection) }
    try facts.synchronise(isKnown: knownVersion != nil, connection)
    if knownVersion == nil {
      index.reset()
      names.reset()
    }
    postbacks.reset()
    postbacks.keepsBodies = try JournalPlaceStore.keepsBodies(on: connection)
    rejected.reset()
    try index.synchronise()
    knownVersion = version
  }

  private func store(_ receipt: Receipt, in batch: inout Batch) throws(LedgerError) {
    let arrival = receipt.arrival
    switch receipt.finding {
    case .rejected(let rejection):
      let origin = try names.row(of: arrival.origin, on: connection)
      let row = try rejected.record(rejection, of: arrival, origin: origin, on: connection)
      if let row { try forms.store(arrival.form, of: .rejected, row: row) }
      batch.arrivals[ArrivalCell(arrival, origin: origin), default: .zero].rejected += 1
      batch.commitments.append(Commitment(row == nil ? .countedRejected : .keptRejected, row: row))
    case .inbox(let found):
      var commitment: Commitment?
      if let conversion = found.stored {
        let origin = try names.row(of: arrival.origin, on: connection)
        commitment = try store(conversion, of: arrival, origin: origin, in: &batch)
      }
      try inboxes.record(found, of: arrival, as: commitment)
      batch.commitments.append(commitment ?? Commitment(.inboxOnly, row: nil))
    case .conversion(let conversion):
      let origin = try names.row(of: arrival.origin, on: connection)
      let commitment = try store(conversion, of: arrival, origin: origin, in: &batch)
      batch.commitments.append(commitment)
    }
  }

  private func store(
    _ conversion: KeyedPostback, of arrival: Arrival, origin: Int64, in batch: inout Batch
  ) throws(LedgerError) -> Commitment {
    let (postback, key) = (conversion.postback, conversion.key)
    let network = try names.row(of: key.network, in: .network, on: connection)
    let fingerprint = key.fingerprint
    let source = PostbackFacts.Source(of: postback, network: network)
    let hour = ArrivalCell(
      arrival, origin: origin, environment: postback.environment.code, network: network)
    for candidate in index.recent(fingerprint) + batch.sealed[fingerprint, default: []] {
      guard let first = try postbacks.firstCopy(candidate, beside: arrival),
        first.key == ConversionKeyRow(key, network: network)
      else { continue }
      // A file that is read again adds nothing, not even a copy.
      let isReadAgain = arrival.origin.route == .file && origin == first.origin && first.hasSameBody
      if isReadAgain { return Commitment(.copy, row: first.row) }
      let contradictions = first.facts.contradictions(in: FactsRow(of: postback))
      let conflict = contradictions.isEmpty ? nil : contradictions.joined(separator: ",")
      let copy = try postbacks.record(arrival, of: first, origin: origin, conflict: conflict, on: connection)
      if let copy { try forms.store(arrival.form, of: .postbackCopy, row: copy) }
      batch.copies += 1
      let cell = CopyCell(
        day: arrival.receivedAt.day.number, source: source, campaign: postback.attested.campaign.text)
      if conflict == nil {
        batch.copyCounts[cell, default: CopyCount()].repeats += 1
        batch.arrivals[hour, default: .zero].repeated += 1
      } else {
        batch.copyCounts[cell, default: CopyCount()].conflicts += 1
        batch.arrivals[hour, default: .zero].conflicting += 1
      }
      return Commitment(contradictions.isEmpty ? .copy : .conflict(contradictions), row: first.row)
    }
    let row = try postbacks.insert(
      postback, of: arrival, fingerprint: fingerprint, origin: origin, network: network,
      publisher: try postback.attested.publisher.text.map { text throws(LedgerError) in
        try names.row(of: text, in: .publisher, on: connection)
      },
      marketplace: try postback.attested.marketplace.map { text throws(LedgerError) in
        try names.row(of: text, in: .marketplace, on: connection)
      }, on: connection)
    try forms.store(arrival.form, of: .postback, row: row)
    index.insert(KeyEntry(fingerprint: fingerprint, postback: row))
    if let block = FactBlocks.block(endingWith: row) { batch.completeFacts.append(block) }
    try facts.add(source)
    batch.arrivals[hour, default: .zero].first += 1
    batch.inserted += 1
    return Commitment(.first, row: row)
  }
}

extension PostbackFacts.Source {
  fileprivate init(of postback: VerifiedPostback, network: Int64) {
    let facts = postback.attested
    self.init(
      environment: postback.environment.code, app: facts.advertisedApp.number, network: network,
      version: facts.version.code, window: Int64(facts.window.rawValue), outcome: facts.outcome.code)
  }
}
