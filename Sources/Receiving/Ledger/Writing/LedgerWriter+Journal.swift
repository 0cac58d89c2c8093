import Journal
import SQLite
import System

extension LedgerWriter {
  /// Batches that one transaction follows at most, so that readers and other programs get their turn.
  private static let batchesAtOnce = 256
  /// Microseconds that an appended batch may take to be seen where it is read from.
  private static let patience = 10_000_000.0

  /// Bytes of one change at most that a batch takes.
  private static let mostBytes = BatchEnvelope.longestContent / 2

  /// Rejects a change that no batch takes, before it waits with others.
  static func requireRoom(for change: some LedgerChange) throws(LedgerError) {
    let count = AnyChange.bytes(of: [.other(change)]).count
    guard count <= mostBytes else {
      throw .journal(
        reason: "the change has \(count) bytes; a journal takes \(mostBytes) at once",
        remedy: "Divide the file, and import its parts.")
    }
  }

  /// Writes one change, by way of the journal where there is one.
  func write<Change: LedgerChange>(_ change: Change) throws(LedgerError) -> Change.Outcome {
    if journal != nil {
      try Self.requireRoom(for: change)
      // In steps, so that one transaction does not have all that the database lacks.
      while try follow()?.isAtEnd == false {}
    }
    let submitted = SubmittedChange(change)
    submitted.finish(try commit([], [submitted]).failures.first ?? nil)
    return try submitted.outcome()
  }

  /// Follows the journal for one transaction.
  ///
  /// - Returns: How far the database is now; `nil` without a journal.
  /// - Throws: ``LedgerError``; then nothing of it is stored.
  @discardableResult
  package func follow() throws(LedgerError) -> JournalProgress? {
    guard journal != nil else { return nil }
    _ = try commit([Step]())
    return progress
  }

  /// Appends steps to the journal, and applies its batches up to them, in the order of all nodes.
  ///
  /// The transaction is open all the while. So of several programs with one file each sees what became of its own steps, and
  /// what was appended and not applied, because a process ended, is applied from the journal.
  func storeInOrder(
    _ steps: [Step], of journal: LedgerJournal, _ trouble: inout LedgerError?
  ) throws(SQLiteError) -> Stored {
    guard let place = try JournalPlaceStore.place(on: connection) else {
      throw SQLiteError(code: 11, message: "the place in the journal is missing")
    }
    var own: JournalPosition?
    if !steps.isEmpty {
      own = try asking(&trouble) { () throws(JournalError) in
        if appender == nil { appender = try JournalAppender(journal.journal, node: journal.node) }
        _ = try appender?.resend()
        return try appender?.append(AnyChange.bytes(of: steps.map(\.change)))
      }
    }
    var follower = JournalFollower(
      journal.journal, at: place, numbers: try JournalPlaceStore.numbers(on: connection))
    var stored = Stored()
    let began = wallMicroseconds()
    repeat {
      let batches = try asking(&trouble) { () throws(JournalError) in
        try follower.next(atMost: Self.batchesAtOnce)
      }
      for batch in batches {
        if batch.place.position == own {
          stored = try storePiece(steps)
          for (number, failure) in zip(steps.indices.filter { steps[$0].isChange }, stored.failures)
          where failure != nil {
            try JournalPlaceStore.saveUnapplied(
              Self.forbidden, at: batch.place.position, number: number, on: connection)
          }
        } else if let content = batch.content {
          try storePiece(content, at: batch.place.position, &trouble)
        }
        try JournalPlaceStore.save(batch, on: connection)
      }
      if let own, batches.isEmpty, follower.place.position < own {
        guard wallMicroseconds() - began < Self.patience else {
          trouble = LedgerError(.serverIsBehind(place: own, last: follower.last))
          throw SQLiteError(code: 4, message: "the journal's reader is behind")
        }
        rest(microseconds: 2000)
      }
    } while own.map { follower.place.position < $0 } ?? false
    progress = JournalProgress(position: follower.place.position, last: follower.last)
    return stored
  }

