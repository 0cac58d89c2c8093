@testable import Ledger
import PostbackFixtures
import SQLite
import System
import Testing

struct `The ledger's queue` {
  @Test
  func `The ledger's queue reports to every submitter the result of its receipt, and commits many together`()
    throws
  {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    let results = Guarded<[Commitment.Effect]>([])
    let submitters = try (0..<4).map { thread in
      try Worker {
        for number in 0..<250 {
          // Every identifier is sent by two threads.
          let isTaken = ledger.submit(valid("\(thread % 2)-\(number)")) { result in
            if case .success(let commitment) = result { results.withLock { $0.append(commitment.effect) } }
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

  @Test func `The ledger's queue commits what waits when it is closed, and accepts nothing afterwards`()
    throws
  {
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

  @Test func `The ledger's queue rejects receipts when too many wait, by number or by bytes`() throws {
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

  @Test
  func `The ledger's queue reports a failure to each submitter of the batch and continues after the fault`()
    throws
  {
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
    #expect(try submit("a").get().effect == .first)
    #expect(ledger.statistics.lastFailure == nil)
    ledger.close()
  }

  @Test func `The ledger's queue stores a device's postback before a waiting batch`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    let other = try Connection(path: scratch.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let order = Guarded<[String]>([])
    let network = Origin(.forwarded, name: "acme")
    for number in 0..<5000 {
      #expect(
        ledger.submit(valid("b\(number)", origin: network)) { _ in order.withLock { $0.append("batch") } })
    }
    #expect(ledger.submit(valid("device")) { _ in order.withLock { $0.append("device") } })
    #expect(ledger.statistics.waitingDevices.receipts == 1)
    #expect(ledger.statistics.waitingBatches.receipts >= 5000 - 1024)
    #expect(ledger.statistics.waitingBatches.bytes > 0)
    try other.execute("ROLLBACK")
    ledger.close()
    let place = try #require(order.withLock { $0.firstIndex(of: "device") })
    // One transaction with a piece of the batch may have been on its way.
    #expect(place <= 1024)
    #expect(order.withLock { $0.count } == 5001)
    #expect(ledger.statistics.largestCommit <= 1024)
    #expect(ledger.statistics.waiting == 0)
    #expect(ledger.commitSizes.reading.sum == 5001)
    #expect(ledger.commitMicroseconds.reading.counts.reduce(0, +) == ledger.statistics.commits)
  }

  @Test func `The ledger's queue has room for devices when batches have filled theirs`() throws {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(
      path: scratch.path, settings: LedgerSettings(queueCapacity: 10, busyMilliseconds: 200))
    let other = try Connection(path: scratch.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let network = Origin(.forwarded, name: "acme")
    let taken = (0..<100).count { ledger.submit(valid("b\($0)", origin: network)) { _ in } }
    #expect(taken < 100)
    #expect(ledger.submit(valid("device")) { _ in })
    try other.execute("ROLLBACK")
    ledger.close()
  }

  /// Has networks submit while the database is locked, and returns the order in which they were served.
  private func order(_ submissions: [Receipt]) throws -> (names: [String], largestCommit: Int) {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    let other = try Connection(path: scratch.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let order = Guarded<[String]>([])
    for receipt in submissions {
      let name = receipt.arrival.origin.name
      #expect(ledger.submit(receipt) { _ in order.withLock { $0.append(name) } })
    }
    try other.execute("ROLLBACK")
    ledger.close()
    return (order.withLock { $0 }, ledger.statistics.largestCommit)
  }

  private func forwarded(_ number: Int, by network: String, bytes: Int = 10) -> Receipt {
    Receipt(
      arrival: Arrival(
        receivedAt: noon, origin: Origin(.forwarded, name: network), quotaSource: network,
        body: [UInt8](repeating: 120, count: bytes)),
      finding: .rejected(Rejection(state: .malformed, reason: "broken-json", identifier: "\(number)")))
  }

  @Test func `The ledger's queue serves a network's single postback soon, whatever another has waiting`()
    throws
  {
    let flood = (0..<10_000).map { forwarded($0, by: "flood") }
    let (names, largestCommit) = try order(flood + [forwarded(0, by: "single")])
    #expect(names.count == 10_001)
    let place = try #require(names.firstIndex(of: "single"))
    #expect(place <= 2 * largestCommit)
    #expect(largestCommit <= 600)
  }

  @Test func `The ledger's queue cuts slices of batches by their bytes too`() throws {
    let (names, largestCommit) = try order((0..<300).map { forwarded($0, by: "large", bytes: 60_000) })
    #expect(names.count == 300)
    #expect(largestCommit <= 40)
  }

  @Test
  func `The ledger's queue has room for a network when another has filled its own, by number or by bytes`()
    throws
  {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path, settings: LedgerSettings(busyMilliseconds: 60_000))
    let other = try Connection(path: scratch.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let many = (0..<30_000).count { ledger.submit(forwarded($0, by: "many")) { _ in } }
    #expect(many < 18_000)
    let large = (0..<1000).count { ledger.submit(forwarded($0, by: "large", bytes: 60_000)) { _ in } }
    #expect(large < 600)
    for number in 0..<100 { #expect(ledger.submit(forwarded(number, by: "single")) { _ in }) }
    try other.execute("ROLLBACK")
    ledger.close()
  }

  @Test func `The ledger's queue does not open a file that is no ledger`() throws {
    let scratch = try ScratchDatabase()
    #expect(throws: LedgerError.self) { try PostbackLedger(path: scratch.folder.path) }
    #expect(throws: LedgerError.self) { try PostbackLedger(path: scratch.path + "/missing/skan.db") }
  }
}
