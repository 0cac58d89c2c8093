import JSONText
import Testing
import Values

/// One text and what a strict reader has to return for it.
struct Case: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]
  let reason: JSONDefect.Reason?

  init(_ text: String, _ reason: JSONDefect.Reason? = nil) { self.init(bytes: Array(text.utf8), reason) }

  init(bytes: [UInt8], _ reason: JSONDefect.Reason? = nil) {
    self.bytes = bytes
    self.reason = reason
  }

  var testDescription: String { String(decoding: bytes.prefix(60), as: UTF8.self) }
}

struct `The JSON reader` {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1", "-1", "10", "0.5", "-0.0", "1e5", "1E+5", "1.5e-10", "0e0",
    "0e+1",
    "123456789012345678901234567890", "\"\"", "\"a\"", "[]", "{}", " [ ] ", "\t\r\n{ }\n", "[1,2]", "[[[]]]",
    "{\"\":0}", "{\"a\":{\"b\":[null]}}", "\"\\u0000\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\uD834\\uDd1e\"",
    "\"\u{7F}\"", "\"é€𝄞\"", "\"\u{2028}\"", "\"\u{FEFF}\"", "\"\\uFFFF\"", "[\"a\\\\\"]",
    "{\"a\":1,\"b\":1}",
    "{\"é\":1,\"e\u{301}\":2}",
  ])
  func `The JSON reader accepts what the grammar allows`(text: String) throws {
    _ = try JSONReader.read(Array(text.utf8))
  }

  @Test(arguments: [
    Case("", .unexpectedEnd), Case(" ", .unexpectedEnd), Case("nul", .unexpectedEnd),
    Case("nulL", .unexpectedCharacter),
    Case("True", .unexpectedCharacter), Case("NaN", .unexpectedCharacter),
    Case("Infinity", .unexpectedCharacter),
    Case("01", .invalidNumber), Case("-", .unexpectedEnd), Case("-a", .invalidNumber),
    Case("+1", .unexpectedCharacter),
    Case(".5", .unexpectedCharacter), Case("1.", .unexpectedEnd), Case("1.e5", .invalidNumber),
    Case("1e", .unexpectedEnd),
    Case("1e+", .unexpectedEnd), Case("-01", .invalidNumber), Case("0x10", .trailingBytes),
    Case("1 2", .trailingBytes),
    Case("1_000", .trailingBytes), Case("[1,]", .unexpectedCharacter), Case("[,1]", .unexpectedCharacter),
    Case("[1", .unexpectedEnd), Case("[", .unexpectedEnd), Case("[1 2]", .unexpectedCharacter),
    Case("{\"a\"}", .unexpectedCharacter), Case("{\"a\":}", .unexpectedCharacter),
    Case("{a:1}", .unexpectedCharacter),
    Case("{'a':1}", .unexpectedCharacter), Case("{\"a\":1,}", .unexpectedCharacter),
    Case("{\"a\":1", .unexpectedEnd),
    Case("{\"a\":1}}", .trailingBytes), Case("{} x", .trailingBytes), Case("[] []", .trailingBytes),
    Case("{1:1}", .unexpectedCharacter), Case("// c\n1", .unexpectedCharacter),
    Case("[1/*c*/]", .unexpectedCharacter),
    Case("\"", .unexpectedEnd), Case("\"\\", .unexpectedEnd), Case("\"\\x\"", .invalidEscape),
    Case("\"\\U0041\"", .invalidEscape),
    Case("\"\\u12\"", .unexpectedEnd), Case("\"\\u12G4\"", .invalidEscape),
    Case("\"\\u+123\"", .invalidEscape),
    Case("\"a\u{1F}\"", .controlCharacter), Case("\"\n\"", .controlCharacter),
    Case("\"\t\"", .controlCharacter),
    Case("\"\\ud800\"", .loneSurrogate), Case("\"\\udc00\"", .loneSurrogate),
    Case("\"\\ud800\\ud800\"", .loneSurrogate),
    Case("\"\\ud800x\"", .loneSurrogate), Case("\"\\ud800\\n\"", .loneSurrogate),
    Case("\u{FEFF}{}", .byteOrderMark),
    Case(bytes: [0x22, 0x80, 0x22], .invalidUTF8), Case(bytes: [0x22, 0xC0, 0x80, 0x22], .invalidUTF8),
    Case(bytes: [0x22, 0xC1, 0xBF, 0x22], .invalidUTF8),
    Case(bytes: [0x22, 0xE0, 0x9F, 0xBF, 0x22], .invalidUTF8),
    Case(bytes: [0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8),
    Case(bytes: [0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], .invalidUTF8),
    Case(bytes: [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8),
    Case(bytes: [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], .invalidUTF8),
    Case(bytes: [0x22, 0xFF, 0x22], .invalidUTF8), Case(bytes: [0x22, 0xE2, 0x81], .invalidUTF8),
    Case(bytes: [0x22, 0xE2, 0x22, 0x22], .invalidUTF8), Case(bytes: [0x31, 0x00], .trailingBytes),
    Case(bytes: [0xFF, 0xFE, 0x31, 0x00], .unexpectedCharacter), Case("\u{A0}1", .unexpectedCharacter),
    Case("{\"a\":1,\"a\":2}", .duplicateMember), Case("{\"a\":1,\"\\u0061\":1}", .duplicateMember),
    Case("{\"did-win\":1,\"did\\u002dwin\":1}", .duplicateMember),
    Case("[{\"\":1,\"\":1}]", .duplicateMember),
  ])
  func `The JSON reader rejects everything else and reports why`(example: Case) {
    let defect = #expect(throws: JSONDefect.self) { try JSONReader.read(example.bytes) }
    #expect(defect?.reason == example.reason)
  }

  @Test func `The JSON reader reads values exactly`() throws {
    let node = try JSONReader.read(
      Array(#" {"n":-12,"f":1.50,"s":"a\u00e9\ud834\udd1e\/","b":[true,null]} "#.utf8))
    let object = try #require(node.value.object)
    #expect(object.members.map(\.name) == ["n", "f", "s", "b"])
    #expect(object["n"]?.value.number?.integer == -12)
    #expect(object["f"]?.value.number?.text == "1.50")
    #expect(object["f"]?.value.number?.integer == nil)
    #expect(object["s"]?.value.string == "a\u{E9}\u{1D11E}/")
    #expect(object["b"]?.value.array?.map(\.value) == [.bool(true), .null])
    #expect(object["x"] == nil)
    #expect(node.range == 1..<63)
  }

  @Test(
    arguments: [
      ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("9223372036854775808", nil),
      ("-9223372036854775809", nil), ("9007199254740993", 9_007_199_254_740_993), ("5.0", nil), ("5e0", nil),
      ("-0", 0),
    ] as [(String, Int64?)])
  func `The JSON reader keeps integers exact and accepts only plain ones`(text: String, integer: Int64?)
    throws
  {
    #expect(try JSONReader.read(Array(text.utf8)).value.number?.integer == integer)
  }

  @Test func `The JSON reader compares names by bytes, not by appearance`() throws {
    let object = try JSONReader.read(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)).value.object
    #expect(object?["\u{E9}"]?.value.number?.integer == 1)
    #expect(object?["e\u{301}"]?.value.number?.integer == 2)
  }

  @Test func `The JSON reader finds duplicates among many members`() {
    let names = (0..<200).map { "\"m\($0)\":0" }
    #expect(throws: Never.self) { try JSONReader.read(Array("{\(names.joined(separator: ","))}".utf8)) }
    for repeated in [0, 15, 16, 17, 199] {
      let text = "{\((names + ["\"m\(repeated)\":1"]).joined(separator: ","))}"
      let defect = #expect(throws: JSONDefect.self) { try JSONReader.read(Array(text.utf8)) }
      #expect(defect?.reason == .duplicateMember)
      #expect(defect?.path == JSONPath.root.member("m\(repeated)"))
    }
  }

  @Test func `The JSON reader takes time in proportion to the text, even with similar names`() throws {
    // Marks of different combining classes: every order of them has the same normal form.
    let marks: [Unicode.Scalar] = [
      "\u{327}", "\u{323}", "\u{301}", "\u{315}", "\u{345}", "\u{31B}", "\u{35C}", "\u{360}",
    ]
    var random = SplitMix64(seed: 5)
    var names: Set<[UInt32]> = []
    while names.count < 5000 { names.insert(marks.shuffled(using: &random).map(\.value)) }
    let members = names.map { name in
      "\"a" + name.map { "\\u0" + String($0, radix: 16) }.joined() + "\":0"
    }
    let text = Array("{\(members.joined(separator: ","))}".utf8)
    var count = 0
    let time = try ContinuousClock().measure {
      count = try JSONReader.read(text).value.object?.members.count ?? 0
    }
    #expect(count == 5000)
    // Comparing each pair would take minutes in a debug build.
    #expect(time < .seconds(10))
  }

  @Test func `The JSON reader allows duplicates on request, and finds the first`() throws {
    let node = try JSONReader.read(Array(#"{"a":1,"a":2}"#.utf8), allowingDuplicates: true)
    #expect(node.value.object?["a"]?.value.number?.integer == 1)
    #expect(node.value.object?.members.count == 2)
  }

  @Test func `The JSON reader stops at the depth limit and not before`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONReader.read(nested(64))
    #expect(throws: JSONDefect(.tooDeep, offset: 64, path: path(64))) { try JSONReader.read(nested(65)) }
    _ = try JSONReader.read(nested(512), depthLimit: 10_000)
    #expect(throws: JSONDefect.self) { try JSONReader.read(nested(513), depthLimit: 10_000) }
    let hostile = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: JSONDefect.self) { try JSONReader.read(hostile) }

    func path(_ depth: Int) -> JSONPath { JSONPath(steps: Array(repeating: .element(0), count: depth)) }
  }

  @Test func `The JSON reader names the place of a defect`() {
    let text = "{\n  \"mappings\": [{}, {},\n    {\"é\": 1, \"app-id\": 01}]}"
    let defect = #expect(throws: JSONDefect.self) { try JSONReader.read(Array(text.utf8)) }
    #expect(defect?.path.description == #"$.mappings[2]["app-id"]"#)
    #expect(defect?.position(in: Array(text.utf8)) == defect?.position(in: Array(text.utf8) + [0x0A]))
    #expect(defect?.position(in: Array(text.utf8)).description == "3:25")
  }

  @Test func `The JSON reader reads one value and reports where it ended`() throws {
    let bytes = Array(#" {"a":1} [2]"x"7"#.utf8)
    var at = 0
    var values: [JSONValue] = []
    while JSONReader.skipWhitespace(in: bytes, from: at) < bytes.count {
      let node = try JSONReader.readValue(in: bytes, at: at)
      values.append(node.value)
      at = node.range.upperBound
    }
    #expect(values.map(\.sort) == [.object, .array, .string, .integer])
  }

  @Test(
    arguments: [
      ("[]", []), (" [ ] ", []), ("[1]", ["1"]),
      ("[ {\"a\":[1,2]} , \"],[\\\"\" , 01 ]", ["{\"a\":[1,2]}", "\"],[\\\"\"", "01"]),
    ] as [(String, [String])])
  func `The JSON reader splits an array whose elements may be broken`(text: String, elements: [String]) throws
  {
    let bytes = Array(text.utf8)
    let ranges = try JSONReader.elementRanges(ofArray: bytes)
    #expect(ranges.map { String(decoding: bytes[$0], as: UTF8.self) } == elements)
  }

  @Test(arguments: ["", "{}", "[", "[1", "[1,]", "[,1]", "[1] x", "[\"]", "[1,,2]", "[,]"])
  func `The JSON reader splits nothing that is no array`(text: String) {
    #expect(throws: JSONDefect.self) { try JSONReader.elementRanges(ofArray: Array(text.utf8)) }
  }

  @Test func `The JSON reader survives any mutation and reads accepted text identically twice`() throws {
    let seedText = Array(#"{"a":[1,-2.5e3,"x\u00e9\n€"],"b":{"c":null,"d":true},"e":"\ud834\udd1e"}"#.utf8)
    var random = SplitMix64(seed: 7)
    var accepted = 0
    for round in 0..<20_000 {
      var bytes = seedText
      for _ in 0...random.number(below: 3) {
        let at = random.number(below: bytes.count)
        switch random.number(below: 3) {
        case 0: bytes[at] = UInt8(random.number(below: 256))
        case 1: bytes.remove(at: at)
        default: bytes.insert(seedText[random.number(below: seedText.count)], at: at)
        }
      }
      guard let node = try? JSONReader.read(bytes) else { continue }
      accepted += 1
      for pretty in [false, true] {
        let written = JSONOutput(node.value).bytes(pretty: pretty)
        let again = try JSONReader.read(written)
        #expect(JSONOutput(again.value) == JSONOutput(node.value), "round \(round)")
      }
    }
    #expect(accepted > 500)
  }
}
