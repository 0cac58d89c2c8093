extension ManualPage {
  /// Writes a part of a document: headings of the third level, paragraphs, lists, tables and fenced blocks.
  ///
  /// The first column of a table is the term, the last one its explanation; columns between them follow the term in
  /// parentheses. Comments are left out.
  package mutating func markdown(_ lines: some Collection<Substring>) {
    var rest = Array(lines)[...]
    var followsHeading = true
    while let first = rest.first {
      switch MarkdownLine(first) {
      case .empty, .comment:
        rest.removeFirst()
        continue
      case .heading(let title):
        heading(title.uppercased())
        rest.removeFirst()
        followsHeading = true
        continue
      case .fence:
        let block = rest.dropFirst().prefix { MarkdownLine($0) != .fence }
        rest = rest.dropFirst(block.count + 2)
        separate(followsHeading)
        verbatim(Array(block)) { page, each in page.line(guarded(spelt(String(each)))) }
      case .row:
        let rows = rest.prefix { MarkdownLine($0) == .row }
        rest = rest.dropFirst(rows.count)
        // The first two lines are the titles and the rule below them.
        for row in rows.dropFirst(2) { term(cells(of: row)) }
      case .item(let text):
        rest.removeFirst()
        line(".IP \\(bu 2")
        paragraph(rich([text] + words(of: &rest)), isRoff: true)
      case .text:
        separate(followsHeading)
        paragraph(rich(words(of: &rest)), isRoff: true)
      }
      followsHeading = false
    }
  }

  private mutating func separate(_ followsHeading: Bool) { if !followsHeading { line(".PP") } }

  private mutating func term(_ cells: [String]) {
    guard let first = cells.first, let last = cells.dropFirst().last else { return }
    let between = cells.dropFirst().dropLast().map { " (" + rich([Substring($0)]) + ")" }.joined()
    line(".TP")
    line(guarded(rich([Substring(first)]) + between))
    if !last.isEmpty { paragraph(rich([Substring(last)]), isRoff: true) }
  }

  /// Takes the lines of a paragraph from the front.
  private func words(of rest: inout ArraySlice<Substring>) -> [Substring] {
    let lines = rest.prefix { MarkdownLine($0) == .text }
    rest = rest.dropFirst(lines.count)
    return Array(lines)
  }

  /// Returns the cells between the bars, empty ones too; `\|` is a bar inside a cell.
  private func cells(of row: Substring) -> [String] {
    let bar = "\u{1F}"
    let whole = String(row).split(separator: "\\|", omittingEmptySubsequences: false).joined(separator: bar)
    // Nothing is before the first bar and behind the last one.
    let parts = whole.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
    return parts.map { part in
      let words = part.split(separator: " ").joined(separator: " ")
      return words.split(separator: bar, omittingEmptySubsequences: false).joined(separator: "|")
    }
  }

  /// Returns text as roff, with code in bold and links as their text.
  private func rich(_ lines: [Substring]) -> String {
    let text = lines.joined(separator: " ")
    return text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      index % 2 == 1 ? bold(String(part)) : spelt(withoutLinks(part))
    }.joined()
  }

  private func withoutLinks(_ text: Substring) -> String {
    var shown = ""
    var rest = text
    while let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]") {
      let behind = rest.index(after: close)
      guard rest[behind...].first == "(", let end = rest[behind...].firstIndex(of: ")") else {
        shown += rest[...open]
        rest = rest[rest.index(after: open)...]
        continue
      }
      shown += rest[..<open] + rest[rest.index(after: open)..<close]
      rest = rest[rest.index(after: end)...]
    }
    return shown + rest
  }
}

private enum MarkdownLine: Equatable {
  case empty, comment, fence, row, text
  case heading(Substring)
  case item(Substring)

  init(_ line: Substring) {
    self =
      if line.isEmpty { .empty } else if line.hasPrefix("<!--") { .comment } else if line.hasPrefix("```") {
        .fence
      } else if line.hasPrefix("|") { .row } else if line.hasPrefix("### ") {
        .heading(line.dropFirst(4))
      } else if line.hasPrefix("- ") { .item(line.dropFirst(2)) } else { .text }
  }
}
