/// Comma-separated values as RFC 4180 has them.
package enum CSV {
  /// One line, with its line break.
  ///
  /// A cell is quoted where it has to be. A text that a spreadsheet would take for a formula gets an apostrophe in
  /// front, because identifiers in it were written by strangers; a verbatim one does not.
  /// Source: RFC 4180, section 2; OWASP, "CSV Injection".
  package static func line(_ cells: [Cell]) -> String { cells.map(\.text).joined(separator: ",") + "\r\n" }

  /// Appends a text that people may open in a spreadsheet as ``line(_:)`` writes it.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes += isPlain(text) ? text.utf8 : Cell.string(text).text.utf8
  }

  /// What a cell contains: the text without the apostrophe that ``line(_:)`` puts in front of what looks like a formula.
  package static func reading(_ cell: String) -> String {
    guard cell.utf8.first == UInt8(ascii: "'"), let next = cell.utf8.dropFirst().first else { return cell }
    return Cell.formulaMarks.contains(next) ? String(cell.dropFirst()) : cell
  }

  /// Whether a text is written as it is.
  ///
  /// Nearly every text is.
  private static func isPlain(_ text: String) -> Bool {
    let bytes = text.utf8.span
    guard bytes.count > 0 else { return true }
    switch bytes[0] {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): return false
    default: break
    }
    for place in bytes.indices {
      let byte = bytes[place]
      if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") {
        return false
      }
    }
    return true
  }

  package enum Cell: Hashable, Sendable {
    /// No value, which is not the same as zero.
    case none
    case integer(Int64)
    case number(String)
    /// A text that people may open in a spreadsheet.
    case string(String)
    /// A text for programs, in which nothing is changed.
    case verbatim(String)

    /// What spreadsheets take for the beginning of a formula.
    fileprivate static let formulaMarks = Set("=+-@\t\r".utf8)

    fileprivate var text: String {
      switch self {
      case .none: return ""
      case .integer(let number): return String(number)
      case .number(let digits): return digits
      case .verbatim(let text): return Self.quoted(text)
      case .string(let text):
        let text = Self.withoutControls(text)
        let isFormula = text.utf8.first.map(Self.formulaMarks.contains) ?? false
        return Self.quoted(isFormula ? "'" + text : text)
      }
    }

    /// The text with control characters, other than those of lines and tabs, made visible: spreadsheets and terminals
    /// do what they like with them, and identifiers in it were written by strangers.
    private static func withoutControls(_ text: String) -> String {
      // Nearly every text is plain, and asking each letter for its category would double the cost of an export.
      if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
      func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: !["\n", "\r", "\t"].contains(scalar)
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
      }
      guard text.unicodeScalars.contains(where: isHidden) else { return text }
      return String(String.UnicodeScalarView(text.unicodeScalars.map { isHidden($0) ? "\u{FFFD}" : $0 }))
    }

    private static func quoted(_ text: String) -> String {
      guard text.utf8.contains(where: "\",\r\n".utf8.contains) else { return text }
      let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
      return "\"" + parts.joined(separator: "\"\"") + "\""
    }
  }
}
