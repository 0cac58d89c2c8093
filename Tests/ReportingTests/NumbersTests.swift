@testable import Reporting
import Testing

struct `A number in a report` {
  @Test(arguments: [
    (Int64(0), Int64(0), ""), (0, 3, "0.0"), (1, 3, "33.3"), (2, 3, "66.7"), (3, 3, "100.0"),
    (1, 2000, "0.1"),
  ])
  func `rounds a share to one decimal`(part: Int64, whole: Int64, text: String) {
    #expect(percent(part, of: whole) == text)
  }
}

struct `A table for people` {
  @Test func `shows what a stranger's text hides, and keeps its columns`() {
    var table = TextTable([.init("network"), .init("n", isNumeric: true)])
    table.add(["a\u{202E}b", "1"])
    table.add(["\u{1B}[2J", "20"])
    #expect(
      table.text == """
        network      n
        ──────────  ──
        a\\u{202E}b   1
        \\u{1B}[2J   20

        """)
  }
}
