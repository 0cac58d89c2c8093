import JSONText
import Testing

struct `The JSON writer` {
  private let value: JSONOutput = [
    "text": "a\"\\\n\t\u{1}é",
    "numbers": [1, -9_223_372_036_854_775_808, JSONNumber("1.50").map { .number($0) } ?? nil], "empty": [],
    "none": .object([]), "truth": true, "nothing": nil,
  ]

  @Test func `The JSON writer writes compact text in the given order`() {
    let expected =
      #"{"text":"a\"\\\n\t\u0001é","numbers":[1,-9223372036854775808,1.50],"empty":[],"none":{},"truth":true,"nothing":null}"#
    #expect(value.text() == expected)
  }

  @Test(arguments: [
    (0.1 + 0.2, "0.3"), (1e-6, "0.000001"), (4e-7, "0"), (-2, "-2"), (1_234_567.891_234_4, "1234567.891234"),
    (1e18, "1e+18"), (.nan, "null"), (.infinity, "null"), (nil, "null"),
  ])
  func `The JSON writer writes computed numbers with up to six decimals`(number: Double?, text: String) {
    #expect(JSONOutput.decimal(number).text() == text)
  }

  @Test func `The JSON writer writes pretty text`() {
    let value: JSONOutput = ["a": [1, [:]], "b": ["c": "d"]]
    #expect(
      value.text(pretty: true) == """
        {
          "a": [
            1,
            {}
          ],
          "b": {
            "c": "d"
          }
        }
        """)
  }

  @Test func `The JSON writer writes every control character so that it is read back`() throws {
    let text = String(String.UnicodeScalarView((0...0x2FF).compactMap { Unicode.Scalar($0) }))
    #expect(try JSONReader.read(JSONOutput.string(text).bytes()).value == .string(text))
  }

  @Test(arguments: ["", "1.", "01", "1 ", " 1", "x", "\"1\"", "1e", "NaN"])
  func `The JSON writer rejects numbers that JSON does not allow`(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test func `The JSON writer quotes foreign text in a short and harmless form`() {
    #expect(quoted("abc") == "\"abc\"")
    #expect(quoted("a\u{202E}\u{1B}[31m\n") == #""a\u202e\u001b[31m\u000a""#)
    #expect(quoted(String(repeating: "x", count: 41)) == "\"" + String(repeating: "x", count: 40) + "…\"")
    #expect(quoted(String(repeating: "x", count: 40)) == "\"" + String(repeating: "x", count: 40) + "\"")
    #expect(JSONPath.root.member(String(repeating: "é", count: 100_000)).description.utf8.count < 200)
  }

  @Test func `The JSON writer writes the same bytes piece by piece`() {
    var writer = JSONWriter()
    var text = ""
    func take() { text += writer.take() }
    writer.open(.object)
    writer.add("value", value)
    take()
    writer.open(.array, "list")
    for _ in 0..<2 {
      writer.add(value)
      take()
    }
    writer.add(7)
    writer.open(.object)
    writer.close()
    writer.open(.array)
    writer.close()
    writer.close()
    writer.open(.array, "a\"b")
    writer.close()
    writer.close()
    take()
    let whole: JSONOutput = ["value": value, "list": [value, value, 7, .object([]), []], "a\"b": []]
    #expect(text == whole.text(pretty: true))
  }
}
