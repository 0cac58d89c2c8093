import Testing

@testable import Reporting

struct `A line of CSV` {
  @Test(arguments: [
    (CSV.Cell.none, ""),
    (.integer(0), "0"),
    (.integer(-5), "-5"),
    (.string(""), ""),
    (.string("a b"), "a b"),
    (.string("a,b"), "\"a,b\""),
    (.string("say \"x\""), "\"say \"\"x\"\"\""),
    (.string("two\nlines"), "\"two\nlines\""),
    // A spreadsheet would run these.
    (.string("=1+1"), "'=1+1"),
    (.string("@x,y"), "\"'@x,y\""),
    (.string("-1"), "'-1"),
  ])
  func `quotes what has to be quoted`(cell: CSV.Cell, text: String) {
    #expect(CSV.line([cell, .integer(7)]) == text + ",7\r\n")
  }

  @Test(arguments: [
    (Int64(0), "0"), (7, "7"), (999, "999"), (1000, "1,000"), (-1000, "-1,000"), (-100, "-100"),
    (1_234_567, "1,234,567"),
  ])
  func `sets the thousands of a number apart`(number: Int64, text: String) {
    #expect(grouped(number) == text)
  }

  @Test(arguments: [
    (Int64(0), Int64(0), ""), (0, 3, "0.0"), (1, 3, "33.3"), (2, 3, "66.7"), (3, 3, "100.0"),
    (1, 2000, "0.1"),
  ])
  func `rounds a share to one decimal`(part: Int64, whole: Int64, text: String) {
    #expect(percent(part, of: whole) == text)
  }
}
