import HTTPServer
import Routing

/// A file that a form sent.
package struct UploadedFile: Sendable {
  /// Bytes that a file of a form has at most, as sent and as unpacked.
  package static let mostBytes = 4 << 20

  package enum Unpacked: Sendable {
    case bytes([UInt8])
    /// It would be longer than ``mostBytes``.
    case tooLong
    /// It ends early, or is no whole gzip file.
    case damaged
  }

  package let field: String
  /// The name that the browser gave; it can be anything.
  package let name: String
  package let bytes: [UInt8]

  /// Its bytes, unpacked where they are gzip, whatever the file is called.
  package var unpacked: Unpacked {
    do throws(Problem) {
      return .bytes(try ContentCoding.unpack(bytes, limit: Self.mostBytes))
    } catch {
      return error.status == Problem.rejected(.bodyTooLarge(limit: Self.mostBytes)).status
        ? .tooLong : .damaged
    }
  }
}

/// The parts of a form with files.
///
/// Source: RFC 7578, and RFC 2046, section 5.1.1; WHATWG HTML, "Multipart form data", for escapes in names.
package struct MultipartBody: Sendable {
  package private(set) var fields: [(name: String, value: String)] = []
  package private(set) var files: [UploadedFile] = []

  /// Parts that a form can have; more is none of ours.
  private static let mostParts = 64
  /// Bytes of the lines before a part.
  private static let mostHeadBytes = 4096

  /// The boundary in a header line such as `multipart/form-data; boundary=x`; `nil` for another type.
  package static func boundary(ofType type: String) -> String? {
    let parts = type.split(separator: ";")
    guard let first = parts.first, first.filter({ $0 != " " }).lowercased() == "multipart/form-data" else {
      return nil
    }
    for part in parts.dropFirst() {
      let halves = part.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, halves[0].filter({ $0 != " " }).lowercased() == "boundary" else { continue }
      return String(halves[1].drop { $0 == " " || $0 == "\"" }.prefix { $0 != "\"" && $0 != " " })
    }
    return ""
  }

  /// Reads a body; `nil` where it is not made of whole parts.
  package init?(_ body: [UInt8], boundary: String) {
    guard (1...70).contains(boundary.utf8.count) else { return nil }
    let mark = Array("--\(boundary)".utf8)
    guard body.starts(with: mark) else { return nil }
    var start = mark.count
    var count = 0
    while true {
      let rest = body[start...]
      if rest.starts(with: [0x2D, 0x2D]) { return }
      guard rest.starts(with: [0x0D, 0x0A]), count < Self.mostParts else { return nil }
      count += 1
      guard let head = Self.place(of: [0x0D, 0x0A, 0x0D, 0x0A], in: body, from: start),
        head - start <= Self.mostHeadBytes,
        let end = Self.place(of: [0x0D, 0x0A] + mark, in: body, from: head + 4)
      else { return nil }
      guard add(head: body[(start + 2)..<max(start + 2, head)], bytes: Array(body[(head + 4)..<end])) else {
        return nil
      }
      start = end + 2 + mark.count
    }
  }

  private mutating func add(head: ArraySlice<UInt8>, bytes: [UInt8]) -> Bool {
    guard let line = Self.disposition(in: head), let name = Self.parameter("name", of: line) else {
      return false
    }
    if let file = Self.parameter("filename", of: line) {
      files.append(UploadedFile(field: name, name: file, bytes: bytes))
      return true
    }
    guard let value = String(validating: bytes, as: UTF8.self) else { return false }
    fields.append((name, value))
    return true
  }

  /// What follows the name of the header line that describes a part.
  private static func disposition(in head: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let word = "content-disposition:".utf8
    var rest = head
    while true {
      let end = place(of: [0x0D, 0x0A], in: rest) ?? rest.endIndex
      let line = rest[rest.startIndex..<end]
      // Letters differ from their lower case in one bit; no other byte of the word has a twin in ASCII.
      if line.count >= word.count, zip(line, word).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && $0 >= 0x41 }) {
        return line.dropFirst(word.count)
      }
      guard end < rest.endIndex else { return nil }
      rest = rest[(end + 2)...]
    }
  }

  /// The text between quotes of a parameter; browsers escape quotes and line breaks in it.
  ///
  /// Parameters are read one after the other, so that the text of one is never taken for another.
  private static func parameter(_ name: String, of line: ArraySlice<UInt8>) -> String? {
    var rest = line.drop { $0 != UInt8(ascii: ";") }
    while !rest.isEmpty {
      rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") }
      let key = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
      rest = rest[key.endIndex...]
      guard rest.starts(with: [UInt8(ascii: "="), UInt8(ascii: "\"")]) else {
        rest = rest.drop { $0 != UInt8(ascii: ";") }
        continue
      }
      let text = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "\"") }
      guard text.endIndex < rest.endIndex else { return nil }
      if key.elementsEqual(name.utf8) { return String(validating: unescaped(text), as: UTF8.self) }
      rest = rest[(text.endIndex + 1)...].drop { $0 != UInt8(ascii: ";") }
    }
    return nil
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let escapes: [(ArraySlice<UInt8>, UInt8)] = [
      (ArraySlice("%22".utf8), 0x22), (ArraySlice("%0D".utf8), 0x0D), (ArraySlice("%0A".utf8), 0x0A),
    ]
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.first {
      if let escape = escapes.first(where: { rest.starts(with: $0.0) }) {
        result.append(escape.1)
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static func place(of bytes: [UInt8], in body: ArraySlice<UInt8>) -> Int? {
    body.indices.first { body[$0...].starts(with: bytes) }
  }

  /// Where bytes begin; the search passes over what cannot fit, so that a long body takes linear time.
  private static func place(of bytes: [UInt8], in body: [UInt8], from start: Int) -> Int? {
    guard body.count - start >= bytes.count, start >= 0 else { return nil }
    var at = start
    let last = body.count - bytes.count
    while at <= last {
      guard let next = body[at...last].firstIndex(of: bytes[0]) else { return nil }
      if body[next..<(next + bytes.count)].elementsEqual(bytes) { return next }
      at = next + 1
    }
    return nil
  }
}
