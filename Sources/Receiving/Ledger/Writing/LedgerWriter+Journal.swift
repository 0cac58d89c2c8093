import Journal
import SQLite
import System
import Values

extension LedgerWriter {
  /// Batches that one transaction follows at most, so that readers and other programs get their turn.
  private static let batchesAtOnce = 64
  /// Microseconds that an appended batch may take to be seen where it is read from.
  private static let patience = 10_000_000.0
  /// Bytes of a change at most, and of what one batch has together.
  private static let mostBytes = BatchEnvelope.longestContent / 2

  /// Rejects a change that no batch takes, or that other nodes could not read, before it waits with others.
  static func requireSound(_ change: some LedgerChange) throws(LedgerError) {
    let bytes = AnyChange.bytes(of: [.other(change)])
    guard bytes.count <= mostBytes else {
      throw .journal(
        reason: "the change has \(bytes.count) bytes; a journal takes \(mostBytes) at once",
        remedy: "Divide the file, and import its parts.")
    }
    var decoder = ChangeDecoder(bytes)
    guard case .success? = try? AnyChange.next(in: &decoder) else {
      throw .journal(reason: "the change has a value that a journal cannot carry", remedy: nil)
    }
  }

  /// Divides steps into what batches take.
  static func pieces(_ steps: [Step]) -> [ArraySlice<Step>] {
    var pieces: [ArraySlice<Step>] = []
    var (start, bytes) = (0, 0)
    for (index, step) in steps.enumerated() {
      let more = step.mostBytes
      if bytes + more > mostBytes, start < index {
        pieces.append(steps[start..<index])
        (start, bytes) = (index, 0)
      }
      bytes += more
    }
    if start < steps.count { pieces.append(steps[start...]) }
    return pieces
  }

