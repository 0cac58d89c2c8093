import Ledger
import Postbacks
import Testing
import Values

/// The pages of imported rows.
struct `Pages of imported rows` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func site() throws -> OpenSite {
    try OpenSite(at: now) { database in
      let store = try ReferenceStore(path: database)
      _ = try store.put(
        (0..<250).map { number in
          SpendRow(
            day: now.day, network: number < 240 ? "a.example" : "b.example", campaign: "\(1000 + number)",
            app: nil, currency: "EUR", micros: 1)
        })
      _ = try store.put(
        (0..<3).map { RateRow(day: now.day, currency: "EUR", quote: ["USD", "CHF", "JPY"][$0], picos: 1) })
    }
  }

  private func campaigns(_ page: String) -> [Int] {
    page.matches(of: /<td[^>]*>(?:<[^>]*>)*(1[0-9]{3})</).compactMap { Int($0.output.1) }
  }

  @Test(arguments: [("", 0..<100), ("?page=2", 100..<200), ("?page=3", 200..<250), ("?page=9", 200..<250)])
  func `A page of imported rows has its rows, and the last one stands for those behind it`(
    query: String, places: Range<Int>
  ) throws {
    let page = try site().section("rows", of: "/data/spend\(query)")
    #expect(campaigns(page) == places.map { 1000 + $0 })
    #expect(page.contains("250 rows"))
  }

  @Test
  func `Pages of imported rows count those of their question, and all of a kind where kinds are listed`()
    throws
  {
    let site = try site()
    let some = try site.section("rows", of: "/data/spend?network=b.example")
    #expect(campaigns(some) == (240..<250).map { 1000 + $0 } && some.contains("10 rows"))
    let counts = try site.section("kinds", of: "/data").matches(of: /<td class="n"><data value="([0-9]+)"/)
    #expect(counts.compactMap { Int($0.output.1) }.filter { $0 > 0 } == [250, 3])
    let steps = try site.section("steps", of: "/")
    #expect(steps.matches(of: /badge good/).count == 1)
  }
}
