/// Strict reading of JSON.
///
/// More is rejected than the grammar asks for, because two readers must never disagree about what a text means:
/// duplicate names (compared after unescaping), a byte order mark, bytes behind the value, half surrogate pairs,
/// bytes that are not UTF-8, and nesting beyond a limit. Time and memory are linear in the number of bytes.
/// Source: RFC 8259; RFC 7493, section 2.3 for duplicate names.
public enum JSONReader {
  /// The nesting that is read when the caller names no other limit.
  public static let defaultDepthLimit = 64

  /// Reads a whole document.
  ///
  /// - Parameters:
  ///   - bytes: The document, nothing before or behind it but white space.
  ///   - depthLimit: The deepest nesting allowed, at most 512; a lone number has depth 0, `[1]` has depth 1.
  ///   - allowingDuplicates: Whether objects may have a name twice; lookups then find the first.
  /// - Returns: The document's value.
  /// - Throws: ``JSONDefect`` for the first thing that is wrong.
  public static func read(
    _ bytes: [UInt8], depthLimit: Int = defaultDepthLimit, allowingDuplicates: Bool = false
  ) throws(JSONDefect) -> JSONNode {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONDefect(.byteOrderMark, offset: 0) }
    let node = try readValue(in: bytes, at: 0, depthLimit: depthLimit, allowingDuplicates: allowingDuplicates)
    let end = skipWhitespace(in: bytes, from: node.range.upperBound)
    guard end == bytes.count else { throw JSONDefect(.trailingBytes, offset: end) }
    return node
  }

  /// Reads one value that starts at `offset` or behind white space there; its range has its end.
  ///
  /// What follows the value is not looked at, so that concatenated documents can be read one by one.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to read from.
  ///   - offset: Where to start, from 0.
  ///   - depthLimit: The deepest nesting allowed, at most 512.
  ///   - allowingDuplicates: Whether objects may have a name twice; lookups then find the first.
  /// - Throws: ``JSONDefect`` for the first thing that is wrong; offsets count from the start of `bytes`.
  public static func readValue(
    in bytes: [UInt8], at offset: Int, depthLimit: Int = defaultDepthLimit, allowingDuplicates: Bool = false
  ) throws(JSONDefect) -> JSONNode {
    var scanner = JSONScanner(
      bytes: bytes, at: max(0, offset), depthLimit: min(depthLimit, 512), allowsDuplicates: allowingDuplicates
    )
    do {
      return try scanner.value(depth: 0)
    } catch {
      throw JSONDefect(error.reason, offset: error.offset, path: JSONPath(steps: scanner.trail.reversed()))
    }
  }

  /// The offset of the first byte from `offset` on that is not JSON white space.
  public static func skipWhitespace(in bytes: [UInt8], from offset: Int) -> Int {
    var at = max(0, offset)
    while at < bytes.count, isJSONSpace(bytes[at]) { at += 1 }
    return at
  }

  /// The places of an array's elements, found by brackets and quotation marks alone.
  ///
  /// The elements themselves are not read, so that one broken element does not take its neighbours with it.
  ///
  /// - Throws: ``JSONDefect`` when the bytes are not one array with an element on both sides of each comma.
  public static func elementRanges(ofArray bytes: [UInt8]) throws(JSONDefect) -> [Range<Int>] {
    var at = skipWhitespace(in: bytes, from: 0)
    guard at < bytes.count, bytes[at] == UInt8(ascii: "[") else {
      throw JSONDefect(.unexpectedCharacter, offset: at)
    }
    at = skipWhitespace(in: bytes, from: at + 1)
    var ranges: [Range<Int>] = []
    var depth = 0
    var start = at
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""): at = endOfString(in: bytes, from: at) - 1
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        try ranges.append(trimmed(bytes, start..<at))
        start = at + 1
      default: break
      }
      at += 1
      if depth < 0 { break }
    }
    guard depth < 0 else { throw JSONDefect(.unexpectedEnd, offset: bytes.count) }
    let isEmpty = ranges.isEmpty && skipWhitespace(in: bytes, from: start) == at - 1
    if !isEmpty { try ranges.append(trimmed(bytes, start..<at - 1)) }
    guard skipWhitespace(in: bytes, from: at) == bytes.count else {
      throw JSONDefect(.trailingBytes, offset: at)
    }
    return ranges
  }

  /// The offset behind the string that starts at `start`, or the end when it has none.
  private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
    var at = start + 1
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "\"") { return at + 1 }
      at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }

  private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) throws(JSONDefect) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, isJSONSpace(bytes[end - 1]) { end -= 1 }
    let start = skipWhitespace(in: bytes, from: range.lowerBound)
    guard start < end else { throw JSONDefect(.unexpectedCharacter, offset: range.upperBound) }
    return start..<end
  }
}

/// Whether a byte is white space between JSON's tokens.
func isJSONSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
