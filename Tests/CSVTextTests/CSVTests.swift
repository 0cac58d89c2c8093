import CSVText
import Testing

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
    // A program would not know what to do with the apostrophe.
    (.verbatim("-1"), "-1"),
    (.verbatim("=a,b"), "\"=a,b\""),
  ])
  func `A line of CSV quotes what needs quotes`(cell: CSV.Cell, text: String) {
    #expect(CSV.line([cell, .integer(7)]) == text + ",7\r\n")
  }

  @Test(arguments: ["=1+1", "+1", "-1", "@x", "\ta", "'", "''", "'tis", "a", ""])
  func `A line of CSV is read back as the text that it was written from`(text: String) {
    // None of these needs quotes.
    let cell = String(CSV.line([.string(text)]).dropLast())
    #expect(CSV.reading(cell) == text)
  }
}
