@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

struct `Further copies of a conversion` {
  private let scratch: ScratchDatabase

  init() throws { scratch = try ScratchDatabase() }

  /// A body of that many bytes, unlike those of other numbers.
  private func body(_ number: Int, bytes: Int) -> String {
    "\(number) " + String(repeating: "x", count: bytes - "\(number) ".count)
  }

  private func copies(of id: String = "a") throws -> [StoredCopy] {
    try #require(try LedgerReader(path: scratch.path).conversions(identifier: id).first).copies
  }

  @Test func `A further copy of a conversion costs the writer few pages, however large the stored ones are`()
    throws
  {
    let quota = CopyQuota(perConversion: 16 << 20, perSender: 16 << 20)
    let writer = try LedgerWriter(path: scratch.path, settings: LedgerSettings(copyQuota: quota))
    let eight = ConversionValue.fine(known(FineValue(8)))
    _ = try writer.commit([valid("a", body: body(0, bytes: 65_000))])
    for number in 1...PostbackStore.keptCopies {
      _ = try writer.commit([
        valid("a", body: body(number, bytes: 65_000)),
        valid("a", value: eight, body: body(-number, bytes: 65_000)),
      ])
    }
    #expect(try copies().count == 2 * PostbackStore.keptCopies)
    // Neither one that is kept, nor one that is new, nor a conflict reads the bodies: 32 of them are 512 pages.
    let repeats = [valid("a", body: "plain"), valid("a"), valid("a", value: eight, body: "plain")]
    _ = try writer.commit(repeats)
    let before = writer.pagesRead
    _ = try writer.commit((0..<100).flatMap { _ in repeats })
    #expect((writer.pagesRead - before) / 300 < 150)
    // A copy of the same length as the first is compared with it, which reads no more than the copy itself has.
    let first = valid("a", body: body(0, bytes: 65_000))
    _ = try writer.commit([first])
    let beforeFirst = writer.pagesRead
    _ = try writer.commit((0..<100).map { _ in first })
    #expect((writer.pagesRead - beforeFirst) / 100 < 180)
  }

  @Test func `Further copies of a conversion are kept up to a quota of bytes, and counted beyond it`() throws
  {
    let quota = CopyQuota(perConversion: 2500, perSender: 1 << 20)
    let writer = try LedgerWriter(path: scratch.path, settings: LedgerSettings(copyQuota: quota))
    let seven = ConversionValue.absent
    let receipts = (0..<10).map { valid("a", value: seven, body: body($0, bytes: 1000)) }
    let novelties = try writer.commit([valid("a")] + receipts + receipts).map(\.effect)
    #expect(novelties.dropFirst().allSatisfy { $0 == .conflict(["value"]) })
    let found = try copies()
    #expect(found.map(\.isCountedOnly) == [false, false, true])
    #expect(found.map(\.times) == [2, 2, 16])
    #expect(found.map { $0.body?.count } == [1000, 1000, nil])
    // Harmless copies have a quota of their own, and small ones still find a place.
    _ = try writer.commit([valid("a", body: body(1, bytes: 2000)), valid("a", value: seven, body: "small")])
    #expect(try copies().map(\.isCountedOnly) == [false, false, true, false, false])
    #expect(try totals(scratch.path).first?.counts.conflicts == 21)
  }

  @Test func `Conflicting copies are kept up to a quota of bytes for each sender and day`() throws {
    let quota = CopyQuota(perConversion: 10_000, perSender: 2500)
    let writer = try LedgerWriter(path: scratch.path, settings: LedgerSettings(copyQuota: quota))
    func kept(_ ids: ClosedRange<Int>, by sender: String, at time: Instant = noon) throws -> Int {
      for id in ids {
        let genuine = valid("\(id)", at: time)
        let changed = valid("\(id)", value: .absent, at: time, body: body(1, bytes: 1000))
        let arrival = Arrival(
          receivedAt: time, origin: changed.arrival.origin, quotaSource: sender, body: changed.arrival.body)
        _ = try writer.commit([genuine, Receipt(arrival: arrival, finding: changed.finding)])
      }
      return try ids.count { id in try copies(of: "\(id)")[0].body != nil }
    }
    #expect(try kept(1...5, by: "one") == 2)
    #expect(try kept(11...15, by: "other") == 2)
    #expect(try kept(21...25, by: "one", at: noon + Day.milliseconds) == 2)
    let rates = try LedgerReader(path: scratch.path).copyConflictRates(PostbackQuery(environment: .test))
    #expect(rates.map(\.contradicted) == [15])
    #expect(rates.map(\.countedOnly) == [9])
  }

  @Test
  func `Further copies of a conversion are distinguished by route and fields, even if they are only counted`()
    throws
  {
    let writer = try LedgerWriter(
      path: scratch.path, settings: LedgerSettings(copyQuota: CopyQuota(perConversion: 0)))
    let network = Origin(.forwarded, name: "acme")
    _ = try writer.commit([
      valid("a", country: "US"), valid("a", value: .absent), valid("a", value: .absent, origin: network),
      valid("a", country: "DE"), valid("a", value: .absent, body: "other"),
    ])
    let found = try copies()
    #expect(found.map(\.conflict) == [["value"], ["value"], ["country"]])
    #expect(found.map(\.origin) == [Origin(.advertiserCopy), network, Origin(.advertiserCopy)])
    #expect(found.map(\.times) == [2, 1, 1])
  }
}
