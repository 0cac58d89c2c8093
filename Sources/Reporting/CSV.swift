/// Comma-separated values as RFC 4180 has them.
public enum CSV {
  /// One line, with its line break.
  ///
  /// A cell is quoted where it has to be. A text that a spreadsheet would take for a formula gets an apostrophe in
  /// front, because identifiers in it were written by strangers.
  /// Source: RFC 4180, section 2; OWASP, "CSV Injection".
  public static func line(_ cells: [Cell]) -> String { cells.map(\.text).joined(separator: ",") + "\r\n" }

  /// A value of a line.
  public enum Cell: Hashable, Sendable {
    /// No value, which is not the same as zero.
    case none
    case integer(Int64)
    /// A decimal number in digits.
    case number(String)
    case string(String)

    fileprivate var text: String {
      switch self {
      case .none: return ""
      case .integer(let number): return String(number)
      case .number(let digits): return digits
      case .string(var text):
        if let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) { text = "'" + text }
        let needsQuotes = text.utf8.contains { "\",\r\n".utf8.contains($0) }
        return needsQuotes
          ? "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\"" : text
      }
    }
  }
}
