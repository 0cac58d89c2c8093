import Platform
import SQLite
import Testing

@testable import Ledger

struct `The ledger's queue` {
  @Test func `tells every submitter what became of its receipt, and commits many together`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    let results = Guarded<[Commitment.Novelty]>([])
    let submitters = (0..<4).map { thread in
      Worker {
        for number in 0..<250 {
          // Every identifier is sent by two threads.
          let isTaken = ledger.submit(valid("\(thread % 2)-\(number)")) { result in
            if case .success(let commitment) = result { results.withLock { $0.append(commitment.novelty) } }
          }
          #expect(isTaken)
        }
      }
    }
    for submitter in submitters { submitter.join() }
    ledger.close()
    let novelties = results.withLock { $0 }
    #expect(novelties.count == 1000)
    #expect(novelties.count { $0 == .first } == 500)
    #expect(ledger.statistics.receipts == 1000)
    #expect(ledger.statistics.commits < 500)
  }

  @Test func `commits what waits when it is closed, and takes nothing afterwards`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    let stored = Guarded(0)
    for number in 0..<50 {
      #expect(ledger.submit(valid("\(number)")) { _ in stored.withLock { $0 += 1 } })
    }
    ledger.close()
    #expect(stored.withLock { $0 } == 50)
    #expect(!ledger.submit(valid("late")) { _ in Issue.record("nobody was to be told") })
    #expect(
      try Connection(path: scratch.path, mode: .readOnly).integer("SELECT count(*) FROM postback") == 50)
  }

  @Test func `turns receipts away when too many wait, by number or by bytes`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(
      path: scratch.path, settings: LedgerSettings(queueCapacity: 10, busyMilliseconds: 200))
    // Another program's lock holds the writer up, so that the queue fills.
    let other = try Connection(path: scratch.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let taken = (0..<100).count { number in ledger.submit(valid("\(number)")) { _ in } }
    #expect(taken >= 10)
    #expect(taken <= 21)
    #expect(ledger.statistics.turnedAway == 100 - taken)
    try other.execute("ROLLBACK")
    ledger.close()
  }

  @Test func `reports a failure to everyone in the batch and goes on when the trouble is over`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path, settings: LedgerSettings(busyMilliseconds: 50))
    let other = try Connection(path: scratch.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let outcome = Guarded<Result<Commitment, LedgerError>?>(nil)
    func submit(_ id: String) -> Result<Commitment, LedgerError> {
      outcome.withLock { $0 = nil }
      #expect(
        ledger.submit(valid(id)) { result in
          outcome.withLock { $0 = result }
          outcome.wakeAll()
        })
      return outcome.wait { $0 }
    }
    #expect(throws: LedgerError.busy) { try submit("a").get() }
    #expect(ledger.statistics.lastFailure != nil)
    try other.execute("ROLLBACK")
    #expect(try submit("a").get().novelty == .first)
    #expect(ledger.statistics.lastFailure == nil)
    ledger.close()
  }

  @Test func `refuses to open what is no ledger`() throws {
    let scratch = try ScratchDatabase()
    #expect(throws: LedgerError.self) { try PostbackLedger(path: scratch.folder.path) }
    #expect(throws: LedgerError.self) { try PostbackLedger(path: scratch.path + "/missing/skan.db") }
  }
}
