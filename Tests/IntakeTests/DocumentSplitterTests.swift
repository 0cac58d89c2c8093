import Intake
import System
import Testing
import Values

struct `A stream of postbacks` {
  private static func split(_ text: String, chunk: Int = .max) -> [String] {
    var splitter = DocumentSplitter()
    var documents: [[UInt8]] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      documents += splitter.append(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    documents += splitter.finish()
    return documents.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("", []),
      (" \n\r\t ", []),
      (#"{"a":1}"#, [#"{"a":1}"#]),
      ("{\"a\":1}\n", [#"{"a":1}"#]),
      ("\n\n{\"a\":1}\r\n\n {\"b\":2} \n", [#"{"a":1}"#, #"{"b":2}"#]),
      // One object over several lines, alone and followed by others.
      (
        "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n{\"c\":3}\n",
        ["{\n  \"a\": {\n    \"b\": 1\n  }\n}", #"{"c":3}"#]
      ),
      // A byte order mark in front, as some editors leave it, and something that only begins like one.
      ("\u{FEFF}{\"a\":1}\n{\"b\":2}", [#"{"a":1}"#, #"{"b":2}"#]),
      // Arrays, also nested, empty and over several lines.
      ("[]", []),
      (" [ ] ", []),
      (#"[{"a":1},{"b":[1,2]} , {"c":{}}]"#, [#"{"a":1}"#, #"{"b":[1,2]}"#, #"{"c":{}}"#]),
      ("[\n{\"a\":1},\n{\"b\":2}\n]\n", [#"{"a":1}"#, #"{"b":2}"#]),
      // Brackets and quotation marks in strings.
      (#"{"a":"}{][\"\\"}"#, [#"{"a":"}{][\"\\"}"#]),
      (#"["},{", "]"]"#, [#""},{""#, #""]""#]),
      // What is broken stays together and takes no neighbour with it.
      ("{\"a\":1}x\n{\"b\":2}\n", [#"{"a":1}x"#, #"{"b":2}"#]),
      ("{\"a\":\n{\"b\":2}\n", [#"{"a":"#, #"{"b":2}"#]),
      ("{\"a\":\"\n{\"b\":2}\n", [#"{"a":""#, #"{"b":2}"#]),
      ("}\n{\"b\":2}", ["}", #"{"b":2}"#]),
      ("junk\n{\"b\":2}", ["junk", #"{"b":2}"#]),
      (#"[{"a":1},{"b""#, [#"{"a":1}"#, #"{"b""#]),
      (#"[{"a":1}"#, [#"{"a":1}"#]),
      (#"[{"a":1}] x"#, [#"{"a":1}"#, "x"]),
      ("[", ["["]),
    ] as [(String, [String])])
  func `A stream of postbacks is split into documents, whatever the pieces`(text: String, documents: [String])
  {
    for chunk in [.max, 1, 2, 3, 7] {
      #expect(Self.split(text, chunk: chunk) == documents, "chunks of \(chunk)")
    }
  }

  @Test func `A stream of postbacks gives the lines of NDJSON whatever the pieces, on random input`() {
    var random = SplitMix64(seed: 21)
    for round in 0..<300 {
      let lines = (0..<random.number(below: 8)).map { line in
        #"{"n":\#(line),"s":"\#(String(repeating: "{\\\"}[", count: random.number(below: 4)))","o":{"x":[1]}}"#
      }
      let text =
        lines.joined(separator: random.happens(0.5) ? "\n" : "\r\n\r\n") + (random.happens(0.5) ? "\n" : "")
      #expect(Self.split(text, chunk: 1 + random.number(below: 40)) == lines, "round \(round)")
    }
  }

  @Test(arguments: ["{\"a\":[1}\n2]}\n{}", "{\"a\":\"}\",\"b\":{}\n{\"c\":1}\n", "x\n{\"a\":\"[}\n{}"])
  func `A stream of postbacks is split identically wherever chunks end, even if it is broken`(text: String) {
    let whole = Self.split(text)
    for size in 1...text.utf8.count { #expect(Self.split(text, chunk: size) == whole) }
  }

  @Test func `A stream of postbacks keeps a bounded part of a document without an end`() {
    var splitter = DocumentSplitter()
    let chunk = [UInt8](repeating: UInt8(ascii: "{"), count: 1 << 16)
    for _ in 0..<64 { #expect(splitter.append(chunk).isEmpty) }
    #expect(splitter.finish().map(\.count) == [DocumentSplitter.longestDocument])
  }
}
