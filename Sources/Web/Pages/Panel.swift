package import Markup

/// Parts that pages are put together from.
package enum Panel {
  /// A section with a heading; `flush` for tables and lists, which reach its edges.
  package static func section(
    _ id: String, _ heading: HTML, note: HTML = "", link: HTML = "", flush isFlush: Bool = false,
    _ content: HTML
  ) -> HTML {
    let note: HTML = note.text.isEmpty ? "" : "<p>\(note)</p>"
    return """
      <section class="panel" aria-labelledby="h-\(id)"><header><h2 id="h-\(id)">\(heading)</h2>\(link)\(note)</header>\
      <div class="\(isFlush ? "flush" : "in")">\(content)</div></section>

      """
  }

  /// Links to pages that belong together.
  ///
  /// - Parameters:
  ///   - label: What they have in common.
  ///   - links: Where they lead.
  /// - Returns: The links, the page's own marked.
  package static func tabs(
    _ label: HTML, _ links: [(address: PageAddress, word: HTML)], current path: String
  ) -> HTML {
    let links = links.map { link -> HTML in
      let mark: HTML = link.address.path == path ? " aria-current=\"page\"" : ""
      return "<a href=\"\(link.address.text)\"\(mark)>\(link.word)</a>"
    }
    return "<nav aria-label=\"\(label)\"><span class=\"seg\">\(links.joined())</span></nav>"
  }

  /// What is shown where there is nothing: why, and what may help.
  package static func empty(_ heading: HTML, _ reason: HTML, _ action: HTML = "") -> HTML {
    "<section class=\"panel empty\"><h2>\(heading)</h2><p>\(reason)</p>\(action)</section>"
  }

  /// Notes of a report below its table.
  package static func notes(_ notes: [String]) -> HTML {
    guard !notes.isEmpty else { return "" }
    let notes = notes.map { note -> HTML in "<p class=\"note\">\(.prose(note))</p>" }
    return "<div class=\"notes\">\(notes.joined())</div>"
  }

  /// A chart with its legend, a slider that reads its table, and the table.
  ///
  /// - Parameters:
  ///   - id: A word that no other figure of the page has.
  ///   - legend: The style and the meaning of what is drawn.
  ///   - slider: What the slider moves along.
  ///   - count: The number of places; with less than two there is no slider.
  ///   - table: The same figures as a table, a row for each place.
  ///   - texts: The words of the page's language.
  package static func figure(
    _ id: String, legend: [(sample: LegendSample, word: HTML)], chart: HTML, slider: HTML, count: Int,
    table: HTML, _ texts: Texts
  ) -> HTML {
    let legend = legend.map { entry -> HTML in "<li>\(entry.sample.markup)\(entry.word)</li>" }
    // Without a script the slider reads nothing, so it is the script that shows it.
    let scrub: HTML =
      count < 2
      ? ""
      : """
      <div class="scrub" hidden><input type="range" id="s-\(id)" min="0" max="\(count - 1)" value="\(count - 1)" \
      data-scrub aria-label="\(slider)"><output for="s-\(id)"></output></div>
      """
    return """
      <figure><ul class="legend">\(legend.joined())</ul>\(chart)\(scrub)<details class="as-table">\
      <summary>\(texts.chartAsTable)</summary>\(table)</details></figure>
      """
  }
}

/// What is drawn in a legend before a word.
package enum LegendSample: Sendable {
  case bar(String)
  case line(String)

  package var markup: HTML {
    switch self {
    case .bar(let style):
      "<svg viewBox=\"0 0 22 12\" aria-hidden=\"true\"><rect class=\"\(style)\" x=\"3\" width=\"16\" height=\"12\"/></svg>"
    case .line(let style):
      "<svg viewBox=\"0 0 22 12\" aria-hidden=\"true\"><path class=\"\(style)\" d=\"M0 6H22\"/></svg>"
    }
  }
}