  /// Stores what another program appended, or this one before a failure; what can't be read or applied is noted.
  private func storePiece(
    _ content: [UInt8], at position: JournalPosition, _ trouble: inout LedgerError?
  ) throws(SQLiteError) {
    var bytes = ChangeDecoder(content)
    var (steps, numbers): ([Step], [Int]) = ([], [])
    var number = 0
    while bytes.rest > 0 {
      do throws(ChangeDefect) {
        steps.append(Step(try AnyChange.next(in: &bytes).get()))
        numbers.append(number)
      } catch {
        if case .unknownKind(let kind) = error {
          // Passed over, it would be missing in this database alone.
          trouble = .journal(
            reason:
              "batch \(position) of the journal has a change of kind \(kind), which this skan does not know",
            remedy: "Install the skan version of the other nodes.")
          throw SQLiteError(code: 4, message: "an unknown change")
        }
        try JournalPlaceStore.saveUnapplied("\(error)", at: position, number: number, on: connection)
        // What is cut off has no next one.
        if error == .cutOff, bytes.isCutOff { break }
      }
      number += 1
    }
    let failures = try storePiece(steps).failures
    let changes = zip(steps, numbers).filter(\.0.isChange).map(\.1)
    for (number, failure) in zip(changes, failures) where failure != nil {
      try JournalPlaceStore.saveUnapplied(Self.forbidden, at: position, number: number, on: connection)
    }
  }

  /// The same words on every node, whatever the version of SQLite.
  private static let forbidden = "a rule of the database forbids it"

  /// Asks the journal within a transaction, which ends where the journal fails.
  private func asking<Value>(
    _ trouble: inout LedgerError?, _ body: () throws(JournalError) -> Value
  ) throws(SQLiteError) -> Value {
    do throws(JournalError) { return try body() } catch {
      trouble = LedgerError(error)
      throw SQLiteError(code: 4, message: error.description)
    }
  }

  /// Makes a database that follows no journal one that does, where it has what the journal begins with.
  func begin(_ journal: LedgerJournal) throws(LedgerError) {
    guard try asLedger({ () throws(SQLiteError) in try JournalPlaceStore.place(on: connection) }) == nil
    else {
      return
    }
    let reading: JournalReading
    do throws(JournalError) { reading = try journal.journal.read(after: .start, atMost: 1) } catch {
      throw LedgerError(error)
    }
    let start = JournalPlace(start: reading.ends.identity)
    guard reading.ends.first <= JournalPosition(1) else {
      throw LedgerError(.deleted(after: .start, first: reading.ends.first))
    }
    let first =
      try reading.batches.first.map { (batch) throws(LedgerError) in try Self.start(in: batch) } ?? nil
    let isOwn = try asLedger { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        let has = try JournalStart(of: connection)
        guard has == first ?? .nothing else { return false }
        try JournalPlaceStore.save(start, on: connection)
        return true
      }
    }
    guard isOwn else { throw .notOfJournal }
  }

  /// What a journal began with, where its first batch states it.
  private static func start(in batch: JournalBatch) throws(LedgerError) -> JournalStart? {
    let content: [UInt8]
    do throws(BatchError) { content = try BatchUnpacker().unpack(batch.body) } catch {
      throw LedgerError(.unreadable(at: batch.position, error))
    }
    var bytes = ChangeDecoder(content)
    guard case .success(.other(let change))? = try? AnyChange.next(in: &bytes) else { return nil }
    return change as? JournalStart
  }

  static func requireNoJournal(_ connection: borrowing Connection) throws(LedgerError) {
    let place = try asLedger { () throws(SQLiteError) in try JournalPlaceStore.place(on: connection) }
    guard place == nil else { throw .followsJournal }
  }
}

extension LedgerWriter.Step {
  fileprivate var isChange: Bool { if case .change = self { true } else { false } }
}

extension LedgerError {
  init(_ error: JournalError) { self = .journal(reason: error.description, remedy: error.remedy) }
}
