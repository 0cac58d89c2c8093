package import Values

/// What the text of a value has to look like.
package enum ValueKind: Hashable, Sendable {
  /// Any text that is not empty.
  case text
  /// The path of a file or folder; `-` is a standard stream where the command allows it.
  case path
  /// A whole number within bounds, both included.
  case integer(ClosedRange<Int>)
  case choice([String])
  /// A length of time, such as `36h`.
  case duration
  /// A moment: RFC 3339, or a date, which means its start in UTC.
  case time
  /// A UTC date.
  case day
  case hostPort
  case hostPortOr([String])
  /// Text of a form that its type knows, such as `a currency code, such as USD`.
  case form(Sentence)

  /// What is expected, as it ends the sentence "The value is not …".
  package var expectation: Sentence {
    switch self {
    case .text: Sentence("text")
    case .path: Sentence("a path")
    case .integer(let range) where range.upperBound == .max:
      Sentence("a whole number, \(range.lowerBound) or more")
    case .integer(let range):
      Sentence("a whole number from \(range.lowerBound) to \(range.upperBound)")
    case .choice(let words): Sentence("one of \(code: words.joined(separator: ", "))")
    case .duration: Sentence("a length of time, such as 90s, 15m, 36h or 2d")
    case .time: Sentence("a date or time, such as 2026-11-21 or 2026-11-21T12:00:00Z")
    case .day: Sentence("a UTC date such as 2026-11-21")
    case .hostPort: Sentence("HOST:PORT, such as 127.0.0.1:8080")
    case .hostPortOr(let words):
      Sentence("HOST:PORT, such as 127.0.0.1:8080, or \(code: words.joined(separator: " or "))")
    case .form(let form): form
    }
  }

  package func allows(_ text: String) -> Bool {
    switch self {
    case .text, .path, .form: !text.isEmpty
    case .integer(let range): Int(text).map(range.contains) ?? false
    case .choice(let words): words.contains(text)
    case .duration: milliseconds(text) != nil
    case .time: Instant(text) != nil
    case .day: Day(text) != nil
    case .hostPort: HostPort(text) != nil
    case .hostPortOr(let words): words.contains(text) || HostPort(text) != nil
    }
  }
}

/// Reads a whole number and one of the units ms, s, m, h, d and w.
func milliseconds(_ text: String) -> Int64? {
  let digits = text.prefix { $0.isASCII && $0.isNumber }
  let units: [String: Int64] = [
    "ms": 1, "s": 1000, "m": 60_000, "h": Hour.milliseconds, "d": Day.milliseconds,
    "w": 7 * Day.milliseconds,
  ]
  guard let count = Int64(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
  let (product, overflows) = count.multipliedReportingOverflow(by: unit)
  return overflows ? nil : product
}