  /// Writes one change, by way of the journal where there is one.
  func write<Change: LedgerChange>(_ change: Change) throws(LedgerError) -> Change.Outcome {
    if journal != nil {
      try Self.requireSound(change)
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
    guard let journal else { return nil }
    // The database's lock is for others while the journal is only looked at, which can take seconds.
    if let end = try lookAhead(in: journal) {
      progress = end
      return end
    }
    _ = try commit(ArraySlice<Step>())
    return progress
  }

  /// Where the database is, if the journal has nothing more; `nil` where it has.
  private func lookAhead(in journal: LedgerJournal) throws(LedgerError) -> JournalProgress? {
    var follower = try follower(of: journal)
    let position = follower.place.position
    let differences = try JournalPlaceStore.differences(on: connection)
    do throws(JournalError) {
      guard try follower.next(atMost: 1).isEmpty else { return nil }
      cannotFollow = false
      return JournalProgress(position: position, last: follower.last, differences: differences)
    } catch {
      cannotFollow = true
      throw LedgerError(error)
    }
  }

  /// Goes on where the database is.
  private func follower(of journal: LedgerJournal) throws(LedgerError) -> JournalFollower {
    guard let place = try JournalPlaceStore.place(on: connection) else {
      throw .damaged("the place in the journal is missing")
    }
    return JournalFollower(
      journal.journal, at: place, numbers: try JournalPlaceStore.numbers(on: connection))
  }

  /// Appends steps to the journal, and applies its batches up to them, in the order of all nodes.
  ///
  /// The transaction is open all the while. So of several programs with one file each sees what became of its own steps, and
  /// what was appended and not applied, because a process ended, is applied from the journal.
  func storeInOrder(_ steps: ArraySlice<Step>, of journal: LedgerJournal) throws(LedgerError) -> Stored {
    var stored = Stored()
    // What cannot follow must not append: the author would never know what became of it.
    if steps.isEmpty || cannotFollow { try apply(upTo: nil, of: journal, [], &stored) }
    guard !steps.isEmpty else { return stored }
    let content = AnyChange.bytes(of: try steps.map { step throws(LedgerError) in try sent(step) })
    // Before this program's own batch, so that nodes which would count it otherwise stop before it.
    let raise: LevelRaise? =
      try JournalPlaceStore.level(on: connection) < journal.level ? LevelRaise(level: journal.level) : nil
    let began = wallMicroseconds()
    let own = try asking { () throws(JournalError) in
      if appender == nil { appender = try JournalAppender(journal.journal, node: journal.node) }
      _ = try appender?.resend()
      if let raise { _ = try appender?.append(AnyChange.bytes(of: [.other(raise)])) }
      return try appender?.append(content)
    }
    journal.appendMicroseconds.record(Int(wallMicroseconds() - began))
    try apply(upTo: own, of: journal, steps, &stored)
    return stored
  }

  /// A step as it is sent: a rejected body that no node will keep, because its quota is used up, stays behind.
  private func sent(_ step: Step) throws(LedgerError) -> AnyChange {
    guard case .receipt(let receipt) = step, case .rejected(let rejection) = receipt.finding,
      try !rejected.hasRoom(for: rejection, of: receipt.arrival)
    else { return step.change }
    let arrival = receipt.arrival
    return .receipt(
      Receipt(
        arrival: Arrival(
          receivedAt: arrival.receivedAt, origin: arrival.origin, quotaSource: arrival.quotaSource, body: []),
        finding: receipt.finding))
  }

  /// Applies batches: those of one reading, and further ones up to a position, whose batch is these steps.
  private func apply(
    upTo own: AppendedBatch?, of journal: LedgerJournal, _ steps: ArraySlice<Step>, _ stored: inout Stored
  ) throws(LedgerError) {
    var follower = try follower(of: journal)
    let began = wallMicroseconds()
    cannotFollow = true
    if let own, let batch = try asking({ () throws(JournalError) in try follower.take(own) }) {
      try storeOwn(steps, batch, &stored)
      return try end(follower)
    }
    repeat {
      let batches = try asking { () throws(JournalError) in
        try follower.next(atMost: Self.batchesAtOnce)
      }
      for batch in batches {
        if batch.place.position == own?.position {
          try storeOwn(steps, batch, &stored)
        } else {
          if let content = batch.content {
            try storePiece(content, at: batch.place.position, level: journal.level)
          }
          try JournalPlaceStore.save(batch, on: connection)
        }
      }
      if let own, batches.isEmpty, follower.place.position < own.position {
        guard wallMicroseconds() - began < Self.patience else {
          throw LedgerError(.serverIsBehind(place: own.position, last: follower.last))
        }
        rest(microseconds: 2000)
      }
    } while own.map { follower.place.position < $0.position } ?? false
    try end(follower)
  }

  /// Stores the steps of this program's own batch.
  private func storeOwn(
    _ steps: ArraySlice<Step>, _ batch: FollowedBatch, _ stored: inout Stored
  ) throws(LedgerError) {
    stored = try storePiece(steps)
    for (number, failure) in zip(steps.enumerated().filter(\.element.isChange).map(\.offset), stored.failures)
    where failure != nil {
      try JournalPlaceStore.saveUnapplied(
        Self.forbidden, at: batch.place.position, number: number, on: connection)
    }
    try JournalPlaceStore.save(batch, on: connection)
  }

  private func end(_ follower: borrowing JournalFollower) throws(LedgerError) {
    cannotFollow = false
    progress = JournalProgress(
      position: follower.place.position, last: follower.last,
      differences: try JournalPlaceStore.differences(on: connection))
  }

  /// Stores what another program appended, or this one before a failure; what can't be read or applied is noted.
  private func storePiece(
    _ content: [UInt8], at position: JournalPosition, level: Int64
  ) throws(LedgerError) {
    let read = AnyChange.all(in: content)
    try AnyChange.requireKnown(read, at: position, level: level)
    var (steps, numbers): ([Step], [Int]) = ([], [])
    for (number, change) in read.enumerated() {
      switch change {
      case .success(let change):
        steps.append(Step(change))
        numbers.append(number)
      case .failure(let defect):
        try JournalPlaceStore.saveUnapplied("\(defect)", at: position, number: number, on: connection)
      }
    }
    let failures = try storePiece(steps[...]).failures
    let changes = zip(steps, numbers).filter(\.0.isChange).map(\.1)
    for (number, failure) in zip(changes, failures) where failure != nil {
      try JournalPlaceStore.saveUnapplied(Self.forbidden, at: position, number: number, on: connection)
    }
  }

  /// The same words on every node, whatever the version of SQLite.
  private static let forbidden = "a rule of the database forbids it"

  /// Makes a database that follows no journal one that does, where it has what the journal begins with.
  ///
  /// - Throws: ``LedgerError/withoutBodies`` where it has left bodies out and is to have them.
  func begin(_ journal: LedgerJournal) throws(LedgerError) {
    try follow(journal)
    if journal.role == .receive { try JournalPlaceStore.leaveBodiesOut(on: connection) }
    let keepsBodies = try JournalPlaceStore.keepsBodies(on: connection)
    guard keepsBodies || journal.role != .full else { throw .withoutBodies }
  }

  private func follow(_ journal: LedgerJournal) throws(LedgerError) {
    let level = try JournalPlaceStore.level(on: connection)
    guard level <= journal.level else {
      throw .newerLevel(level, known: journal.level, at: "the journal of the database")
    }
    guard try JournalPlaceStore.place(on: connection) == nil else { return }
    // Together, so that nothing comes between.
    try connection.transaction { () throws(LedgerError) in
      let start = try FollowingProspect.start(for: connection, in: journal.journal)
      try JournalPlaceStore.save(start, on: connection)
    }
  }

  static func requireNoJournal(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    try JournalPlaceStore.requireNone(on: connection)
  }
}

/// Asks a journal; what it throws is an error of the ledger that follows it.
func asking<Value>(_ body: () throws(JournalError) -> Value) throws(LedgerError) -> Value {
  do throws(JournalError) { return try body() } catch { throw LedgerError(error) }
}

extension LedgerError {
  init(_ error: JournalError) {
    var remedy = error.remedy
    if case .unavailable = error {
      remedy = "\(remedy ?? "") What was sent may still take effect, so look before you repeat it."
    }
    self = .journal(reason: error.description, remedy: remedy)
  }
}
