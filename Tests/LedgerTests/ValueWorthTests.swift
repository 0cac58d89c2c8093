@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

struct `The revenue of own users` {
  private let scratch: ScratchDatabase

  init() throws { scratch = try ScratchDatabase() }

  private func store(_ each: [Int64]) throws {
    try ReferenceStore(path: scratch.path).replaceWorth(
      of: known(AppID(1)), effectiveFrom: Instant(seconds: 0),
      with: [
        ValueWorthRow(
          app: known(AppID(1)), effectiveFrom: Instant(seconds: 0), currency: "USD", value: 7, each: each)
      ])
  }

  @Test(arguments: [
    ("worth_amount", Int64(-1)), ("worth_amount", .max), ("value_worth", .max), ("value_worth", -1),
  ])
  func `Is an error and no crash where a stored number is none that skan writes`(table: String, users: Int64)
    throws
  {
    try store([1, 1])
    #expect(try LedgerReader(path: scratch.path).valueWorth().map(\.users) == [2])
    try Connection(path: scratch.path, mode: .readWrite).execute("UPDATE \(table) SET users = \(users)")
    let error = #expect(throws: LedgerError.self) { try LedgerReader(path: scratch.path).valueWorth() }
    #expect(error?.description.contains("found \(users) own users of value 7") == true)
    #expect(error?.isDamage == true && error?.remedy != nil)
  }

  @Test func `Is the largest amount where a sum does not fit, and states that`() throws {
    try store([Int64](repeating: .max / 300, count: 300))
    #expect(try LedgerReader(path: scratch.path).valueWorth().map(\.didSaturate) == [false])
    try store([Int64](repeating: .max / 300, count: 302))
    let row = try #require(try LedgerReader(path: scratch.path).valueWorth().first)
    #expect(row.didSaturate && row.micros == .max && row.users == 302)
  }
}
