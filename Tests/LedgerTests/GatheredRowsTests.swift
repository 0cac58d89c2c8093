import Ledger
import Testing
import Values

struct `Rows that are gathered from a file` {
  private func row(_ day: Int, _ campaign: String, app: Int64? = nil, _ micros: Int64 = 1) -> SpendRow {
    SpendRow(
      day: Day(number: Int32(day)), network: "n", campaign: campaign, app: app, currency: "USD",
      micros: micros)
  }

  @Test func `Rows that are gathered from a file are found by their keys, and keep their places`() throws {
    let rows = try GatheredRows<SpendRow>()
    for (line, name) in ["b", "a", "c"].enumerated() {
      #expect(try rows.row(like: row(1, name)) == nil)
      try rows.put(row(1, name), line: line + 2, isNew: true)
    }
    let known = try #require(try rows.row(like: row(1, "a", 9)))
    #expect(known.row == row(1, "a") && known.line == 3)
    try rows.put(row(1, "a", 5), line: 7, isNew: false)
    #expect(try rows.all() == [row(1, "b"), row(1, "a", 5), row(1, "c")])
    #expect(try rows.row(like: row(1, "a"))?.line == 3)
    #expect(try rows.first(1) == [row(1, "b")] && rows.count == 3)
  }

  @Test func `Rows that are gathered from a file come by their keys, what is replaced as a whole together`()
    throws
  {
    let rows = try GatheredRows<SpendRow>()
    for number in (0..<3500).reversed() {
      // One campaign has 1,500 apps.
      let isMany = number >= 1000 && number < 2500
      let added = isMany ? row(2, "many", app: Int64(number)) : row(number < 1000 ? 1 : 3, "c\(number)")
      try rows.put(added, line: number, isNew: true)
    }
    var found: [SpendRow] = []
    var parts: [Int] = []
    try rows.forEachChunk { part in
      found += part
      parts.append(part.count { $0.campaign == "many" })
      #expect(part.count <= 4000)
    }
    #expect(parts.filter { $0 > 0 } == [1500])
    #expect(found.count == 3500 && Set(found).count == 3500)
    #expect(found.map(\.day) == found.map(\.day).sorted())
  }
}
