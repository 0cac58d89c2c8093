import Arguments
@testable import Tables
import Testing

struct `The cursor of a page` {
  @Test(arguments: ["1.2", "", "a \u{1F} ü", "9223372036854775807.0"])
  func `The cursor of a page is the same after its way to a client and back`(place: String) throws {
    let cursor = PageCursor(report: "events", place: place)
    #expect(try PageCursor(cursor.text, of: "events") == cursor)
    #expect(cursor.text.utf8.allSatisfy { $0 < 0x7F && $0 > 0x20 && $0 != UInt8(ascii: "&") })
  }

  @Test func `The cursor of a page of another report is rejected`() {
    let cursor = PageCursor(report: "events", place: "7.1")
    for text in [cursor.text, "postbacks", "%%%", ""] {
      #expect(throws: ParameterError.staleCursor) { try PageCursor(text, of: "postbacks") }
    }
  }
}
