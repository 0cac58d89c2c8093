import CSVText
import System
import Testing
import Values

struct `Comma-separated values` {
  private static func read(_ bytes: [UInt8], chunk: Int = .max) throws(CSVReader.Defect) -> [CSVReader.Record]
  {
    var reader = CSVReader()
    var records: [CSVReader.Record] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      records += try reader.append(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    return records + (try reader.finish())
  }

  @Test(
    arguments: [
      ("", []),
      ("\r\n\n", []),
      ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
      ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
      ("a,\n,b\n,", [["a", ""], ["", "b"], ["", ""]]),
      ("\"a\",\"\"\n\"\"\n", [["a", ""], [""]]),
      ("\"a,\"\"b\"\"\r\n\n c\",2\n", [["a,\"b\"\r\n\n c", "2"]]),
      ("\u{FEFF}a,b\n", [["a", "b"]]),
      ("a\n\u{FEFF}b\n", [["a"], ["\u{FEFF}b"]]),
      (" a , b ", [[" a ", " b "]]),
      ("é,日本", [["é", "日本"]]),
    ] as [(String, [[String]])])
  func `Comma-separated values are split into records, whatever the size of the pieces`(
    text: String, cells: [[String]]
  ) throws {
    for chunk in [1, 2, 3, .max] {
      #expect(try Self.read(Array(text.utf8), chunk: chunk).map(\.cells) == cells)
    }
  }

  @Test func `Comma-separated values report the line that each record begins on`() throws {
    let records = try Self.read(Array("a\n\n\"b\nc\"\nd".utf8))
    #expect(records.map(\.line) == [1, 3, 5])
  }

  @Test(
    arguments: [
      ("a\nb\"c", CSVReader.Defect.Reason.strayQuote, 2),
      ("\"a\"b", .textBehindQuote, 1), ("\"a\" ,b", .textBehindQuote, 1),
      ("a\n\"b\nc\n", .unclosedQuote, 2), ("a\rb", .strayCarriageReturn, 1), ("a\r", .strayCarriageReturn, 1),
      (String(repeating: "x", count: CSVReader.longestRecord) + "y", .recordTooLong, 1),
    ])
  func `Comma-separated values with an error are rejected with their line`(
    text: String, reason: CSVReader.Defect.Reason, line: Int
  ) {
    for chunk in [1 << 16, .max] {
      #expect { try Self.read(Array(text.utf8), chunk: chunk) } throws: { error in
        let defect = error as? CSVReader.Defect
        return defect?.reason == reason && defect?.line == line
      }
    }
  }

  @Test func `Comma-separated values have a longest record, which is still read`() throws {
    let text = String(repeating: "x", count: CSVReader.longestRecord - 1) + "\n"
    #expect(try Self.read(Array(text.utf8)).count == 1)
  }

  @Test func `Comma-separated values are UTF-8`() {
    #expect(throws: CSVReader.Defect.self) { try Self.read([0x61, 0xFF, 0x0A]) }
    #expect(throws: CSVReader.Defect.self) { try Self.read([0xEF, 0xBB]) }
  }

  @Test func `Comma-separated values are read back as they were written`() throws {
    var random = SplitMix64(seed: 7)
    let letters = Array("ab,\"\n\r 日")
    for _ in 0..<200 {
      let rows = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (0..<3).map { _ in
          String(
            (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
              letters.randomElement(using: &random)
            })
        }
      }
      let text = rows.map { row in
        row.map {
          "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }
        .joined(separator: ",") + "\r\n"
      }.joined()
      let chunk = Int.random(in: 1...9, using: &random)
      #expect(try Self.read(Array(text.utf8), chunk: chunk).map(\.cells) == rows)
    }
  }
}
