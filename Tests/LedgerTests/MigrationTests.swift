@testable import Ledger
import Postbacks
import SQLite
import Testing
import Values

struct `A database of layout 1` {
  private let scratch: ScratchDatabase

  init() throws { scratch = try ScratchDatabase() }

  /// Postbacks of several values, hours, outcomes and days.
  private var receipts: [Receipt] {
    let values: [ConversionValue] = [
      .fine(known(FineValue(0))), .fine(known(FineValue(63))), .coarse(.low), .coarse(.high), .absent,
      .rejected,
    ]
    return (0..<240).map { index in
      valid(
        "t\(index)", value: values[index % values.count], at: noon + Int64(index) * 2_000_000,
        campaign: index % 2 == 0 ? "39" : "5239", outcome: index % 7 == 0 ? .assist : .install)
    }
  }

  /// Brings a file with rows back to the layout before.
  private func downgrade() throws {
    try LedgerTests.downgrade(Connection(path: scratch.path, mode: .readWrite), to: 1)
  }

  private func hours() throws -> [Int64: Int64] {
    var hours: [Int64: Int64] = [:]
    try Connection(path: scratch.path, mode: .readOnly).prepare("SELECT id, postbacks FROM value_hour")
      .forEachRow { hours[$0.count(0)] = $0.count(1) }
    return hours
  }

  private func arrivals() throws -> [ArrivalHour] {
    try LedgerReader(path: scratch.path).arrivals(fromHour: 0)
  }

  @Test func `is brought up to date with the same sums, and takes more postbacks`() throws {
    _ = try LedgerWriter(path: scratch.path).commit(receipts)
    let (before, hoursBefore) = (try totals(scratch.path, dimensions: [.day, .campaign]), try hours())
    #expect(hoursBefore.values.reduce(0, +) == Int64(receipts.count - receipts.count / 7 - 1))
    let arrivalsBefore = try arrivals()
    #expect(arrivalsBefore.reduce(0) { $0 + $1.count.first } == Int64(receipts.count))
    try downgrade()
    let writer = try LedgerWriter(path: scratch.path)
    #expect(try totals(scratch.path, dimensions: [.day, .campaign]) == before)
    #expect(try hours() == hoursBefore)
    #expect(try arrivals() == arrivalsBefore)
    #expect(try writer.commit([receipts[0]])[0].novelty == .copy)
    #expect(try writer.commit([valid("new")])[0].novelty == .first)
  }

  @Test func `is not read before that, because readers change nothing`() throws {
    _ = try LedgerWriter(path: scratch.path)
    try downgrade()
    #expect(throws: LedgerError.olderSchema(found: 1, known: Schema.steps.count)) {
      try LedgerReader(path: scratch.path)
    }
  }

  @Test func `keeps the totals of networks that layout 2 has, with nothing told beside them`() throws {
    _ = try LedgerWriter(path: scratch.path)
    let connection = try Connection(path: scratch.path, mode: .readWrite)
    try LedgerTests.downgrade(connection, to: 2)
    try connection.execute("INSERT INTO network_total VALUES (20000, 'n', '39', 7)")
    _ = try LedgerWriter(path: scratch.path)
    #expect(
      try LedgerReader(path: scratch.path).networkTotals(from: nil, to: nil)
        == [NetworkTotalRow(day: Day(number: 20_000), network: "n", campaign: "39", installs: 7)])
  }

  @Test func `keeps the spend that layout 5 has, as spend of production`() throws {
    _ = try LedgerWriter(path: scratch.path)
    let connection = try Connection(path: scratch.path, mode: .readWrite)
    try LedgerTests.downgrade(connection, to: 5)
    try connection.execute("INSERT INTO spend VALUES (20000, 'n', '39', 0, 'USD', 7)")
    _ = try LedgerWriter(path: scratch.path)
    let reader = try LedgerReader(path: scratch.path)
    let paid = SpendRow(
      day: Day(number: 20_000), network: "n", campaign: "39", app: nil, currency: "USD", micros: 7)
    #expect(try reader.spend(from: nil, to: nil, environment: .production) == [paid])
    #expect(try reader.spend(from: nil, to: nil, environment: .test).isEmpty)
  }
}
