import Journal
@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

struct `Purchases in the ledger` {
  private let scratch: ScratchDatabase
  private let day = Day(number: 20_400)

  init() throws { scratch = try ScratchDatabase() }

  private func change(
    _ type: PurchaseType, _ transaction: UInt8, account: UInt8 = 1, micros: Int64 = 5_000_000,
    dayOffset: Int32 = 0,
    environment: PurchaseEnvironment = .production, notification: UInt8? = nil
  ) -> PurchaseStoring {
    PurchaseStoring(
      environment: environment, app: known(AppID(7)), type: type,
      at: Day(number: day.number + dayOffset).start + 3_600_000, product: "gold", currency: "USD",
      micros: micros,
      digests: .init(account: [account], transaction: [transaction]),
      notification: [
        notification ?? UInt8(truncatingIfNeeded: Int(transaction) &* 8 + Int(type.side.rawValue))
      ])
  }

  private func write(_ change: PurchaseStoring) throws -> PurchaseStoring.Outcome {
    try LedgerFile(path: scratch.path).write(change)
  }

  private func rows(
    _ dimensions: [PurchaseDimension] = [], _ environment: PurchaseEnvironment = .production
  ) throws -> [PurchaseRow] {
    var query = PurchaseQuery()
    (query.dimensions, query.environment) = (dimensions, environment)
    return try LedgerReader(path: scratch.path).purchases(query)
  }

  @Test func `A transaction counts each of its sides once, whatever notification it comes with`() throws {
    #expect(try write(change(.purchase, 1)) == .counted(.purchase))
    #expect(try write(change(.purchase, 1)) == .repeated)
    #expect(try write(change(.renewal, 1, notification: 99)) == .repeated)
    #expect(try write(change(.refund, 2, notification: 8)) == .repeated, "the notification counts already")
    #expect(try write(change(.refund, 1, micros: 2_000_000, dayOffset: 3)) == .counted(.refund))
    #expect(try write(change(.refund, 1, notification: 98)) == .repeated)
    // The part that was refunded comes back, not the whole.
    #expect(try write(change(.refundReversal, 1, dayOffset: 4)) == .counted(.refundReversal))
    #expect(try write(change(.revocation, 1, micros: 0)) == .counted(.revocation))
    let row = try #require(try rows().first)
    #expect(row.charges == 1 && row.refunds == 1 && row.revocations == 1)
    #expect(row.charged.micros == 7_000_000 && row.refunded.micros == 2_000_000)
    #expect(row.proceeds.micros == 5_000_000)
    let days = try rows([.day])
    #expect(days.map(\.day?.number) == [20_400, 20_403, 20_404])
    #expect(days.map(\.proceeds.micros) == [5_000_000, -2_000_000, 2_000_000])
  }

  @Test func `Sums that do not fit are the largest amount, of days and of several, and are named`() throws {
    let most: Int64 = 9_000_000_000_000_000_000
    _ = try write(change(.purchase, 1, micros: most))
    _ = try write(change(.refund, 1, micros: 1_000_000, dayOffset: 1))
    #expect(try rows().map(\.charged.micros) == [most])
    #expect(try rows().map(\.didSaturate) == [false])
    // Of two days.
    _ = try write(change(.purchase, 2, micros: most, dayOffset: 1))
    #expect(try rows().map(\.charged.micros) == [.max])
    #expect(try rows().map(\.didSaturate) == [true])
    #expect(try rows([.day]).map(\.charged.micros) == [most, most])
    #expect(try rows([.day]).map(\.refunded.micros) == [0, 1_000_000])
    // Of one day.
    _ = try write(change(.purchase, 3, micros: most, dayOffset: 1))
    #expect(try rows([.day]).map(\.charged.micros) == [most, .max])
    #expect(try rows([.day]).map(\.charges) == [1, 2])
    // The recount of the day's rows is held at the same end, so that the total is right.
    #expect(try LedgerReader(path: scratch.path).examine().contradictions == [])
  }

