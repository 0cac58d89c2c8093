@testable import Explanations
import Testing

struct `A place between two rows` {
  @Test(arguments: ["", "1", "1.", ".1", "-1.0", "1.-1", "1.2.3", "9223372036854775808.0", "1.x"])
  func `A place between two rows is not read from a text that names none`(text: String) {
    #expect(RowPlace(text) == nil)
  }

  @Test func `A place between two rows is read as it is written`() {
    #expect(RowPlace(RowPlace(row: 7, part: 1).description) == RowPlace(row: 7, part: 1))
  }
}
