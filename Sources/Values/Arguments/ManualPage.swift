/// A page of the manual: lines of roff with the macros of man(7), written from top to bottom.
package struct ManualPage {
  enum Label {
    case literal(String)
    case placeholder(String)
    case option(Option)
  }

  /// The width of the lines, which only readers of the roff see.
  private static let columns = 78

  /// Whole lines of ASCII.
  package private(set) var text = ""

  package init() {}

  package mutating func title(_ name: String, section: Int, date: String, source: String, manual: String) {
    let left = "\"\(spelt(name.uppercased()))\" \(section) "
    // A day is digits and hyphens, which formatters read only where they are not escaped.
    line(".TH " + left + "\"\(date)\" \"\(spelt(source))\" \"\(spelt(manual))\"")
  }

  package mutating func heading(_ words: String) { line(".SH \(spelt(words))") }

  mutating func subheading(_ words: String) { line(".SS \(spelt(words))") }

  /// Writes the line that makewhatis and apropos read: a name, a hyphen, a sentence without its full stop.
  package mutating func named(_ name: String, _ summary: String) {
    let sentence = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    paragraph("\(spelt(name)) \\- \(spelt(sentence))", isRoff: true)
  }

  mutating func synopsis(_ literal: String, _ words: [String]) {
    paragraph("\(bold(literal)) \(words.map(spelt).joined(separator: " "))", isRoff: true)
  }

  mutating func section(_ title: String, _ paragraphs: [String]) {
    heading(title)
    for (index, each) in paragraphs.enumerated() {
      if index > 0 { line(".PP") }
      paragraph(each)
    }
  }

  mutating func section(_ title: String, _ rows: [(Label, String)]) {
    guard !rows.isEmpty else { return }
    heading(title)
    self.rows(rows)
  }

  mutating func rows(_ rows: [(Label, String)]) {
    for (label, explanation) in rows {
      line(".TP")
      line(guarded(roff(label)))
      paragraph(explanation)
    }
  }

  mutating func section(_ title: String, _ examples: [Command.Example]) {
    guard !examples.isEmpty else { return }
    heading(title)
    for (index, example) in examples.enumerated() {
      if index > 0 { line(".PP") }
      paragraph(example.purpose + ":")
      line(".PP")
      verbatim(example.line.split(separator: "\n", omittingEmptySubsequences: false)) { page, each in
        page.commandLine(String(each))
      }
    }
  }

  mutating func verbatim(_ lines: [Substring], _ write: (inout Self, Substring) -> Void) {
    line(".RS 4")
    line(".nf")
    for each in lines { write(&self, each) }
    line(".fi")
    line(".RE")
  }

  package mutating func seeAlso(_ pages: [(name: String, section: Int)]) {
    heading("SEE ALSO")
    for (index, page) in pages.enumerated() {
      line(".BR \(spelt(page.name)) (\(page.section))" + (index + 1 < pages.count ? "," : ""))
    }
  }

  /// Writes a line that is shown as one however long it is, so that it can be copied.
  private mutating func commandLine(_ words: String) {
    let roff = bold(words)
    let parts =
      roff.utf8.count > Self.columns && !words.contains("  ") ? wrap(roff, to: Self.columns) : [roff]
    line(parts.joined(separator: " \\\n"))
  }

  mutating func paragraph(_ words: String, isRoff: Bool = false) {
    let plain = words.split(separator: "\n").joined(separator: " ")
    for each in wrap(isRoff ? plain : spelt(plain), to: Self.columns) { line(guarded(each)) }
  }

  mutating func line(_ roff: String) { text += roff + "\n" }

  private func roff(_ label: Label) -> String {
    switch label {
    case .literal(let word): return bold(word)
    case .placeholder(let word): return italic(word)
    case .option(let option):
      let long = option.isNegatable ? "--[no-]" + option.name.dropFirst(2) : option.name
      return (option.short.map { bold("-\($0)") + ", " } ?? "") + bold(long)
        + (option.placeholder.map { " " + italic($0) } ?? "")
        + (option.isRepeatable && !option.isList ? "..." : "")
    }
  }

  func bold(_ words: String) -> String { "\\fB\(spelt(words))\\fR" }
  private func italic(_ words: String) -> String { "\\fI\(spelt(words))\\fR" }
}

/// Makes a line text that would otherwise be a request, because of its first letter.
func guarded(_ line: String) -> String {
  line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
}

/// Spells text such that roff shows each letter as it is, wherever it is.
///
/// Unescaped, roff typesets `-` as a hyphen that can't be copied, turns quotes into curly ones and `^` and `~` into
/// accents. Source: groff_char(7), mandoc_char(7).
func spelt(_ text: String) -> String {
  var roff = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": roff += "\\e"
    case "-": roff += "\\-"
    case "'": roff += "\\(aq"
    case "\"": roff += "\\(dq"
    case "`": roff += "\\(ga"
    case "^": roff += "\\(ha"
    case "~": roff += "\\(ti"
    case " "..."~": roff.unicodeScalars.append(scalar)
    // Lines and tabs are the renderer's own; there is nothing to show of a control character.
    case _ where scalar.value < 0x80: roff += " "
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      roff += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
    }
  }
  return roff
}
