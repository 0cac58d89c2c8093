@testable import Service
import Testing

struct `Pages kept by a service` {
  @Test func `Pages kept by a service are of a bounded number of rows, the newest ones`() {
    let pages = KeptPages(mostRows: 10, lifetime: .seconds(600))
    pages.keep("a", count: 4, for: "one")
    pages.keep("b", count: 6, for: "two")
    #expect(pages.rows(for: "one") as? String == "a")
    pages.keep("c", count: 5, for: "three")
    #expect(pages.rows(for: "one") == nil && pages.rows(for: "two") == nil)
    #expect(pages.rows(for: "three") as? String == "c")
    pages.keep("d", count: 11, for: "four")
    #expect(pages.rows(for: "four") == nil && pages.rows(for: "three") != nil)
    pages.keep("e", count: 11, for: "three")
    #expect(pages.rows(for: "three") == nil)
    pages.keep("f", count: 1, for: "one")
    pages.keep(nil, count: 0, for: "one")
    #expect(pages.rows(for: "one") == nil)
  }

  @Test func `Pages kept by a service are given up after their time`() {
    let pages = KeptPages(lifetime: .zero)
    pages.keep("a", count: 4, for: "one")
    #expect(pages.rows(for: "one") == nil)
  }
}