  @Test func `Counts that no number of postbacks can be are called wrong totals`() throws {
    _ = try write(change(.purchase, 1))
    try Connection(path: scratch.path, mode: .readWrite).execute(
      """
      INSERT INTO arrival_hour(hour, origin, environment, network, first, repeated, conflicting, rejected)
      VALUES (1, 0, 0, 0, 0, 0, 0, \(Int64.max)), (2, 0, 0, 0, 0, 0, 0, \(Int64.max))
      """)
    let health = try LedgerReader(path: scratch.path).examine()
    #expect(health.damage == [] && health.contradictions.count == 1, "\(health.contradictions)")
    #expect(
      LedgerError(SQLiteError(code: 1, message: "integer overflow")).description.contains(
        "a sum of stored counts is larger than 9223372036854775807"))
  }

  @Test func `The first renewal behind a trial is its conversion, and no later one`() throws {
    #expect(try write(change(.trialStart, 1, micros: 0)) == .counted(.trialStart))
    #expect(try write(change(.renewal, 9, account: 2, dayOffset: 7)) == .counted(.renewal))
    #expect(try write(change(.renewal, 2, dayOffset: 7)) == .counted(.trialConversion))
    #expect(try write(change(.renewal, 2, dayOffset: 7, notification: 97)) == .repeated)
    #expect(try write(change(.renewal, 3, dayOffset: 14)) == .counted(.renewal))
    #expect(try rows([.type]).compactMap(\.type) == [.renewal, .trialConversion, .trialStart])
  }

  @Test func `Purchases of the sandbox and of tests never count in production`() throws {
    #expect(try write(change(.purchase, 1, environment: .sandbox)) == .counted(.purchase))
    #expect(try write(change(.purchase, 2, environment: .test)) == .counted(.purchase))
    #expect(try rows().isEmpty)
    #expect(try rows([], .sandbox).map(\.charges) == [1])
    #expect(try rows([], .test).map(\.charges) == [1])
  }

  @Test
  func `Pruning deletes what distinguishes accounts, keeps totals, and lets no old purchase count again`()
    throws
  {
    let file = try LedgerFile(path: scratch.path)
    let key = try file.write(PurchaseKeyStoring(key: [1, 2]))
    #expect(key == [1, 2])
    #expect(try file.write(PurchaseKeyStoring(key: [3])) == [1, 2], "the first key stays")
    #expect(try LedgerReader(path: scratch.path).purchaseKey() == [1, 2])
    for number in 0..<UInt8(20) {
      _ = try write(change(.purchase, number, account: number, dayOffset: Int32(number)))
    }
    let before = try rows([.day])
    let moment = Day(number: day.number + 5).start
    #expect(try LedgerUpkeep(path: scratch.path).countOldBodies(before: moment).purchases == 5)
    #expect(try file.prune(before: moment).purchases == 5)
    #expect(try file.prune(before: moment).purchases == 0)
    #expect(try rows([.day]) == before)
    #expect(try write(change(.purchase, 3, account: 3, dayOffset: 3)) == .tooOld)
    #expect(try write(change(.purchase, 7, account: 7, dayOffset: 7)) == .repeated)
    let left = try Connection(path: scratch.path, mode: .readOnly).integer("SELECT count(*) FROM purchase")
    #expect(left == 15)
  }

  @Test func `Pruning by a clock that is years ahead closes no day that nothing was stored of`() throws {
    let file = try LedgerFile(path: scratch.path)
    _ = try file.write(PurchaseKeyStoring(key: [1]))
    _ = try write(change(.purchase, 1))
    #expect(try file.prune(before: Day(number: day.number + 4000).start).purchases == 1)
    #expect(try write(change(.purchase, 1)) == .tooOld)
    #expect(try write(change(.purchase, 2, dayOffset: 1)) == .counted(.purchase))
  }

  @Test func `A reader that is limited to apps or networks sees no purchases of others`() throws {
    _ = try write(change(.purchase, 1))
    func count(_ limit: ReadLimit) throws -> Int {
      try LedgerReader(path: scratch.path, limit: limit).purchases(PurchaseQuery()).count
    }
    #expect(try count(ReadLimit(apps: [known(AppID(7))])) == 1)
    #expect(try count(ReadLimit(apps: [known(AppID(8))])) == 0)
    #expect(try count(ReadLimit(networks: [known(AdNetworkID("n.skadnetwork"))])) == 0)
  }

  @Test func `Nodes of a journal digest with the key of the first one, and count what both received once`()
    throws
  {
    let journal = MemoryJournal(identity: try .random())
    let other = try ScratchDatabase()
    func node(_ name: String, _ path: String) throws -> LedgerWriter {
      var settings = LedgerSettings()
      settings.journal = LedgerJournal(journal, as: known(NodeName(name)))
      return try LedgerWriter(path: path, settings: settings)
    }
    let (a, b) = (try node("a", scratch.path), try node("b", other.path))
    #expect(try a.write(PurchaseKeyStoring(key: [1])) == [1])
    #expect(try b.write(PurchaseKeyStoring(key: [2])) == [1])
    #expect(try a.write(change(.purchase, 1)) == .counted(.purchase))
    #expect(try b.write(change(.purchase, 1)) == .repeated)
    #expect(try b.write(change(.refund, 1)) == .counted(.refund))
    #expect(try a.write(change(.refund, 1)) == .repeated)
    for path in [scratch.path, other.path] {
      let row = try LedgerReader(path: path).purchases(PurchaseQuery()).first
      #expect(row?.charges == 1 && row?.refunds == 1)
    }
  }

  @Test
  func `A recount of totals finds a purchase that is missing there, and lets those be that were pruned`()
    throws
  {
    let file = try LedgerFile(path: scratch.path)
    _ = try file.write(PurchaseKeyStoring(key: [1]))
    for number in 0..<UInt8(9) { _ = try write(change(.purchase, number, dayOffset: Int32(number))) }
    _ = try file.prune(before: Day(number: day.number + 4).start)
    let rebuild = LedgerRebuild(path: scratch.path)
    #expect(try rebuild.check().areEqual)
    let before = try rows([.day])
    try Connection(path: scratch.path, mode: .readWrite).execute(
      "UPDATE purchase_total SET micros = micros - 1 WHERE day = 20405; DELETE FROM purchase_total WHERE day = 20406"
    )
    let found = try rebuild.check().totals
    #expect(Set(found.map(\.total)) == [.purchases])
    #expect(
      found.map { $0.place.map { $0.text ?? "" }.joined(separator: " ") }.contains(
        "production 7 2025-11-13 gold purchase USD"))
    _ = try rebuild.repair()
    #expect(try rebuild.check().areEqual)
    #expect(try rows([.day]) == before)
  }
}
