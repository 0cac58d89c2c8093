/// A file that a form sent.
package struct UploadedFile: Sendable {
  /// The name of its field.
  package let field: String
  /// The name that the browser gave; it can be anything.
  package let name: String
  package let bytes: [UInt8]
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
    guard let text = String(validating: head, as: UTF8.self) else { return false }
    let lines = text.split(separator: "\r\n")
    guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
      let name = Self.parameter("name", of: line)
    else { return false }
    if let file = Self.parameter("filename", of: line) {
      files.append(UploadedFile(field: name, name: file, bytes: bytes))
      return true
    }
    guard let value = String(validating: bytes, as: UTF8.self) else { return false }
    fields.append((name, value))
    return true
  }

  /// The text between quotes after `; NAME=`; browsers escape quotes and line breaks in it.
  private static func parameter(_ name: String, of line: Substring) -> String? {
    guard let place = line.range(of: "; \(name)=\"") else { return nil }
    let text = line[place.upperBound...]
    guard let end = text.firstIndex(of: "\"") else { return nil }
    let escapes = [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")]
    return escapes.reduce(String(text[..<end])) { $0.replacing($1.0, with: $1.1) }
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

extension Substring {
  /// Where a text is.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
