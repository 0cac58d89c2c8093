import Intake
import Testing

struct `A file that is yet to be imported` {
  private func draft(_ text: String) throws -> FileDraft { try FileDraft(Array(text.utf8)) }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: [
    "\u{FEFF}Day;Cost\n1.11.2026;12,50\n\n2.11.2026;x\n",
    "sep=;\r\nDay;Cost\r\n1.11.2026;12,50\r\n2.11.2026;x",
  ])
  func `A file that is yet to be imported has names, rows and their texts by line`(file: String) throws {
    let draft = try draft(file)
    #expect(draft.names == ["Day", "Cost"] && draft.lines.count == 2)
    #expect(draft.first.map(\.texts) == [["1.11.2026", "12,50"], ["2.11.2026", "x"]])
    #expect(draft.lines.map { draft.text(ofLine: $0) } == ["1.11.2026;12,50", "2.11.2026;x"])
    #expect(draft.text(ofLine: 99) == nil)
  }

  @Test func `A correction replaces its row alone, and all other rows keep their lines`() throws {
    let file = try draft("a,b\n1,\"x\ny\"\n2,z\n3,w\n")
    #expect(file.lines == [2, 4, 5])
    let corrected = file.replacing([2: "1,q", 4: " ", 7: "9,9"])
    #expect(text(corrected) == "a,b\n1,q\n\n\n3,w\n")
    #expect(try FileDraft(corrected).lines == [2, 5])
    #expect(text(file.replacing([5: "3,w\r\n4,v"])) == "a,b\n1,\"x\ny\"\n2,z\n3,w\n4,v\n")
    #expect(file.replacing([:]) == file.bytes)
  }

  @Test
  func `Objects of JSON, one a line or in an array, have lines and the paths of the first one as names`()
    throws
  {
    let lines = try draft("{\"day\": \"2026-11-01\", \"m\": {\"cost\": 5}}\n\n{\"day\": 7}\n")
    #expect(lines.names == ["day", "m.cost"] && lines.lines == [1, 3])
    #expect(lines.first.map(\.texts) == [["2026-11-01", "5"], ["7", ""]])
    let array = try draft("[{\"day\":\n\"a\"},\n{\"day\":\"b\"}]")
    #expect(array.lines == [1, 2] && text(array.bytes) == "{\"day\": \"a\"}\n{\"day\":\"b\"}\n")
  }

  @Test func `A header gets other names where a file is a table`() throws {
    #expect(try draft("u;t\n1;2\n").renamed { ["user", "time"][$0] } == Array("user;time\n1;2\n".utf8))
    #expect(try draft("{\"u\": 1}").renamed { "\($0)" } == nil)
  }

  @Test(arguments: ["", "a,\"b\n", "PK\u{3}\u{4}", "[1, 2"])
  func `What is no table and no JSON is an error`(file: String) {
    #expect(throws: ReferenceFileError.self) { try draft(file) }
  }
}
