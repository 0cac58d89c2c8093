/// A stranger's text without what would move a terminal's cursor, colour it, or turn the reading direction round.
public func printable(_ text: String) -> String {
  // Nearly every text is plain.
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
  guard text.unicodeScalars.contains(where: isHidden) else { return text }
  return String(String.UnicodeScalarView(text.unicodeScalars.map { isHidden($0) ? "\u{FFFD}" : $0 }))
}
