import JSONText
import Testing
import Values

struct `The diagnosis of a defect in JSON` {
  private func diagnosis(_ text: String, isLine: Bool = false) throws -> JSONDiagnosis {
    let bytes = Array(text.utf8)
    let defect = #expect(throws: JSONDefect.self) { try JSONReader.read(bytes) }
    return try #require(defect).diagnosis(in: bytes, isLine: isLine)
  }

  @Test func `The diagnosis of a defect in JSON names the character, the open bracket and the cure`() throws {
    let curly = try diagnosis("{\n  \"a\": ’b’\n}")
    #expect(
      curly.sentence
        == "found ’ (U+2019 right single quotation mark), expected a value; the { at 1:1 is still open")
    #expect(curly.cure == "Write \" (a straight double quote) on both sides; a text processor replaced it.")
    let comma = try diagnosis("{\"a\": [1,\n  2,\n]}")
    #expect(comma.sentence == "found ']' after a comma; the [ at 1:7 is still open")
    #expect(comma.cure == "Delete the comma at 2:4.")
  }

  @Test func `The diagnosis of a defect in JSON gives columns for a line of a file`() throws {
    #expect(try diagnosis("{\"a\": 1,}", isLine: true).cure == "Delete the comma at column 8.")
  }

  @Test func `The diagnosis of a defect in JSON is short and names an existing place, whatever was changed`()
    throws
  {
    let sound = #"{"name":"t","list":[1,-2.5e3,true,null,{"x":"\\u00e9\\n"}],"é":"ü","end":false}"#
    let inserts = Array(#"{}[],:"'/#-+.0eEtfnx\ "#.utf8) + [0, 9, 10, 0x80, 0xC3, 0xE2, 0xFF]
    var random = SplitMix64(seed: 40)
    var broken = 0
    for _ in 0..<20_000 {
      var bytes = Array(sound.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        guard !bytes.isEmpty else { break }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(inserts.randomElement(using: &random) ?? 0, at: place)
        case 2: bytes[place] = inserts.randomElement(using: &random) ?? 0
        default: bytes.removeLast(bytes.count - max(1, place))
        }
      }
      do throws(JSONDefect) { _ = try JSONReader.read(bytes) } catch {
        broken += 1
        let diagnosis = error.diagnosis(in: bytes)
        #expect(!diagnosis.sentence.isEmpty && diagnosis.sentence.utf8.count < 300, "\(diagnosis)")
        #expect(!diagnosis.sentence.hasSuffix("."), "\(diagnosis)")
        #expect(diagnosis.cure.map { $0.hasSuffix(".") && $0.utf8.count < 200 } ?? true, "\(diagnosis)")
        #expect(!diagnosis.sentence.unicodeScalars.contains { $0.value < 0x20 }, "\(diagnosis)")
      }
    }
    #expect(broken > 15_000)
  }
}
