@testable import CSVText
import Testing

struct `A decoder of UTF-16` {
  private func decoded(_ bytes: [UInt8], by size: Int) throws -> String {
    var decoder = UTF16Decoder()
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      text += try decoder.append(Array(bytes[start..<min(bytes.count, start + size)]))
    }
    text += try decoder.finish()
    return String(decoding: text, as: UTF8.self)
  }

  private static let text = "a;b\r\n\u{1F600};\u{E9}\n"
  private static let littleEndian: [UInt8] = text.utf16.flatMap { unit -> [UInt8] in
    [UInt8(unit & 0xFF), UInt8(unit >> 8)]
  }
  private static let bigEndian: [UInt8] = text.utf16.flatMap { unit -> [UInt8] in
    [UInt8(unit >> 8), UInt8(unit & 0xFF)]
  }
  private static let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF]]
  private static let plain: [UInt8] = Array(text.utf8)
  private static let files: [[UInt8]] = [
    littleEndian, bigEndian, plain, marks[0] + littleEndian, marks[1] + bigEndian, marks[2] + plain,
  ]

  @Test(arguments: files)
  func `A decoder of UTF-16 gives the text in any pieces, and leaves UTF-8 as it is`(bytes: [UInt8]) throws {
    for size in 1...9 {
      #expect(try decoded(bytes, by: size).drop { $0 == "\u{FEFF}" } == Self.text, "\(size)")
    }
    #expect(try decoded([], by: 1) == "" && decoded([0x61], by: 1) == "a")
  }

  @Test func `A decoder of UTF-16 names the line of half a letter`() {
    let broken: [UInt8] = [0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x62]
    #expect(throws: UTF16Decoder.Defect(line: 2)) { try decoded(broken, by: 3) }
    #expect(throws: UTF16Decoder.Defect.self) { try decoded([0xFF, 0xFE, 0x00, 0xDC, 0x61, 0], by: 2) }
  }
}
