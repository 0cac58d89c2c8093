/// A stranger's text with every character escaped that would move a terminal's cursor, colour it, turn the reading
/// direction round, or not be seen: U+202E becomes `\u{202E}`.
///
/// These are the control and format characters and the separators of lines and paragraphs, so also what is no UTF-8
/// text of its own. Escaped text is plain, so that it comes out of a second call as it is.
public func printable(_ text: String) -> String { printable(text, keepsLines: false) }

/// The same, but line breaks stay where they may, as in a message of several lines.
public func printable(_ text: String, keepsLines: Bool) -> String {
  // Nearly every text is plain.
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: !(keepsLines && scalar == "\n")
    case .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
  guard text.unicodeScalars.contains(where: isHidden) else { return text }
  var escaped = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if isHidden(scalar) {
      escaped.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
    } else {
      escaped.append(scalar)
    }
  }
  return String(escaped)
}
