import Postbacks

/// Cuts a stream of bytes into postbacks: one JSON object, an array of them, or one a line (NDJSON).
///
/// The documents are found by brackets and quotation marks alone and not read, so that a broken one does not take
/// its neighbours with it. Outside an array a document ends with its line, or with the line that closes it where it
/// spans several.
public struct DocumentSplitter: Sendable {
  /// Bytes of a document that are kept: one more than a postback may have, which shows that it is too large.
  public static let longestDocument = PostbackReading.byteLimit + 1

  private enum Form {
    case undecided, lines, array, behindArray
  }

  private var form = Form.undecided
  private var pending: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isLineStart = true

  /// Bytes of a byte order mark that came; editors put one in front of a file, and it means nothing in UTF-8.
  private var markBytes = 0
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  public init() {}

  /// Whether a line begins JSON, rather than a table.
  static func isJSON(_ line: ArraySlice<UInt8>) -> Bool {
    // Adjust's columns have braces, as {sk_payload}; an object has a quotation mark behind its brace, or nothing yet.
    let rest = line.dropFirst().drop(while: isSpace)
    return switch line.first {
    case UInt8(ascii: "{"):
      rest.isEmpty || rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "}")
    case UInt8(ascii: "["): true
    default: false
    }
  }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: The documents that these bytes complete, without the white space around them.
  public mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
    var documents: [[UInt8]] = []
    var at = 0
    while at < bytes.count {
      if let end = endOfWholeLine(in: bytes, from: at) {
        documents.append(Array(bytes[at..<end]))
        at = end + 1
      } else {
        append(bytes[at], to: &documents)
        at += 1
      }
    }
    return documents
  }

  /// The end of a line that is a whole document by its look, which is how NDJSON comes; without the line break.
  private func endOfWholeLine(in bytes: [UInt8], from start: Int) -> Int? {
    guard form == .lines, isLineStart, depth == 0, pending.isEmpty, bytes[start] == UInt8(ascii: "{"),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")), bytes[end - 1] == UInt8(ascii: "}")
    else { return nil }
    // With no bracket in between nothing can be open behind the line, wherever strings begin and end.
    let isFlat = !bytes[(start + 1)..<(end - 1)].contains { byte in
      byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "[")
        || byte == UInt8(ascii: "]")
    }
    return isFlat && end - start <= Self.longestDocument ? end : nil
  }

  /// Ends the stream.
  ///
  /// - Returns: The document that was begun and not completed, if there is one.
  public mutating func finish() -> [[UInt8]] {
    var documents: [[UInt8]] = []
    // An array that never closes is itself a broken document, even where all its elements are whole.
    if form == .array, isBlank { pending = Array("[".utf8) }
    close(to: &documents)
    form = .behindArray
    return documents
  }

  private mutating func append(_ byte: UInt8, to documents: inout [[UInt8]]) {
    switch form {
    case .undecided:
      if markBytes < 3, byte == Self.mark[markBytes] {
        markBytes += 1
        return
      }
      markBytes = 3
      if Self.isSpace(byte) { return }
      form = byte == UInt8(ascii: "[") ? .array : .lines
      isLineStart = true
      if form == .lines { appendToLine(byte, &documents) }
    case .lines: appendToLine(byte, &documents)
    case .array: appendToArray(byte, &documents)
    case .behindArray: keep(byte)
    }
  }

  private mutating func appendToLine(_ byte: UInt8, _ documents: inout [[UInt8]]) {
    // A brace in the first column while another is open: the document before was cut off.
    if isLineStart, depth > 0, byte == UInt8(ascii: "{") { close(to: &documents) }
    isLineStart = byte == UInt8(ascii: "\n")
    // No string spans lines, so an open one means the line is broken.
    if isLineStart, depth <= 0 || isInString {
      close(to: &documents)
      isLineStart = true
      return
    }
    track(byte)
    keep(byte)
  }

  private mutating func appendToArray(_ byte: UInt8, _ documents: inout [[UInt8]]) {
    if depth == 0, !isInString {
      if byte == UInt8(ascii: ",") { return close(to: &documents) }
      if byte == UInt8(ascii: "]") {
        close(to: &documents)
        form = .behindArray
        return
      }
    }
    track(byte)
    keep(byte)
  }

  private mutating func keep(_ byte: UInt8) {
    if pending.count < Self.longestDocument { pending.append(byte) }
  }

  private mutating func track(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if isInString {
      if byte == UInt8(ascii: "\\") { isEscaped = true }
      if byte == UInt8(ascii: "\"") { isInString = false }
    } else {
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
  }

  private var isBlank: Bool { pending.allSatisfy(Self.isSpace) }

  private mutating func close(to documents: inout [[UInt8]]) {
    if let start = pending.firstIndex(where: { !Self.isSpace($0) }),
      let end = pending.lastIndex(where: { !Self.isSpace($0) })
    {
      documents.append(Array(pending[start...end]))
    }
    pending.removeAll(keepingCapacity: true)
    depth = 0
    isInString = false
    isEscaped = false
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
