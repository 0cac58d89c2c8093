import Imports
import Ledger
import Postbacks
@testable import Tables
import Testing
import Values

struct `The list of own users` {
  private func row(_ value: Int, _ horizon: WorthHorizon) throws -> ValueWorthRow {
    ValueWorthRow(
      app: try #require(AppID(1)), effectiveFrom: Instant(seconds: 0), horizon: horizon, currency: "USD",
      value: value, users: 2, micros: 4_000_000, squares: 8, cubes: 16, largest: 3_000_000,
      amounts: [1_000_000, 3_000_000])
  }

  @Test func `The list of own users distinguishes horizons, and names coarse values`() throws {
    let rows = UserRows.rows([try row(5, .firstWindow), try row(5, .days(7)), try row(65, .days(7))], [])
    #expect(Set(rows.map(UserRows.key)).count == 3)
    func cells(_ name: String) throws -> [Cell] {
      let column = try #require(UserRows.columns.first { $0.header.name == name })
      return rows.map { column.cell(of: $0) }
    }
    #expect(try cells("value") == [.integer(5), .integer(5), .none])
    #expect(try cells("coarse") == [.none, .none, .text("medium")])
    #expect(try cells("horizon-days") == [.none, .integer(7), .integer(7)])
  }
}
